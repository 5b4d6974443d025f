package natsapi_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/natsapi"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/migrations"
)

// Other services are asked while no connection to the database is in use. Without an answer nothing changes.
func TestTell_asks_before_the_transaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "notifications", migrations.FS)
	errAway := errors.New("records does not answer")
	boards := &leaderboards{t: t, pool: pool, err: errAway}
	var got effects
	handle := natsapi.Notify(pool, &notification.Notifier{
		Followers: annFollows{}, Maps: lookup.NewMaps(oneMap{}, nil), Leaderboards: boards,
	}, &got)
	deliver := func() error {
		return handle(t.Context(), event.RecordSubmittedSubject, message("1", submitted))
	}

	if err := deliver(); !errors.Is(err, errAway) || len(got) != 0 {
		t.Errorf("without an answer: %v, %d effects", err, len(got))
	}
	boards.err = nil
	for range 2 {
		require.NoError(t, deliver())
	}
	var receivers []string
	for _, effect := range got {
		for _, n := range effect.Notifications {
			receivers = append(receivers, n.ReceiverID+" "+string(n.Kind))
		}
	}
	want := []string{ann + " " + string(notification.RecordOnMyMap), ann + " " + string(notification.FollowedRecord)}
	require.Equal(t, "told", want, receivers)
	if boards.asked != 3 {
		t.Errorf("asked %d times, want once for each delivery", boards.asked)
	}
}

// annFollows is a notification.Followers: ann follows every player.
type annFollows struct{}

func (annFollows) FollowersOfPlayer(context.Context, string) ([]string, error) {
	return []string{ann}, nil
}

func (annFollows) FollowersOfMap(context.Context, int64) ([]string, error) { return nil, nil }

func (annFollows) Versions(context.Context, int64) ([]string, error) { return nil, nil }

// leaderboards is a notification.Leaderboards that fails the test when it is asked during a transaction.
type leaderboards struct {
	t     *testing.T
	pool  *postgres.Pool
	err   error
	asked int
}

func (l *leaderboards) Passed(context.Context, string, []string) ([]event.MovedPlayer, error) {
	l.asked++
	if n := l.pool.Stat().AcquiredConns(); n != 0 {
		l.t.Errorf("asked while %d connections to the database are in use", n)
	}
	return nil, l.err
}

func (l *leaderboards) Players(ctx context.Context, _ string) ([]string, error) {
	_, err := l.Passed(ctx, "", nil)
	return nil, err
}

// effects is a notification.EffectStore.
type effects []notification.Effect

func (e *effects) In(pgx.Tx) *effects { return e }

func (e *effects) Apply(_ context.Context, effect notification.Effect) error {
	*e = append(*e, effect)
	return nil
}

// oneMap is a lookup.MapCopies with a map of ann.
type oneMap struct{}

func (oneMap) Map(context.Context, string) (notification.Map, error) {
	return notification.Map{ID: mapID, Version: 1, GameMapID: 7, AuthorID: ann}, nil
}

func (oneMap) ApplyMap(context.Context, notification.Map) error { return nil }
