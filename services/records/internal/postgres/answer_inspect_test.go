package postgres_test

import (
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// A record is inspected with the rows next to it, the player's finishes next to it, and what is like it.
func TestStore_InspectRecord(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, other := w.newMap("m", racetime.Medals{}), w.newMap("other", racetime.Medals{})
	ann, bob, cid := w.newPlayer("ann"), w.newPlayer("bob"), w.newPlayer("cid")
	ann.Version, ann.CreatedAt = 2, day.AddDate(0, -1, 0)
	w.must(w.ApplyPlayer(t.Context(), ann))
	at := day.Add(18 * time.Hour)
	versions := event.ReplayVersions{Mod: "1.3.0", Game: "49"}
	submit := func(m record.Map, p record.Player, time int, stamp time.Time, mapData string) record.Record {
		r := w.record(m, p, time)
		r.FinishTimeStamp = stamp
		_, err := w.Submit(t.Context(), record.Accepted{
			Record: r, GameMapID: m.GameMapID, Replay: w.upload(),
			File: record.FileFacts{MapDataHash: sha256.Sum256([]byte(mapData)), Versions: versions},
		})
		w.must(err)
		return r
	}
	finish := func(r record.Record) event.Finish {
		return event.Finish{RecordID: r.ID, MapID: r.MapID, PlayerID: r.PlayerID, FinishTime: int64(r.FinishTime),
			FinishTimeStamp: r.FinishTimeStamp}
	}
	check := func(r record.Record, change func(*event.InspectedRecord)) {
		t.Helper()
		want := event.InspectedRecord{
			RecordID: r.ID, MapID: m.ID, PlayerID: r.PlayerID, FinishTime: int64(r.FinishTime), Finishers: 3,
			FinishTimeStamp: r.FinishTimeStamp, Replay: versions, PlayerSince: ann.CreatedAt,
		}
		change(&want)
		got, err := w.InspectRecord(t.Context(), event.InspectRecord{RecordID: r.ID})
		w.must(err)
		ignored := cmpopts.IgnoreFields(event.InspectedRecord{}, "CreatedAt")
		if diff := cmp.Diff(want, got, ignored, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("the record of %d (-want +got):\n%s", r.FinishTime, diff)
		}
	}
	ofBob := submit(m, bob, 43_000, at.Add(time.Hour), "a")
	ofCid := submit(m, cid, 44_033, at.Add(time.Minute), "a")
	first := submit(m, ann, 44_000, at, "a")
	elsewhere := submit(other, ann, 30_000, at.Add(40*time.Second), "a")
	slower := submit(m, ann, 50_000, at.Add(-40*time.Second), "a")
	w.must(w.SubmitMapReplay(t.Context(), &record.PreparedMapReplay{
		Replay: record.MapReplay{MapID: m.ID, ReplayHash: ofBob.ReplayHash},
	}))
	mapReplay := &event.MapReplay{ReplayVersions: versions, FinishTimeStamp: ofBob.FinishTimeStamp}
	copied := finish(ofCid)
	ofFirst := func(want *event.InspectedRecord) {
		want.Rank, want.IsFirst, want.Copied, want.CopiedMapData, want.MapReplay = 2, true, &copied, true, mapReplay
		want.Neighbours = []event.RankedFinish{
			{RecordID: ofBob.ID, PlayerID: bob.ID, FinishTime: 43_000, Rank: 1},
			{RecordID: ofCid.ID, PlayerID: cid.ID, FinishTime: 44_033, Rank: 3},
		}
		want.Adjacent = []event.Finish{finish(slower), finish(elsewhere)}
	}
	check(first, ofFirst)
	check(slower, func(want *event.InspectedRecord) {
		want.MapReplay, want.Adjacent = mapReplay, []event.Finish{finish(first)}
		want.Neighbours = []event.RankedFinish{{RecordID: ofCid.ID, PlayerID: cid.ID, FinishTime: 44_033, Rank: 3}}
	})
	// The same physics with other votes are other map data.
	pgtest.Exec(t, w.pool, `update records set map_data_hash = 'other' where player_id = '`+cid.ID+`'`)
	check(first, func(want *event.InspectedRecord) {
		ofFirst(want)
		want.CopiedMapData = false
	})
	w.remove(first)
	inspect := func(id string) (event.InspectedRecord, error) {
		return w.InspectRecord(t.Context(), event.InspectRecord{RecordID: id})
	}
	got, err := inspect(first.ID)
	if err != nil || !got.Removed || got.Hidden || got.Rank != 0 || len(got.Neighbours) != 2 {
		t.Errorf("a removed record: %+v, %v", got, err)
	}
	w.must(w.setHidden(ann, true))
	if got, err = inspect(slower.ID); err != nil || got.Removed || !got.Hidden {
		t.Errorf("a hidden record: %+v, %v", got, err)
	}
	// A finish that is like one that is no personal best, and of a hidden player.
	like := submit(m, bob, 50_033, at.Add(-20*time.Second), "b")
	copied = finish(slower)
	if got, err = inspect(like.ID); err != nil || !cmp.Equal(&copied, got.Copied) {
		t.Errorf("like a hidden record: %+v, %v", got.Copied, err)
	}
	got, err = w.InspectRecord(t.Context(), event.InspectRecord{RecordID: like.ID, ForFlags: true})
	if err != nil || got.Neighbours != nil || !cmp.Equal(&copied, got.Copied) {
		t.Errorf("for flags %+v was found, %v", got, err)
	}
	if _, err := inspect(newID()); !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("an unknown record: %v", err)
	}
}
