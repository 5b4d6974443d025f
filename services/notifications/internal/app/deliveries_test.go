package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/notifications/internal/natsapi"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/postgres"
)

// A fact is delivered again until everybody who is asked about it answers.
func TestConsumer_owner_away(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, subject string
		kind          string
		fact          func(b *bundle, m event.MapState, follower, best event.PlayerState) event.Fact
	}{
		{"the maps service", event.GetMapSubject, "followed_record",
			func(b *bundle, _ event.MapState, _, best event.PlayerState) event.Fact {
				return submitted(b.newMap("not copied", best), best)
			}},
		{"the records service, asked who was passed", event.FindPassedSubject, "passed",
			func(b *bundle, m event.MapState, follower, best event.PlayerState) event.Fact {
				fact := submitted(m, best)
				b.setPassed(fact.RecordID, moved(follower, 20))
				return fact
			}},
		{"the records service, asked who has a personal best", event.ListPlayersSubject, "map_new_version",
			func(b *bundle, m event.MapState, follower, best event.PlayerState) event.Fact {
				b.setPlayers(m.ID, follower.ID)
				return event.MapCreated{MapID: b.newVersion(m).ID, SubmittedByID: best.ID, SupersededID: m.ID}
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			follower, best := b.newPlayer("follower"), b.newPlayer("best")
			m := b.newMap("Skyline Run", best)
			b.publish(m)
			b.put(follower, "/follows/players/"+best.ID)
			fact := tt.fact(b, m, follower, best)
			b.owners.stops[tt.subject]()
			require.NoError(t, b.PublishFact(t.Context(), newID(), fact))
			b.awaitDeliveries(event.NotificationsFacts, 2)
			if got := b.kinds(follower); len(got) > 0 || b.count("select count(*) from inbox where consumer = 'notifications-facts'") > 0 {
				t.Errorf("told of %q before", got)
			}
			b.owners.start(t, b.NATS)
			natstest.AwaitSettled(t, b.JetStream, event.NotificationsFacts)
			if g := b.only(follower); g.Kind != tt.kind || g.Count != 1 || len(b.added()) != 1 {
				t.Errorf("told %+v, published %+v", g, b.added())
			}
		})
	}
}

// awaitDeliveries waits until a consumer has delivered messages so often.
func (b *bundle) awaitDeliveries(c event.Consumer, least uint64) {
	b.t.Helper()
	eventually.WaitFor(b.t, "deliveries", func() bool {
		consumer, err := b.JetStream.Consumer(b.t.Context(), c.Stream, c.Name)
		require.NoError(b.t, err)
		return consumer.CachedInfo().Delivered.Consumer >= least
	})
}

func TestAPI_owner_away(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, joe := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("joe")
	m := b.newMap("Skyline Run", bob)
	b.publish(ann, bob)
	for _, stop := range b.owners.stops {
		stop()
	}
	for path, status := range map[string]int{
		"/follows/players/" + bob.ID: http.StatusNoContent,
		"/follows/players/" + joe.ID: http.StatusServiceUnavailable,
		"/follows/maps/" + m.ID:      http.StatusServiceUnavailable,
	} {
		if a := b.do(ann, http.MethodPut, path, nil); a.Status != status {
			t.Errorf("PUT %s: %d %s, want %d", path, a.Status, a.Raw, status)
		}
	}
	if n := b.unread(ann); n != 0 || len(b.inbox(ann, "")) > 0 {
		t.Errorf("%d are unread", n)
	}
}

// kills is how often a process is killed between the commit of a fact's effect and its acknowledgement.
const kills = 100

