package natsapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/records/internal/natsapi"
	"capzone.dev/services/records/internal/record"
)

const id = "01970000-0000-7000-8000-000000000001"

func message(data string) event.Envelope {
	return event.Envelope{ID: "message", Data: json.RawMessage(data)}
}

func TestConsumers_ApplyState(t *testing.T) {
	t.Parallel()
	errAway := errors.New("the database is away")
	for _, tt := range []struct {
		name, subject, data string
		fail                error
		want                copies
		err                 error
	}{
		{"a map is applied", "state.v1.map." + id,
			`{"id":"` + id + `","version":3,"name":"Skyline","bonkDbId":7,"fingerprint":"f","medals":{"author":1,"gold":2,"silver":3,"bronze":4},"more":true}`, nil,
			copies{Maps: []record.Map{{ID: id, Version: 3, Name: "Skyline", GameMapID: 7, Fingerprint: "f",
				Medals: racetime.Medals{Author: 1, Gold: 2, Silver: 3, Bronze: 4}}}}, nil},
		{"a map without medals is applied", "state.v1.map." + id, `{"id":"` + id + `","version":1,"name":"Skyline"}`, nil,
			copies{Maps: []record.Map{{ID: id, Version: 1, Name: "Skyline"}}}, nil},
		{"of a tombstone, nothing but the version is", "state.v1.map." + id,
			`{"id":"` + id + `","version":4,"removed":true,"name":"left over"}`, nil,
			copies{Maps: []record.Map{{ID: id, Version: 4, Removed: true}}}, nil},
		{"a player is applied", "state.v1.player." + id,
			`{"id":"` + id + `","version":2,"name":"Ann","skinImageUrl":"/a","skinColor":"#000000","registered":true,"banned":true}`, nil,
			copies{Players: []record.Player{{ID: id, Version: 2, Name: "Ann", SkinImageURL: "/a", SkinColor: "#000000",
				Registered: true, Banned: true}}}, nil},
		{"a player who is gone is applied", "state.v1.player." + id, `{"id":"` + id + `","version":5,"removed":true}`, nil,
			copies{Players: []record.Player{{ID: id, Version: 5, Removed: true}}}, nil},
		{"what fails for now comes again", "state.v1.player." + id, `{"id":"` + id + `","version":2}`, errAway, copies{},
			errAway},
		{"what cannot be decoded ends", "state.v1.map." + id, `{"id":1}`, nil, copies{}, eventbus.ErrUndecodable},
		{"what has no version ends", "state.v1.map." + id, `{"id":"` + id + `"}`, nil, copies{}, eventbus.ErrUndecodable},
		{"what is about no id ends", "state.v1.player.x", `{"id":"x","version":1}`, nil, copies{}, eventbus.ErrUndecodable},
		{"what is not known ends", "state.v1.mapstats." + id, `{}`, nil, copies{}, eventbus.ErrUndecodable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := copies{fail: tt.fail}
			err := (&natsapi.Consumers{Maps: &got, Players: &got}).ApplyState(t.Context(), tt.subject, message(tt.data))
			if !errors.Is(err, tt.err) {
				t.Errorf("returned %v, want %v", err, tt.err)
			}
			got.fail = nil
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(copies{})); diff != "" {
				t.Errorf("applied (-want +got):\n%s", diff)
			}
		})
	}
}

// copies notes what it was given.
type copies struct {
	Maps    []record.Map
	Players []record.Player
	fail    error
}

func (c *copies) ApplyMap(_ context.Context, m record.Map) error {
	if c.fail == nil {
		c.Maps = append(c.Maps, m)
	}
	return c.fail
}

func (c *copies) ApplyPlayer(_ context.Context, p record.Player) error {
	if c.fail == nil {
		c.Players = append(c.Players, p)
	}
	return c.fail
}

// importer notes the record that it was given.
type importer struct {
	first record.FirstRecord
	fail  error
}

func (i *importer) Import(_ context.Context, first record.FirstRecord) error {
	i.first = first
	return i.fail
}

func TestConsumers_ImportRecord(t *testing.T) {
	t.Parallel()
	errAway := errors.New("storage is away")
	created := `{"mapId":"` + id + `","submittedById":"` + id + `","replayBucket":"b","replayKey":"k","replayHash":"h","finishTime":900,"finishTimeStamp":"2026-05-11T18:02:33.120Z"}`
	first := record.FirstRecord{
		MapID: id, PlayerID: id, Bucket: "b", Key: "k", ReplayHash: "h",
		FinishTimeStamp: time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC),
		Delivery:        record.Delivery{Consumer: "records-maps", ID: "message"},
	}
	for _, tt := range []struct {
		name, subject, data string
		fail                error
		want                record.FirstRecord
		err                 error
	}{
		{"the run of a new map is applied", event.MapCreatedSubject, created, nil, first, nil},
		{"what fails for now comes again", event.MapCreatedSubject, created, errAway, first, errAway},
		{"what is refused for good does not", event.MapCreatedSubject, created, record.ErrPlayerBanned, first, nil},
		{"what cannot be decoded ends", event.MapCreatedSubject, `[]`, nil, record.FirstRecord{}, eventbus.ErrUndecodable},
		{"what is about no id ends", event.MapCreatedSubject, `{"mapId":"m1","submittedById":"` + id + `"}`, nil,
			record.FirstRecord{}, eventbus.ErrUndecodable},
		{"what is not known ends", event.MapRemovedSubject, `{}`, nil, record.FirstRecord{}, eventbus.ErrUndecodable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := importer{fail: tt.fail}
			err := (&natsapi.Consumers{Importer: &got, Log: slog.New(slog.DiscardHandler)}).ImportRecord(t.Context(),
				tt.subject, message(tt.data))
			if !errors.Is(err, tt.err) {
				t.Errorf("returned %v, want %v", err, tt.err)
			}
			if diff := cmp.Diff(tt.want, got.first); diff != "" {
				t.Errorf("applied (-want +got):\n%s", diff)
			}
		})
	}
}
