package eventbus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

type bundle struct {
	nats *natstest.Server
	nc   *nats.Conn
	js   jetstream.JetStream
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{nats: natstest.Start(t)}
	b.nc, b.js = b.nats.Provision()
	return b
}

var quiet = slog.New(slog.DiscardHandler)

// publish puts an envelope with data on subject.
func (b *bundle) publish(t *testing.T, subject string, version int64, data any) {
	t.Helper()
	b.publishRaw(t, subject, event.Envelope{
		ID: uuid.NewString(), Version: version, At: time.Now(), Data: marshal(t, data),
	})
}

func marshal(t *testing.T, data any) json.RawMessage {
	t.Helper()
	payload, err := json.Marshal(data)
	require.NoError(t, err)
	return payload
}

func (b *bundle) publishRaw(t *testing.T, subject string, e event.Envelope) {
	t.Helper()
	body, err := json.Marshal(e)
	require.NoError(t, err)
	_, err = b.js.Publish(t.Context(), subject, body)
	require.NoError(t, err)
}

// consume runs one replica of a consumer until the test ends.
func (b *bundle) consume(t *testing.T, c event.Consumer, h eventbus.Handler) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	_, js := b.nats.Connect()
	go func() {
		defer close(done)
		_ = eventbus.Consume(ctx, js, c, eventbus.Enveloped(h), quiet)
	}()
	t.Cleanup(func() { cancel(); <-done })
}

// seen collects what handlers have processed.
type seen struct {
	mu   sync.Mutex
	what []string
}

func (s *seen) add(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.what = append(s.what, what)
}

func (s *seen) sorted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(slices.Values(s.what))
}

func (s *seen) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.what)
}

// Commands had several workers before they were handled in order. What is stored stays.
func TestProvision_again(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, "state.v1.map.m1", 1, event.MapState{ID: "m1", Version: 1})
	config := func() jetstream.ConsumerConfig {
		t.Helper()
		consumer, err := b.js.Consumer(t.Context(), event.RecordsCommands.Stream, event.RecordsCommands.Name)
		require.NoError(t, err)
		return consumer.CachedInfo().Config
	}
	cfg := config()
	cfg.MaxAckPending = 256
	_, err := b.js.UpdateConsumer(t.Context(), event.RecordsCommands.Stream, cfg)
	require.NoError(t, err)
	require.NoError(t, eventbus.Provision(t.Context(), b.js, 1))
	if got := config().MaxAckPending; got != 1 {
		t.Errorf("at most %d commands are unacknowledged, want 1", got)
	}
	count, err := eventbus.Replay(t.Context(), b.js, []string{"state.v1.map.>"},
		func(context.Context, string, event.Envelope) error { return nil })
	if err != nil || count != 1 {
		t.Errorf("replay found %d messages (%v), want 1", count, err)
	}
}

func TestConsume_redelivers_failed_messages_only(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var s seen
	var failures sync.Map
	b.consume(t, event.RecordsMaps, func(_ context.Context, _ string, e event.Envelope) error {
		fact, err := event.Decode[event.MapCreated](e)
		if err != nil {
			s.add("undecodable")
			return eventbus.Undecodable(err)
		}
		if _, again := failures.LoadOrStore(fact.MapID, true); !again && fact.MapID == "fails-once" {
			s.add("failed " + fact.MapID)
			return errors.New("the database is unavailable")
		}
		if fact.MapID == "panics-once" && !slices.Contains(s.sorted(), "panicked") {
			s.add("panicked")
			panic("a bug")
		}
		if fact.MapID == "no id" {
			s.add("refused")
			return fmt.Errorf("map: %w", &pgconn.PgError{Code: "22P02"})
		}
		s.add("done " + fact.MapID)
		return nil
	})
	b.publish(t, event.MapCreatedSubject, 0, event.MapCreated{MapID: "no id"})
	b.publish(t, event.MapCreatedSubject, 0, event.MapCreated{MapID: "fails-once"})
	b.publish(t, event.MapCreatedSubject, 0, event.MapCreated{MapID: "panics-once"})
	b.publish(t, event.MapCreatedSubject, 0, 42)
	_, err := b.js.Publish(t.Context(), event.MapCreatedSubject, []byte("no envelope"))
	require.NoError(t, err)
	b.publish(t, event.MapCreatedSubject, 0, event.MapCreated{MapID: "plain"})

	want := []string{
		"done fails-once",
		"done panics-once",
		"done plain",
		"failed fails-once",
		"panicked",
		"refused",
		"undecodable",
	}
	eventually.WaitFor(t, "all effects", func() bool { return len(s.sorted()) >= len(want) })
	natstest.AwaitSettled(t, b.js, event.RecordsMaps)
	assert.Equal(t, "handled", want, s.sorted())
}

