package natsapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/natsapi"
	"capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

const id = "01970000-0000-7000-8000-000000000001"

func message(data string) event.Envelope {
	return event.Envelope{ID: "message", Data: json.RawMessage(data)}
}

func TestApplyCopies(t *testing.T) {
	t.Parallel()
	const ofMap, ofPlayer = "state.v1.map." + id, "state.v1.player." + id
	for _, tt := range []struct {
		name, subject, data string
		want                copies
		err                 error
	}{
		{
			"a map", ofMap, `{"id":"` + id + `","version":3,"name":"Skyline","bonkDbId":7,"fingerprint":"f",` +
				`"medals":{"author":1,"gold":2,"silver":3,"bronze":4},` +
				`"mapVersion":2,"superseded":true,"unranked":true,"pictureBucket":"b","pictureKey":"k"}`,
			copies{Maps: []record.Map{{
				ID: id, Version: 3, Name: "Skyline", GameMapID: 7, MapVersion: 2, Superseded: true, Unranked: true,
				Fingerprint: "f",
				Picture:     record.StoredFile{Bucket: "b", Key: "k"},
				Medals:      racetime.Medals{Author: 1, Gold: 2, Silver: 3, Bronze: 4},
			}}}, nil,
		},
		{
			"a map without medals", ofMap, `{"id":"` + id + `","version":1,"mapVersion":1,"name":"Skyline"}`,
			copies{Maps: []record.Map{{ID: id, Version: 1, Name: "Skyline", MapVersion: 1}}}, nil,
		},
		{
			"a removed map", ofMap, `{"id":"` + id + `","version":4,"removed":true,"name":"ignored"}`,
			copies{Maps: []record.Map{{ID: id, Version: 4, Removed: true}}}, nil,
		},
		{
			"a player", ofPlayer, `{"id":"` + id + `","version":2,"name":"Ann","registered":true,"banned":true}`,
			copies{Players: []record.Player{{ID: id, Version: 2, Name: "Ann", Registered: true, Banned: true}}}, nil,
		},
		{"a map without a version", ofMap, `{"id":"` + id + `"}`, copies{}, eventbus.ErrUndecodable},
		{"an unknown subject", "state.v1.mapstats." + id, `{}`, copies{}, eventbus.ErrUndecodable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got copies
			if err := natsapi.ApplyCopies(&got)(t.Context(), tt.subject, message(tt.data)); !errors.Is(err, tt.err) {
				t.Errorf("returned %v, want %v", err, tt.err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("applied (-want +got):\n%s", diff)
			}
		})
	}
}

// copies records what it was given.
type copies struct {
	Maps    []record.Map
	Players []record.Player
}

func (c *copies) ApplyMap(_ context.Context, m record.Map) error {
	c.Maps = append(c.Maps, m)
	return nil
}

func (c *copies) ApplyPlayer(_ context.Context, p record.Player) error {
	c.Players = append(c.Players, p)
	return nil
}

func TestSubmitMapReplays(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "records", migrations.FS)
	store := postgres.NewStore(pool)
	errAway := errors.New("storage is away")
	created := `{"mapId":"` + id + `","submittedById":"` + id + `","replayBucket":"b","replayKey":"k","replayHash":"h",` +
		`"finishTime":900,"finishTimeStamp":"2026-05-11T18:02:33.120Z"}`
	newMap := record.MapReplay{
		MapID: id, PlayerID: id, Bucket: "b", Key: "k", ReplayHash: "h",
		FinishTimeStamp: time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC),
	}
	update := newMap
	update.IsUpdate = true
	for _, tt := range []struct {
		name, subject, data string
		fail                error
		want                record.MapReplay
		err                 error
	}{
		{"a new map", event.MapCreatedSubject, created, nil, newMap, nil},
		{"an update", event.MapUpdatedSubject, created, nil, update, nil},
		{"an outage", event.MapCreatedSubject, created, errAway, newMap, errAway},
		{"a permanent refusal", event.MapCreatedSubject, created, record.ErrReplayNotYours, newMap, nil},
		{"not a fact", event.MapCreatedSubject, `[]`, nil, record.MapReplay{}, eventbus.ErrUndecodable},
		{"an unknown subject", event.MapRemovedSubject, `{}`, nil, record.MapReplay{}, eventbus.ErrUndecodable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got record.MapReplay
			prepare := func(_ context.Context, of record.MapReplay) (*record.PreparedMapReplay, error) {
				got = of
				if problem.IsPermanent(tt.fail) {
					return &record.PreparedMapReplay{Replay: of, Refused: tt.fail}, nil
				}
				return &record.PreparedMapReplay{Replay: of}, tt.fail
			}
			handle := natsapi.SubmitMapReplays(pool, prepare, store, slog.New(slog.DiscardHandler))
			e := message(tt.data)
			e.ID = tt.name
			if err := handle(t.Context(), tt.subject, e); !errors.Is(err, tt.err) {
				t.Errorf("returned %v, want %v", err, tt.err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("applied (-want +got):\n%s", diff)
			}
		})
	}
}

const (
	mapID       = "01970000-0000-7000-8000-00000000000a"
	recordID    = "01970000-0000-7000-8000-00000000000b"
	moderatorID = "01970000-0000-7000-8000-00000000000c"
)

func moderator(store *postgres.Store) *record.Moderator {
	return &record.Moderator{Records: store, Players: lookup.NewPlayers(store, store.Player), Now: time.Now}
}