// A process that is killed after a commit never acknowledges. The message is delivered to the next process, and at
// last to the service, which adds nothing.
func TestConsumer_killed_before_the_acknowledgement(t *testing.T) {
	t.Parallel()
	b := prepare(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", ann)
	b.redeliverSoon(event.NotificationsFacts)
	want := map[string]int{}
	for range kills {
		fact := submitted(m, bob)
		want[fact.RecordID] = 1
		require.NoError(t, b.PublishFact(t.Context(), newID(), fact))
	}
	var again atomic.Int64
	for range kills {
		b.tellUntilKilled(&again)
	}
	if again.Load() == 0 {
		t.Error("no message was delivered twice")
	}
	b.URL, b.OpsURL = b.startReplica()
	natstest.AwaitSettled(t, b.JetStream, event.NotificationsFacts)

	got := map[string]int{}
	rows, err := b.Pool.Query(t.Context(), "select cause_id::text from notifications where receiver_id = $1", ann.ID)
	require.NoError(t, err)
	causes, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	for _, cause := range causes {
		got[cause]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notifications by cause (-want +got):\n%s", diff)
	}
	if g := b.only(ann); g.ID != "100" || g.Count != kills {
		t.Errorf("the inbox has %+v", g)
	}
	b.wantPublished(kills)
}

// wantPublished waits until everything is published, and fails the test unless notifications were added so often.
func (b *bundle) wantPublished(want int) {
	b.t.Helper()
	eventually.WaitFor(b.t, "the relay", func() bool {
		return b.count("select count(*) from outbox where published_at is null") == 0
	})
	stream, err := b.JetStream.Stream(b.t.Context(), event.FactsStream.Name)
	require.NoError(b.t, err)
	info, err := stream.Info(b.t.Context(), jetstream.WithSubjectFilter(event.NotificationsAddedSubject))
	require.NoError(b.t, err)
	onStream := int(info.State.Subjects[event.NotificationsAddedSubject])
	if added := len(b.added()); added != want || onStream != want {
		b.t.Errorf("%d facts were appended and %d published, want %d", added, onStream, want)
	}
}

// While NATS is away inboxes are read, and settings and follows changed. Afterwards each fact is told once.
func TestService_NATS_away(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", ann)
	b.publish(ann, bob, m)
	b.tell(submitted(m, bob))

	b.NATSServer.Stop()
	if g := b.only(ann); g.Kind != "record_on_my_map" || b.unread(ann) != 1 {
		t.Errorf("without NATS the inbox has %+v", g)
	}
	if a := b.do(ann, http.MethodPost, "/inbox/read", map[string]string{"through": "1"}); a.Status != http.StatusOK {
		t.Errorf("without NATS: %d %s", a.Status, a.Raw)
	}
	b.put(bob, "/follows/players/"+ann.ID)
	b.NATSServer.Restart()

	const facts = 20
	for range facts {
		id, fact := newID(), submitted(m, bob)
		eventually.WaitFor(t, "NATS", func() bool { return b.PublishFact(t.Context(), id, fact) == nil })
		require.NoError(t, b.PublishFact(t.Context(), id, fact)) // as a relay whose acknowledgement was lost
	}
	natstest.AwaitSettled(t, b.JetStream, event.NotificationsFacts)
	if groups := b.inbox(ann, "?unread=true"); len(groups) != 1 || groups[0].Count != facts {
		t.Errorf("after NATS is back the inbox has %+v", groups)
	}
	if n := b.count("select count(distinct cause_id) from notifications"); n != 1+facts {
		t.Errorf("players were told of %d records, want %d", n, 1+facts)
	}
	b.wantPublished(1 + facts)
}

// A service that was stopped and started again tells nothing again, and misses nothing of what has happened meanwhile.
func TestService_stopped_and_started(t *testing.T) {
	t.Parallel()
	b := prepare(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	m := b.newMap("Skyline Run", ann)
	const rounds, facts = 3, 10
	for round := range rounds {
		t.Run(fmt.Sprint("start ", round+1), func(t *testing.T) {
			replica := *b
			replica.t = t
			for range facts / 2 {
				require.NoError(t, b.PublishFact(t.Context(), newID(), submitted(m, bob)))
			}
			replica.URL, replica.OpsURL = replica.startReplica() // until the subtest ends
			for range facts / 2 {
				require.NoError(t, b.PublishFact(t.Context(), newID(), submitted(m, bob)))
			}
			natstest.AwaitSettled(t, b.JetStream, event.NotificationsFacts)
			if g := replica.only(ann); g.Count != (round+1)*facts || replica.unread(ann) != 1 {
				t.Errorf("the inbox has %+v", g)
			}
			replica.wantPublished((round + 1) * facts)
		})
	}
}

// redeliverSoon has the server deliver an unacknowledged message again after a moment.
func (b *bundle) redeliverSoon(c event.Consumer) {
	b.t.Helper()
	stored, err := b.JetStream.Consumer(b.t.Context(), c.Stream, c.Name)
	require.NoError(b.t, err)
	cfg := stored.CachedInfo().Config
	cfg.AckWait = 50 * time.Millisecond
	_, err = b.JetStream.UpdateConsumer(b.t.Context(), c.Stream, cfg)
	require.NoError(b.t, err)
}

// tellUntilKilled runs a process that loses its connection to NATS as soon as it has handled one fact, and so
// acknowledges nothing. It counts the facts that were delivered before.
func (b *bundle) tellUntilKilled(again *atomic.Int64) {
	b.t.Helper()
	nc, js := b.NATSServer.Connect()
	ctx, cancel := context.WithCancel(b.t.Context())
	defer cancel()
	handle := eventbus.Enveloped(b.handler(b.NATS))
	var once sync.Once
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = eventbus.Consume(ctx, js, event.NotificationsFacts, func(ctx context.Context, msg jetstream.Msg) error {
			if meta, err := msg.Metadata(); err == nil && meta.NumDelivered > 1 {
				again.Add(1)
			}
			err := handle(ctx, msg)
			once.Do(func() { nc.Close(); cancel() })
			return err
		}, slog.New(slog.DiscardHandler))
	}()
	<-done
}

// handler returns the handler of facts, as the service has it.
func (b *bundle) handler(nc *nats.Conn) eventbus.Handler {
	store := postgres.NewStore(b.Pool)
	maps := notification.NewMaps(store, natsapi.AskMaps(nc))
	notifier := &notification.Notifier{
		Followers: store, Maps: maps, Leaderboards: &natsapi.Leaderboards{NATS: nc}, Now: time.Now,
	}
	return natsapi.Tell(b.Pool, notifier, func(tx pgx.Tx) notification.EffectStore { return store.In(tx) })
}