// A handler may take longer than the server waits for an acknowledgement.
func TestConsume_long_handlers_get_their_message_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const ackWait = 1500 * time.Millisecond
	b.setAckWait(t, event.RecordsMaps, ackWait)
	started, release := make(chan time.Duration, 10), make(chan struct{})
	var failures atomic.Int64
	b.consume(t, event.RecordsMaps, func(ctx context.Context, _ string, e event.Envelope) error {
		fact, err := event.Decode[event.MapCreated](e)
		switch {
		case err != nil:
			return eventbus.Undecodable(err)
		case fact.MapID == "long":
			deadline, _ := ctx.Deadline()
			started <- time.Until(deadline)
			select {
			case <-release:
			case <-ctx.Done():
			}
		case failures.Add(1) <= 3: // is delivered again after 0.25, 0.5 and 1 s
			return errors.New("the database is unavailable")
		default:
			close(release)
		}
		return nil
	})
	b.publish(t, event.MapCreatedSubject, 0, event.MapCreated{MapID: "long"})
	if left := <-started; left <= ackWait {
		t.Errorf("a handler has %s, want more than %s", left, ackWait)
	}
	b.publish(t, event.MapCreatedSubject, 0, event.MapCreated{MapID: "fails thrice"})
	natstest.AwaitSettled(t, b.js, event.RecordsMaps)
	if again := len(started); again != 0 {
		t.Errorf("the message was delivered %d times more", again)
	}
}

// A command that fails keeps its place before later ones, also where two replicas take them.
func TestConsume_commands_in_order(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var s seen
	var failed atomic.Bool
	handle := func(_ context.Context, _ string, e event.Envelope) error {
		command, err := event.Decode[event.HidePlayer](e)
		if err != nil {
			return eventbus.Undecodable(err)
		}
		s.add(fmt.Sprint(command.PlayerID, " ", e.Sequence)) // of the stream
		if command.PlayerID == "fails once" && failed.CompareAndSwap(false, true) {
			return errors.New("the database is unavailable")
		}
		return nil
	}
	want := []string{"fails once 1", "fails once 1"}
	b.publish(t, event.ShowPlayerSubject, 0, event.ShowPlayer{PlayerID: "fails once"})
	for i := range 20 {
		id := fmt.Sprintf("player %d", i)
		want = append(want, fmt.Sprint(id, " ", i+2))
		b.publish(t, event.HidePlayerSubject, 0, event.HidePlayer{PlayerID: id})
	}
	b.consume(t, event.RecordsCommands, handle)
	b.consume(t, event.RecordsCommands, handle)
	eventually.WaitFor(t, "all commands", func() bool { return s.count() >= len(want) })
	natstest.AwaitSettled(t, b.js, event.RecordsCommands)
	assert.Equal(t, "handled", want, s.what)
}

func TestPurgeProcessed(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	pgtest.Exec(t, pool, `
		insert into inbox (consumer, id, received_at)
		select 'a.consumer', 'old-' || n, now() - interval '31 days 1 minute' from generate_series(1, 2500) n
		union all
		select 'a.consumer', 'young-' || n, now() - interval '30 days' from generate_series(1, 3) n`)
	removed, err := eventbus.PurgeProcessed(t.Context(), pool, time.Now())
	if err != nil || removed != 2500 {
		t.Errorf("removed %d messages (%v), want 2500", removed, err)
	}
	if left := pgtest.Value[int](t, pool, "select count(*) from inbox where id like 'young-%'"); left != 3 {
		t.Errorf("%d messages that can be delivered again are in the inbox, want 3", left)
	}
	if removed, err := eventbus.PurgeProcessed(t.Context(), pool, time.Now()); err != nil || removed != 0 {
		t.Errorf("the second call removed %d messages (%v), want none", removed, err)
	}
}

func TestConsume_after_a_restart_of_NATS(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var s seen
	b.consume(t, event.RecordsMaps, func(_ context.Context, _ string, e event.Envelope) error {
		fact, err := event.Decode[event.MapCreated](e)
		s.add(fact.MapID)
		return err
	})
	b.publish(t, event.MapCreatedSubject, 0, event.MapCreated{MapID: "before"})
	eventually.WaitFor(t, "the first message", func() bool { return len(s.sorted()) == 1 })
	b.nats.Stop()
	eventually.WaitFor(t, "the loss of the connection", func() bool { return !b.nc.IsConnected() })
	b.nats.Restart()
	eventually.WaitFor(t, "the connection", b.nc.IsConnected)
	b.publish(t, event.MapCreatedSubject, 0, event.MapCreated{MapID: "later"})
	eventually.WaitFor(t, "the second message", func() bool { return slices.Contains(s.sorted(), "later") })
}

func TestReplay_newest_states(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for v := int64(1); v <= 3; v++ {
		for _, id := range []string{"m1", "m2"} {
			b.publish(t, event.MapStatePrefix+id, v, event.MapState{ID: id, Version: v})
		}
	}
	b.publish(t, event.PlayerStatePrefix+"p1", 1, event.PlayerState{ID: "p1", Version: 1})
	b.publish(t, event.MapStatePrefix+"strange", 1, event.MapState{ID: "strange", Version: 1})

	var s seen
	count, err := eventbus.Replay(t.Context(), b.js, []string{"state.v1.map.>"},
		func(_ context.Context, subject string, e event.Envelope) error {
			if strings.HasSuffix(subject, ".strange") {
				return eventbus.Undecodable(errors.New("unknown map"))
			}
			s.add(fmt.Sprintf("%s at %d", subject, e.Version))
			return nil
		})
	require.NoError(t, err)
	want := []string{"state.v1.map.m1 at 3", "state.v1.map.m2 at 3"}
	if diff := cmp.Diff(want, s.sorted()); diff != "" || count != len(want) {
		t.Errorf("replay of %d (-want +got):\n%s", count, diff)
	}
}
