package outbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
)

// bundle is what a test of the relay works with.
type bundle struct {
	pool *postgres.Pool
	nats *natstest.Server
	js   jetstream.JetStream
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{pool: pgtest.OpenPlatform(t), nats: natstest.Start(t)}
	_, b.js = b.nats.Provision()
	return b
}

// startRelay runs a relay until the test ends.
func (b *bundle) startRelay(t *testing.T) {
	t.Helper()
	b.startRelayOn(t, b.pool, outbox.PollInterval)
}

func (b *bundle) startRelayOn(t *testing.T, pool *postgres.Pool, idle time.Duration) *outbox.Relay {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	_, js := b.nats.Connect()
	relay := outbox.NewRelay(pool, js, slog.New(slog.DiscardHandler))
	relay.SetPollInterval(idle)
	go func() {
		defer close(done)
		_ = relay.Run(ctx)
	}()
	t.Cleanup(func() { cancel(); <-done })
	return relay
}

func (b *bundle) appendStates(t *testing.T, states ...event.State) {
	t.Helper()
	err := postgres.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
		for _, s := range states {
			if err := outbox.Append(t.Context(), tx, s); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(t, err)
}

func (b *bundle) appendFact(t *testing.T, f event.Fact) {
	t.Helper()
	err := postgres.InTx(t.Context(), b.pool, func(tx pgx.Tx) error { return outbox.Append(t.Context(), tx, f) })
	require.NoError(t, err)
}

// awaitPublished waits until nothing is unpublished.
func (b *bundle) awaitPublished(t *testing.T) {
	t.Helper()
	eventually.WaitFor(t, "everything to be published", func() bool {
		return pgtest.Value[int](t, b.pool, "select count(*) from outbox where published_at is null") == 0
	})
}

// retainedStats returns what STATE keeps for the totals of map m1.
func (b *bundle) retainedStats(t *testing.T) event.MapStats {
	t.Helper()
	stream, err := b.js.Stream(t.Context(), event.StateStream.Name)
	require.NoError(t, err)
	msg, err := stream.GetLastMsgForSubject(t.Context(), event.MapStatsPrefix+"m1")
	require.NoError(t, err)
	var envelope event.Envelope
	require.NoError(t, json.Unmarshal(msg.Data, &envelope))
	stats, err := event.Decode[event.MapStats](envelope)
	require.NoError(t, err)
	return stats
}

func (b *bundle) messages(t *testing.T, stream string) uint64 {
	t.Helper()
	s, err := b.js.Stream(t.Context(), stream)
	require.NoError(t, err)
	info, err := s.Info(t.Context())
	require.NoError(t, err)
	return info.State.LastSeq
}

func stats(version, records int64) event.MapStats {
	return event.MapStats{MapID: "m1", Version: version, Records: records}
}

func TestRelay_publishes_what_is_committed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.startRelay(t)

	errChanged := errors.New("changed my mind")
	err := postgres.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
		if err := outbox.Append(t.Context(), tx, stats(1, 99)); err != nil {
			return err
		}
		return errChanged
	})
	if !errors.Is(err, errChanged) {
		t.Fatal(err)
	}
	b.appendStates(t, stats(1, 7))
	b.appendFact(t, event.RecordRemoved{RecordID: "r1", MapID: "m1", PlayerID: "p1", Reason: "test"})
	b.awaitPublished(t)

	assert.Equal(t, "retained state", stats(1, 7), b.retainedStats(t))
	if got := b.messages(t, "FACTS"); got != 1 {
		t.Errorf("%d facts were published, want 1", got)
	}
}

func TestAppend_state_without_version(t *testing.T) {
	t.Parallel()
	b := setup(t)
	err := postgres.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
		return outbox.Append(t.Context(), tx, stats(0, 1))
	})
	if err == nil {
		t.Error("a state of version 0 was taken")
	}
}

func TestRelay_publishes_the_newest_state(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for v := int64(1); v <= 30; v++ {
		b.appendStates(t, stats(v, v))
	}
	b.startRelay(t)
	b.awaitPublished(t)
	assert.Equal(t, "retained state", stats(30, 30), b.retainedStats(t))
	if got := b.messages(t, "STATE"); got != 1 {
		t.Errorf("%d messages were published, want 1", got)
	}
}

