package natsapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/lookup"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/natsapi"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/postgres"
	"capzone.dev/services/notifications/migrations"
)

const (
	ann      = "0198c2f4-0000-7000-8000-00000000000a"
	bob      = "0198c2f4-0000-7000-8000-00000000000b"
	mapID    = "0198c2f4-0000-7000-9000-000000000001"
	recordID = "0198c2f4-0000-7000-a000-000000000001"
)

func message(id, data string) event.Envelope {
	return event.Envelope{ID: id, Data: json.RawMessage(data)}
}

// newHandler returns the handler of facts with a map of ann in the copies, and its database. The owners are not asked.
func newHandler(t *testing.T) (eventbus.Handler, *platform.Pool) {
	t.Helper()
	pool := pgtest.Open(t, "notifications", migrations.FS)
	store := postgres.NewStore(pool)
	require.NoError(t, store.ApplyMap(t.Context(),
		notification.Map{ID: mapID, Version: 1, Name: "Skyline", GameMapID: 7, AuthorID: ann}))
	notifier := &notification.Notifier{Followers: store, Maps: lookup.NewMaps(store, nil), Now: time.Now}
	return natsapi.Notify(pool, notifier, store), pool
}

const submitted = `{"recordId":"` + recordID + `","mapId":"` + mapID + `","playerId":"` + bob + `","finishTime":41267,` +
	`"personalBest":true,"at":"2026-05-11T18:02:33.120Z"}`

func TestNotify(t *testing.T) {
	t.Parallel()
	handle, pool := newHandler(t)
	removed := `{"recordId":"` + recordID + `","mapId":"` + mapID + `","playerId":"` + bob + `","reason":"r"}`
	for _, tt := range []struct {
		name, subject, data string
		err                 error
	}{
		{"submitted", event.RecordSubmittedSubject, submitted, nil},
		{"removed", event.RecordRemovedSubject, removed, nil},
		{"restored", event.RecordRestoredSubject, removed, nil},
		{"hidden", event.RecordsHiddenSubject, `{"playerId":"` + bob + `"}`, nil},
		{"shown", event.RecordsShownSubject, `{"playerId":"` + bob + `"}`, nil},
		{"a new map", event.MapCreatedSubject, `{"mapId":"` + mapID + `","submittedById":"` + bob + `"}`, nil},
		{"not a fact", event.RecordSubmittedSubject, `[]`, eventbus.ErrUndecodable},
		{"a subject below that of a fact", event.RecordSubmittedSubject + ".x", submitted, eventbus.ErrUndecodable},
		{"an unknown subject", event.MapRemovedSubject, `{"mapId":"` + mapID + `"}`, eventbus.ErrUndecodable},
	} {
		if err := handle(t.Context(), tt.subject, message(tt.name, tt.data)); !errors.Is(err, tt.err) {
			t.Errorf("%s: returned %v, want %v", tt.name, err, tt.err)
		}
	}
	if n := pgtest.Value[int](t, pool, "select count(*) from inbox"); n != 5 { // nobody is told of the new map
		t.Errorf("%d messages had an effect, want 5", n)
	}
}

