package natsapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/natsapi"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/migrations"
)

const (
	author   = "0198c2f4-0000-7000-8000-000000000001"
	player   = "0198c2f4-0000-7000-8000-000000000002"
	parkour  = "0198c2f4-0000-7000-8000-000000000101"
	recordID = "0198c2f4-0000-7000-8000-000000001001"
)

// followers is a notification.Followers: one player follows everybody.
type followers struct{}

func (followers) FollowersOfPlayer(context.Context, string) ([]string, error) {
	return []string{author}, nil
}

func (followers) FollowersOfMap(context.Context, int64) ([]string, error) { return nil, nil }

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

func (e *effects) Apply(_ context.Context, effect notification.Effect) error {
	*e = append(*e, effect)
	return nil
}

func TestTell(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "notifications", migrations.FS)
	errAway := errors.New("records does not answer")
	boards := &leaderboards{t: t, pool: pool, err: errAway}
	maps := notification.NewMaps(oneMap{}, func(context.Context, string) (notification.Map, error) {
		return notification.Map{}, notification.ErrMapUnknown
	})
	var got effects
	handle := natsapi.Tell(pool, &notification.Notifier{Followers: followers{}, Maps: maps, Leaderboards: boards},
		func(pgx.Tx) notification.EffectStore { return &got })
	submitted := `{"recordId":"` + recordID + `","mapId":"` + parkour + `","playerId":"` + player + `",` +
		`"finishTime":41267,"personalBest":true}`
	deliver := func(id, subject, data string) error {
		return handle(t.Context(), subject, event.Envelope{ID: id, Data: json.RawMessage(data)})
	}

	if err := deliver("1", event.RecordSubmittedSubject, submitted); !errors.Is(err, errAway) || len(got) != 0 {
		t.Errorf("without an answer: %v, %d effects", err, len(got))
	}
	boards.err = nil
	for range 2 {
		if err := deliver("1", event.RecordSubmittedSubject, submitted); err != nil {
			t.Error(err)
		}
	}
	want := effects{{Notifications: []notification.Notification{{
		ReceiverID: author, Kind: notification.RecordOnMyMap, CauseID: recordID, SubjectID: parkour, PlayerID: player,
		MapID: parkour, RecordID: recordID, FinishTime: 41267,
	}}}}
	if diff := cmp.Diff(want, got); diff != "" || boards.asked != 3 {
		t.Errorf("effects after %d requests (-want +got):\n%s", boards.asked, diff)
	}

	for name, message := range map[string]struct{ subject, data string }{
		"no fact":                   {event.RecordSubmittedSubject, `[]`},
		"a record without an id":    {event.RecordSubmittedSubject, `{"personalBest":true}`},
		"a removal without an id":   {event.RecordRemovedSubject, `{}`},
		"a restoration without one": {event.RecordRestoredSubject, `{"recordId":"r"}`},
		"a hidden player":           {event.RecordsHiddenSubject, `{"playerId":"p"}`},
		"a shown player":            {event.RecordsShownSubject, `{}`},
		"a map without an id":       {event.MapCreatedSubject, `{}`},
		"an unknown subject":        {event.PlayerBannedSubject, `{}`},
		"an earlier version that is none": {
			event.MapCreatedSubject, `{"mapId":"` + parkour + `","submittedById":"` + player + `","supersededId":"s"}`,
		},
	} {
		if err := deliver(name, message.subject, message.data); !errors.Is(err, eventbus.ErrUndecodable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(got) != 1 {
		t.Errorf("%d effects", len(got))
	}
}

// oneMap is a notification.MapCopies with one map.
type oneMap struct{}

func (oneMap) Map(context.Context, string) (notification.Map, error) {
	return notification.Map{ID: parkour, Version: 1, GameMapID: 7, AuthorID: author}, nil
}

func (oneMap) ApplyMap(context.Context, notification.Map) error { return nil }