func TestRelay_without_NATS(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.startRelay(t)
	b.appendStates(t, stats(1, 1))
	b.awaitPublished(t)

	b.nats.Stop()
	b.appendStates(t, stats(2, 2))
	b.appendFact(t, event.RecordRemoved{RecordID: "r1"})
	b.nats.Restart()

	b.awaitPublished(t)
	assert.Equal(t, "retained state", stats(2, 2), b.retainedStats(t))
	if got := b.messages(t, "FACTS"); got != 1 {
		t.Errorf("%d facts were published, want 1", got)
	}
}

func TestRelay_two_replicas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.startRelay(t)
	b.startRelay(t)
	const facts = 50
	for range facts {
		b.appendFact(t, event.RecordRemoved{RecordID: uuid.NewString()})
	}
	b.awaitPublished(t)
	if got := b.messages(t, "FACTS"); got != facts {
		t.Errorf("%d facts were published, want %d", got, facts)
	}
}

func TestRelay_prunes_published_rows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	pgtest.Exec(t, b.pool, `
		insert into outbox (id, subject, version, body, published_at)
		select gen_random_uuid(), 'old', 0, '{}'::bytea, now() - interval '24 hours 1 minute' from generate_series(1, 1200)
		union all
		select gen_random_uuid(), 'young', 0, '{}'::bytea, now() - interval '23 hours' from generate_series(1, 3)`)
	b.appendStates(t, stats(1, 10))
	b.startRelay(t)
	b.awaitPublished(t)
	eventually.WaitFor(t, "old rows to be forgotten", func() bool {
		return pgtest.Value[int](t, b.pool, "select count(*) from outbox where subject = 'old'") == 0
	})
	if left := pgtest.Value[int](t, b.pool, "select count(*) from outbox"); left != 4 {
		t.Errorf("%d rows are left, want the 3 young ones and the one just published", left)
	}
}

func TestRelay_lost_stream(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.startRelay(t)
	b.appendStates(t, stats(5, 5))
	b.awaitPublished(t)

	stream, err := b.js.Stream(t.Context(), event.StateStream.Name)
	require.NoError(t, err)
	require.NoError(t, stream.Purge(t.Context()))
	b.appendStates(t, stats(5, 5))
	b.awaitPublished(t)
	assert.Equal(t, "retained state", stats(5, 5), b.retainedStats(t))
}

// A commit wakes the relay sooner than its poll interval ends.
func TestRelay_wakes_up(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		// open returns the pool of the process that changes something, whose own relay follows.
		open   func(t *testing.T, b *bundle) *postgres.Pool
		notify func(t *testing.T, pool *postgres.Pool)
	}{
		{"of the relay's own process", func(_ *testing.T, b *bundle) *postgres.Pool { return b.pool },
			func(*testing.T, *postgres.Pool) {}},
		{"of a process whose relay follows", func(t *testing.T, b *bundle) *postgres.Pool {
			t.Helper()
			pool := b.anotherPool(t)
			b.startRelayOn(t, pool, time.Hour)
			return pool
		}, func(*testing.T, *postgres.Pool) {}},
		{"of a process without a relay that notifies", func(t *testing.T, b *bundle) *postgres.Pool {
			t.Helper()
			return b.anotherPool(t)
		}, func(t *testing.T, pool *postgres.Pool) {
			t.Helper()
			require.NoError(t, outbox.Notify(t.Context(), pool))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			relay := b.startRelayOn(t, b.pool, time.Hour)
			eventually.WaitFor(t, "the relay to lead", relay.Leads)
			pool := tt.open(t, b)
			for v := range int64(5) {
				err := postgres.InTx(t.Context(), pool, func(tx pgx.Tx) error {
					return outbox.Append(t.Context(), tx, stats(v+1, v))
				})
				require.NoError(t, err)
				tt.notify(t, pool)
				b.awaitPublished(t)
			}
		})
	}
}

func (b *bundle) anotherPool(t *testing.T) *postgres.Pool {
	t.Helper()
	pool, err := postgres.Open(t.Context(), b.pool.Config().ConnString())
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}