// A record that is removed while its player is hidden, or shown again, marks what was told of the hiding and showing.
func TestNotify_removed_and_hidden(t *testing.T) {
	t.Parallel()
	handle, pool := newHandler(t)
	store := postgres.NewStore(pool)
	for i, tt := range []struct {
		name  string
		steps []string
		want  map[notification.Kind]bool // whether it is marked
	}{
		{"removed, restored", []string{"remove", "restore"},
			map[notification.Kind]bool{notification.RecordRegained: true, notification.RecordLost: false}},
		{"hidden, removed, shown", []string{"hide", "remove hidden", "show nothing"},
			map[notification.Kind]bool{notification.RecordRegained: false}},
		{"hidden, removed, shown, restored", []string{"hide", "remove hidden", "show nothing", "restore"},
			map[notification.Kind]bool{notification.RecordRegained: true, notification.RecordLost: false}},
		{"hidden, removed, restored, shown", []string{"hide", "remove hidden", "restore hidden", "show"},
			map[notification.Kind]bool{notification.RecordRegained: true, notification.RecordLost: false}},
		{"hidden, shown, removed", []string{"hide", "show", "remove"},
			map[notification.Kind]bool{notification.RecordRegained: false, notification.RecordLost: true}},
		{"hidden, shown, another record removed", []string{"hide", "show", "remove own"},
			map[notification.Kind]bool{notification.RecordRegained: true, notification.RecordLost: false}},
	} {
		ids := playerIDs(10*i + 5)[10*i:]
		held := event.WorldRecord{RecordID: ids[0], PlayerID: ids[1], FinishTime: 42_000}
		own := event.WorldRecord{RecordID: ids[2], PlayerID: ids[3], FinishTime: 41_500}
		hidden := event.RecordsHidden{
			PlayerID: ids[3], WorldRecords: []event.MapWorldRecord{{MapID: mapID, WorldRecord: held}},
		}
		removed := event.RecordRemoved{RecordID: ids[4], MapID: mapID, PlayerID: ids[3], FinishTime: 41_000}
		for minute, step := range tt.steps {
			hidden.At = time.Date(2026, 5, 11, 18, minute, 0, 0, time.UTC)
			removed.At = hidden.At
			unchanged, moved, ofOwn := hidden, removed, removed
			unchanged.WorldRecords, moved.WorldRecord, ofOwn.WorldRecord = nil, &held, &own
			fact := map[string]event.Fact{
				"hide": hidden, "show": event.RecordsShown(hidden), "show nothing": event.RecordsShown(unchanged),
				"remove": moved, "restore": event.RecordRestored(moved), "remove own": ofOwn,
				"remove hidden": removed, "restore hidden": event.RecordRestored(removed),
			}[step]
			data, err := json.Marshal(fact)
			require.NoError(t, err)
			require.NoError(t, handle(t.Context(), fact.Subject(), message(tt.name+step, string(data))))
		}
		groups, err := store.Groups(t.Context(), ids[1], notification.Page{Limit: 9})
		got := map[notification.Kind]bool{}
		for _, g := range groups {
			got[g.Kind] = g.RemovedSince
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v, marked (-want +got):\n%s", tt.name, err, diff)
		}
	}
}

// Other services are asked while no connection to the database is in use. Without an answer nothing changes.
func TestNotify_asks_before_the_transaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "notifications", migrations.FS)
	errAway := errors.New("records does not answer")
	records := &idleRecords{t: t, pool: pool, err: errAway}
	var got effects
	handle := natsapi.Notify(pool, &notification.Notifier{
		Followers: annFollows{}, Maps: lookup.NewMaps(oneMap{}, nil), Records: records,
	}, &got)
	deliver := func() error {
		return handle(t.Context(), event.RecordSubmittedSubject, message("1", submitted))
	}

	if err := deliver(); !errors.Is(err, errAway) || len(got) != 0 {
		t.Errorf("without an answer: %v, %d effects", err, len(got))
	}
	records.err = nil
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
	require.Equal(t, "receivers", want, receivers)
	if records.asked != 3 {
		t.Errorf("asked %d times, want once for each delivery", records.asked)
	}
}

// annFollows is a notification.Followers: ann follows every player.
type annFollows struct{}

func (annFollows) FollowersOfPlayer(context.Context, string) ([]string, error) {
	return []string{ann}, nil
}

func (annFollows) FollowersOfMap(context.Context, int64) ([]string, error) { return nil, nil }

func (annFollows) Versions(context.Context, int64) ([]string, error) { return nil, nil }

// idleRecords is a notification.Records that fails the test when it is asked during a transaction.
type idleRecords struct {
	t     *testing.T
	pool  *platform.Pool
	err   error
	asked int
}

func (r *idleRecords) FindPassed(context.Context, string, []string) ([]event.MovedPlayer, error) {
	r.asked++
	if n := r.pool.Stat().AcquiredConns(); n != 0 {
		r.t.Errorf("asked while %d connections to the database are in use", n)
	}
	return nil, r.err
}

func (r *idleRecords) ListPlayers(ctx context.Context, _ string) ([]string, error) {
	_, err := r.FindPassed(ctx, "", nil)
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
