package eventbus_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
)

// effects opens a database with a table in which handlers leave their effects, one row each.
func effects(t *testing.T) *postgres.Pool {
	t.Helper()
	pool := pgtest.OpenPlatform(t)
	pgtest.Exec(t, pool, "create table effects (id text not null)")
	return pool
}

func insertEffect(ctx context.Context, tx pgx.Tx, id string) error {
	_, err := tx.Exec(ctx, "insert into effects values ($1)", id)
	return err
}

func insertedEffects(t *testing.T, pool *postgres.Pool) []string {
	t.Helper()
	type row struct{ ID string }
	var ids []string
	for _, r := range pgtest.Rows[row](t, pool, "select id from effects order by id") {
		ids = append(ids, r.ID)
	}
	return ids
}

var errAway = errors.New("the storage is unavailable")

func TestConsumeFact(t *testing.T) {
	t.Parallel()
	pool := effects(t)
	var away atomic.Bool
	effect := func(ctx context.Context, tx pgx.Tx, f event.MapRemoved) error {
		if err := insertEffect(ctx, tx, f.MapID); err != nil || !away.Load() {
			return err
		}
		return errAway
	}
	handle := eventbus.ConsumeFact(pool, event.RecordsMaps, effect)
	message := func(id, mapID string) event.Envelope {
		return event.Envelope{ID: id, Data: []byte(`{"mapId":"` + mapID + `"}`)}
	}
	for _, tt := range []struct {
		name    string
		subject string
		message event.Envelope
		away    bool
		want    error
	}{
		{"rolled back", event.MapRemovedSubject, message("1", "m1"), true, errAway},
		{"delivered again", event.MapRemovedSubject, message("1", "m1"), false, nil},
		{"a duplicate", event.MapRemovedSubject, message("1", "m1"), false, nil},
		{"a duplicate has no effect that could fail", event.MapRemovedSubject, message("1", "m1"), true, nil},
		{"another message", event.MapRemovedSubject, message("2", "m2"), false, nil},
		{"another subject", event.MapCreatedSubject, message("3", "m3"), false, eventbus.ErrUndecodable},
		{"another type", event.MapRemovedSubject, event.Envelope{ID: "4", Data: []byte(`[]`)}, false, eventbus.ErrUndecodable},
	} {
		away.Store(tt.away)
		if err := handle(t.Context(), tt.subject, tt.message); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	assert.Equal(t, "effects", []string{"m1", "m2"}, insertedEffects(t, pool))
}

// The database refuses an id that is none with the SQLSTATE of which TestConsume_redelivers_failed_messages_only shows
// that the message is not delivered again.
func TestConsumeFact_malformed_id(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	pgtest.Exec(t, pool, "create table maps (id uuid not null)")
	handle := eventbus.ConsumeFact(pool, event.RecordsMaps,
		func(ctx context.Context, tx pgx.Tx, f event.MapRemoved) error {
			_, err := tx.Exec(ctx, "insert into maps select unnest(@ids::uuid[])", pgx.NamedArgs{"ids": []string{f.MapID}})
			if err == nil {
				_, err = tx.Exec(ctx, "insert into maps values (@id)", pgx.NamedArgs{"id": f.MapID})
			}
			return postgres.Wrap(err, "remove a map")
		})
	for mapID, isID := range map[string]bool{"0198c0de-0000-7000-8000-000000000001": true, "m1": false, "": false} {
		err := handle(t.Context(), event.MapRemovedSubject, enveloped(t, "of "+mapID, event.MapRemoved{MapID: mapID}))
		refused, ok := errors.AsType[*pgconn.PgError](err)
		if isID && err != nil || !isID && (!ok || refused.Code != "22P02") {
			t.Errorf("%q: %v", mapID, err)
		}
	}
	if n := pgtest.Value[int](t, pool, "select count(*) from inbox"); n != 1 {
		t.Errorf("%d facts had an effect, want 1", n)
	}
}

// What is prepared holds no connection to the database, and its errors leave nothing.
func TestConsumePreparedFact(t *testing.T) {
	t.Parallel()
	pool := effects(t)
	var prepareErr error
	prepared := 0
	handle := eventbus.ConsumePreparedFact(pool, event.RecordsMaps,
		func(_ context.Context, f event.MapRemoved) (*string, error) {
			prepared++
			if n := pool.Stat().AcquiredConns(); n != 0 {
				t.Errorf("%d connections are in use", n)
			}
			effect := "prepared " + f.MapID
			return &effect, prepareErr
		},
		func(ctx context.Context, tx pgx.Tx, effect *string) error { return insertEffect(ctx, tx, *effect) })
	message := event.Envelope{ID: "1", Data: []byte(`{"mapId":"m1"}`)}
	for _, tt := range []struct {
		name    string
		subject string
		err     error
		want    error
	}{
		{"another subject", event.MapCreatedSubject, nil, eventbus.ErrUndecodable},
		{"a failure", event.MapRemovedSubject, errAway, errAway},
		{"delivered again", event.MapRemovedSubject, nil, nil},
		{"a duplicate", event.MapRemovedSubject, nil, nil},
	} {
		prepareErr = tt.err
		if err := handle(t.Context(), tt.subject, message); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	if diff := cmp.Diff([]string{"prepared m1"}, insertedEffects(t, pool)); diff != "" || prepared != 3 {
		t.Errorf("effects after %d preparations (-want +got):\n%s", prepared, diff)
	}
}

// A fact without an effect is acknowledged without a transaction: its id is not in the inbox.
func TestConsumePreparedFact_without_effect(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	handle := eventbus.ConsumePreparedFact(pool, event.RecordsMaps,
		func(context.Context, event.MapRemoved) (*string, error) { return nil, nil },
		func(context.Context, pgx.Tx, *string) error { return errAway })
	message := event.Envelope{ID: "1", Data: []byte(`{"mapId":"m1"}`)}
	require.NoError(t, handle(t.Context(), event.MapRemovedSubject, message))
	type row struct{ ID string }
	assert.Equal(t, "inbox", []row{}, pgtest.Rows[row](t, pool, "select id from inbox"))
}

// Two replicas get one message at the same time.
func TestConsumeFact_concurrent_deliveries(t *testing.T) {
	t.Parallel()
	pool := effects(t)
	handle := eventbus.ConsumeFact(pool, event.RecordsMaps,
		func(ctx context.Context, tx pgx.Tx, f event.MapRemoved) error { return insertEffect(ctx, tx, f.MapID) })
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			e := event.Envelope{ID: "1", Data: []byte(`{"mapId":"m1"}`)}
			if err := handle(t.Context(), event.MapRemovedSubject, e); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	assert.Equal(t, "effects", []string{"m1"}, insertedEffects(t, pool))
}

var byModerator = access.Attribution{
	Actor: access.Player("p1", "cloudstep", []string{access.Moderator}), Reason: "two accounts",
	PublicReason: access.AltAccount, DecisionID: "0198c0de-0000-7000-8000-000000000001",
}

// What is prepared holds no connection to the database. A refusal of the preparation is one of the command.
func TestConsumeCommand(t *testing.T) {
	t.Parallel()
	pool := effects(t)
	errBanned := problem.Conflict("banned_already", "The player is banned already.")
	var prepareErr, effectErr error
	handle := eventbus.ConsumeCommand(pool, event.PlayersCommands,
		func(_ context.Context, c event.BanPlayer) (string, error) {
			if n := pool.Stat().AcquiredConns(); n != 0 {
				t.Errorf("%d connections are in use", n)
			}
			return "prepared " + c.PlayerID, prepareErr
		},
		func(ctx context.Context, tx pgx.Tx, prepared string) error {
			return errors.Join(insertEffect(ctx, tx, prepared), effectErr)
		})
	first, second := byModerator.DecisionID, "0198c0de-0000-7000-8000-000000000002"
	for _, tt := range []struct {
		name, messageID, decision, player string
		prepareErr, effectErr, want       error
	}{
		{"not prepared", "1", first, "p2", errAway, nil, errAway},
		{"away", "1", first, "p2", nil, errAway, errAway},
		{"delivered again", "1", first, "p2", nil, nil, nil},
		{"a duplicate", "1", first, "p2", nil, errBanned, nil},
		{"a duplicate that would be refused", "1", first, "p2", access.ErrForbidden, nil, nil},
		{"sent twice", "2", first, "p2", nil, errBanned, nil},
		{"for another player", "3", first, "p3", nil, nil, nil},
		{"refused", "4", second, "p2", nil, errBanned, nil},
		{"refused, delivered again", "4", second, "p2", nil, errBanned, nil},
		{"refused before", "5", second, "p3", access.ErrForbidden, nil, nil},
		{"refused before, delivered again", "5", second, "p3", access.ErrForbidden, nil, nil},
		{"of no decision", "6", "", "p4", nil, nil, eventbus.ErrUndecodable},
	} {
		prepareErr, effectErr = tt.prepareErr, tt.effectErr
		by := byModerator
		by.DecisionID = tt.decision
		command := enveloped(t, tt.messageID, event.BanPlayer{Attribution: by, PlayerID: tt.player})
		if err := handle(t.Context(), event.BanPlayerSubject, command); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	assert.Equal(t, "effects", []string{"prepared p2", "prepared p3"}, insertedEffects(t, pool))
	var refused []event.CommandRefused
	for _, m := range outboxtest.All(t, pool) {
		refused = append(refused, outboxtest.Data[event.CommandRefused](t, m))
	}
	refusal := func(player string, err *problem.Problem) event.CommandRefused {
		return event.CommandRefused{
			DecisionID: second, Command: event.BanPlayerSubject, TargetID: player, Code: err.Code, Message: err.Message,
		}
	}
	assert.Equal(t, "refusals",
		[]event.CommandRefused{refusal("p2", errBanned), refusal("p3", access.ErrForbidden)}, refused)
}

// setAckWait has the server deliver an unacknowledged message again after a time.
func (b *bundle) setAckWait(t *testing.T, c event.Consumer, wait time.Duration) {
	t.Helper()
	stored, err := b.js.Consumer(t.Context(), c.Stream, c.Name)
	require.NoError(t, err)
	cfg := stored.CachedInfo().Config
	cfg.AckWait = wait
	_, err = b.js.UpdateConsumer(t.Context(), c.Stream, cfg)
	require.NoError(t, err)
}

func enveloped(t *testing.T, id string, data any) event.Envelope {
	t.Helper()
	return event.Envelope{ID: id, At: time.Now(), Data: marshal(t, data)}
}
