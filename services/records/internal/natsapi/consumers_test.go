package natsapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
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

// mapReplays notes what it was given.
type mapReplays struct {
	replay record.MapReplay
	fail   error
}

func (f *mapReplays) Prepare(_ context.Context, replay record.MapReplay) (*record.PreparedMapReplay, error) {
	f.replay = replay
	if problem.IsPermanent(f.fail) {
		return &record.PreparedMapReplay{Replay: replay, Refused: f.fail}, nil
	}
	return &record.PreparedMapReplay{Replay: replay}, f.fail
}

func (f *mapReplays) Submit(_ context.Context, _ record.SubmissionStore, prepared *record.PreparedMapReplay) error {
	return prepared.Refused
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
			got := mapReplays{fail: tt.fail}
			handle := natsapi.SubmitMapReplays(pool, &got, store, slog.New(slog.DiscardHandler))
			e := message(tt.data)
			e.ID = tt.name
			if err := handle(t.Context(), tt.subject, e); !errors.Is(err, tt.err) {
				t.Errorf("returned %v, want %v", err, tt.err)
			}
			if diff := cmp.Diff(tt.want, got.replay); diff != "" {
				t.Errorf("applied (-want +got):\n%s", diff)
			}
		})
	}
}