// Each command is delivered twice and has one effect, or is refused once. The roles are those that the moderator
// has now.
func TestCarryOut(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "records", migrations.FS)
	store := postgres.NewStore(pool)
	apply := func(p record.Player) { require.NoError(t, store.ApplyPlayer(t.Context(), p)) }
	apply(record.Player{ID: id, Version: 1, Name: "Ann"})
	apply(record.Player{ID: moderatorID, Version: 1, Name: "Mod", Roles: []string{access.Moderator}})
	require.NoError(t, store.ApplyMap(t.Context(), record.Map{ID: mapID, Version: 1, Name: "Skyline"}))
	at := time.Date(2026, 5, 11, 18, 2, 33, 0, time.UTC)
	upload := pgtest.PendingUpload(t, pool, "replays/any.lbReplay")
	_, err := store.Submit(t.Context(), record.Accepted{Replay: upload, Record: record.Record{
		ID: recordID, MapID: mapID, PlayerID: id, FinishTime: 900, FinishTimeStamp: at, ReplayHash: "h", CreatedAt: at,
	}})
	require.NoError(t, err)
	handle := natsapi.CarryOut(pool, moderator(store), store)
	decisions := 0
	by := func() access.Attribution {
		decisions++
		return access.Attribution{
			// The command was sent while the actor had the role.
			Actor: access.Player(moderatorID, "Mod", []string{access.Moderator}), Reason: "edited",
			DecisionID: fmt.Sprintf("01970000-0000-7000-8000-%012d", 100+decisions),
		}
	}
	for _, tt := range []struct {
		name    string
		command event.Command
		before  func()
		subject string // of the fact
		code    string // of a refusal
	}{
		{"remove", event.RemoveRecord{Attribution: by(), RecordID: recordID}, nil, event.RecordRemovedSubject, ""},
		{"remove again", event.RemoveRecord{Attribution: by(), RecordID: recordID}, nil, event.CommandRefusedSubject,
			"already_removed"},
		{"restore", event.RestoreRecord{Attribution: by(), RecordID: recordID}, nil, event.RecordRestoredSubject, ""},
		{"hide", event.HidePlayer{Attribution: by(), PlayerID: id}, nil, event.RecordsHiddenSubject, ""},
		{"show", event.ShowPlayer{Attribution: by(), PlayerID: id}, nil, event.RecordsShownSubject, ""},
		{"hide an unknown player", event.HidePlayer{Attribution: by(), PlayerID: mapID}, nil, event.CommandRefusedSubject,
			"player_unknown"},
		{"remove with a role that was revoked", event.RemoveRecord{Attribution: by(), RecordID: recordID},
			func() { apply(record.Player{ID: moderatorID, Version: 2, Name: "Mod"}) }, event.CommandRefusedSubject,
			"not_allowed"},
	} {
		if tt.before != nil {
			tt.before()
		}
		data, err := json.Marshal(tt.command)
		require.NoError(t, err)
		earlier := len(outboxtest.All(t, pool))
		for range 2 {
			if err := handle(t.Context(), tt.command.Subject(), message(string(data))); err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
		}
		var decided []string
		for _, m := range outboxtest.All(t, pool)[earlier:] {
			var fact struct{ DecisionID, Code string }
			if m.Subject != tt.subject {
				continue
			}
			require.NoError(t, json.Unmarshal(m.Envelope.Data, &fact))
			decided = append(decided, fact.DecisionID+" "+fact.Code)
		}
		if diff := cmp.Diff([]string{tt.command.By().DecisionID + " " + tt.code}, decided); diff != "" {
			t.Errorf("%s: facts on %s (-want +got):\n%s", tt.name, tt.subject, diff)
		}
	}
	if n := pgtest.Value[int](t, pool, "select count(*) from audit where actor = $1", moderatorID); n != 4 {
		t.Errorf("%d audit rows, want 4", n)
	}
}

// A player whose records were shown and then hidden stays hidden, also where the first command fails at first.
func TestCarryOut_in_order(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "records", migrations.FS)
	store := postgres.NewStore(pool)
	require.NoError(t, store.ApplyPlayer(t.Context(), record.Player{ID: id, Version: 1, Name: "Ann"}))
	by := func(decision string) access.Attribution {
		return access.Attribution{Actor: access.System("moderation"), Reason: "a test", DecisionID: decision}
	}
	hide := record.Moderation{Action: access.HidePlayer, PlayerID: id, By: by(recordID), At: time.Now()}
	require.NoError(t, store.ModeratePlayer(t.Context(), hide))
	_, js := natstest.Start(t).Provision()
	for i, command := range []event.Command{
		event.ShowPlayer{Attribution: by("01970000-0000-7000-8000-000000000101"), PlayerID: id},
		event.HidePlayer{Attribution: by("01970000-0000-7000-8000-000000000102"), PlayerID: id},
	} {
		data, err := json.Marshal(command)
		require.NoError(t, err)
		body, err := json.Marshal(event.Envelope{ID: fmt.Sprintf("command %d", i), Data: data})
		require.NoError(t, err)
		_, err = js.Publish(t.Context(), command.Subject(), body)
		require.NoError(t, err)
	}
	carryOut := eventbus.Enveloped(natsapi.CarryOut(pool, moderator(store), store))
	var failed atomic.Bool
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = eventbus.Consume(ctx, js, event.RecordsCommands, func(ctx context.Context, msg jetstream.Msg) error {
			if msg.Subject() == event.ShowPlayerSubject && failed.CompareAndSwap(false, true) {
				return errors.New("the database is unavailable")
			}
			return carryOut(ctx, msg)
		}, slog.New(slog.DiscardHandler))
	}()
	natstest.AwaitSettled(t, js, event.RecordsCommands)
	cancel()
	<-done
	if !pgtest.Value[bool](t, pool, "select hidden from player_totals where player_id = $1", id) {
		t.Error("the records of a player are public who was hidden last")
	}
}
