package app_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/records/internal/record"
)

// The moderation service asks for a record, what is next to it, and what is like it.
func TestInspect(t *testing.T) {
	b := setup(t)
	m, other := b.newMap("Skyline Run"), b.newMap("Garden")
	ann, bob, cid := b.newPlayer("Ann"), b.newPlayer("Bob"), b.newPlayer("Cid")
	ofBob := b.submitted(bob, m, 43_000).Record
	ofCid := b.submitted(cid, m, 45_000).Record
	first := b.submitted(ann, m, 44_000).Record
	elsewhere := b.submitted(ann, other, 30_000).Record
	slower := b.submitted(ann, m, 50_000).Record

	inspect := func(id string) (event.InspectedRecord, error) {
		return eventbus.Call[event.InspectRecord, event.InspectedRecord](
			t.Context(), b.NATS, event.InspectRecordSubject, event.InspectRecord{RecordID: id})
	}
	// Time stamps of the finishes: Ann's are 40 s apart, Cid's is like hers.
	at := time.Date(2026, 5, 11, 18, 0, 0, 0, time.UTC)
	for id, stamp := range map[string]time.Time{
		first.ID: at, elsewhere.ID: at.Add(40 * time.Second), slower.ID: at.Add(-40 * time.Second),
		ofCid.ID: at.Add(time.Hour), ofBob.ID: at.Add(time.Hour),
	} {
		_, err := b.Pool.Exec(t.Context(), "update records set finished_at = $2, undated = false where id = $1", id, stamp)
		require.NoError(t, err)
		_, err = b.Pool.Exec(t.Context(), "update personal_bests set finished_at = $2 where record_id = $1", id, stamp)
		require.NoError(t, err)
	}
	finish := func(id, mapID, playerID string, ms int64, stamp time.Time) event.Finish {
		return event.Finish{RecordID: id, MapID: mapID, PlayerID: playerID, FinishTime: ms, FinishTimeStamp: stamp}
	}
	want := event.InspectedRecord{
		RecordID: first.ID, MapID: m.ID, PlayerID: ann.ID, FinishTime: 44_000, FinishTimeStamp: at, Rank: 2, Finishers: 3,
		IsFirst: true, Replay: event.ReplayVersions{Mod: "1.3.0", Game: "49"},
		Neighbours: []event.RankedFinish{
			{RecordID: ofBob.ID, PlayerID: bob.ID, FinishTime: 43_000, Rank: 1},
			{RecordID: ofCid.ID, PlayerID: cid.ID, FinishTime: 45_000, Rank: 3},
		},
		Adjacent: []event.Finish{
			finish(slower.ID, m.ID, ann.ID, 50_000, at.Add(-40*time.Second)),
			finish(elsewhere.ID, other.ID, ann.ID, 30_000, at.Add(40*time.Second)),
		},
	}
	ignored := cmpopts.IgnoreFields(event.InspectedRecord{}, "CreatedAt")
	got, err := inspect(first.ID)
	if diff := cmp.Diff(want, got, ignored); diff != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	// Like another's.
	for _, sql := range []string{
		"update records set finish_time = 44033, finished_at = $2 where id = $1",
		"update personal_bests set finish_time = 44033, finished_at = $2 where record_id = $1",
	} {
		_, err := b.Pool.Exec(t.Context(), sql, ofCid.ID, at.Add(time.Minute))
		require.NoError(t, err)
	}
	got, err = inspect(first.ID)
	copied := finish(ofCid.ID, m.ID, cid.ID, 44_033, at.Add(time.Minute))
	if diff := cmp.Diff(&copied, got.Copied); diff != "" || err != nil {
		t.Errorf("a copied finish, %v (-want +got):\n%s", err, diff)
	}

	if got, err = inspect(slower.ID); err != nil || got.Rank != 0 || got.IsFirst || got.Removed {
		t.Errorf("a slower record: %+v, %v", got, err)
	}
	_, err = b.command("remove", first.ID, "a test")
	require.NoError(t, err)
	got, err = inspect(first.ID)
	if err != nil || !got.Removed || got.Hidden || got.Rank != 0 || len(got.Neighbours) != 2 {
		t.Errorf("a removed record: %+v, %v", got, err)
	}
	_, err = b.command("hide", ann.ID, "a test")
	require.NoError(t, err)
	if got, err = inspect(slower.ID); err != nil || got.Removed || !got.Hidden {
		t.Errorf("a hidden record: %+v, %v", got, err)
	}
	// Also one that is no personal best, and of a hidden player.
	_, err = b.Pool.Exec(t.Context(), "update records set finish_time = 50000, finished_at = $2 where id = $1", ofCid.ID,
		at.Add(-20*time.Second))
	require.NoError(t, err)
	got, err = inspect(ofCid.ID)
	copied = finish(slower.ID, m.ID, ann.ID, 50_000, at.Add(-40*time.Second))
	if diff := cmp.Diff(&copied, got.Copied); diff != "" || err != nil {
		t.Errorf("a copy of a slower finish, %v (-want +got):\n%s", err, diff)
	}
	for _, id := range []string{newID(), "r1", ""} {
		if _, err := inspect(id); !errors.Is(err, record.ErrRecordUnknown) {
			t.Errorf("%q: %v", id, err)
		}
	}
}
