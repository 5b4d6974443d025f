package record_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

// What moderators compare of replays is kept of submitted ones, and of the one that a map was submitted with.
func TestSubmitter_Submit_file_facts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reader := record.Reader{Queries: b.store}
	inspect := func(id string) event.InspectedRecord {
		t.Helper()
		got, err := reader.Inspect(t.Context(), event.InspectRecord{RecordID: id})
		require.NoError(t, err)
		return got
	}
	file := annsReplay(t)
	importer := record.Importer{Submitter: b.Submitter, Archive: archive{file: file}}
	require.NoError(t, importer.Import(t.Context(), firstRecord(file)))

	// Bob's is Ann's with another name, time and moment, as an older program writes it.
	bob := access.Player(bobID, "Bob", nil)
	copied := recordtest.Replay(skyline, "Bob", 41_300, finishedAt.Add(20*time.Second))
	copied.ReplayVersion, copied.GameVersion = "v1.2.10", "48 beta"
	got, err := b.Submit(t.Context(), record.Submission{By: bob, Replay: recordtest.File(t, copied)})
	require.NoError(t, err)
	inspected := inspect(got.Record.ID)
	mapReplay := &event.MapReplay{
		ReplayVersions: event.ReplayVersions{Mod: "1.3.0", Game: "49"}, FinishTimeStamp: finishedAt,
	}
	if inspected.Copied == nil || inspected.Copied.PlayerID != annID || !inspected.CopiedMapData {
		t.Errorf("a copy of Ann's is like %+v, with the same map data: %v", inspected.Copied, inspected.CopiedMapData)
	}
	if diff := cmp.Diff(event.ReplayVersions{Mod: "1.2.10"}, inspected.Replay); diff != "" {
		t.Errorf("versions of Bob's (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(mapReplay, inspected.MapReplay); diff != "" {
		t.Errorf("the map's replay (-want +got):\n%s", diff)
	}

	// The same physics with other votes are other bytes.
	voted := *skyline
	voted.VotesUp = 7
	other := recordtest.Replay(&voted, "Bob", 41_233, finishedAt.Add(30*time.Second))
	got, err = b.Submit(t.Context(), record.Submission{By: bob, Replay: recordtest.File(t, other)})
	require.NoError(t, err)
	if inspected = inspect(got.Record.ID); inspected.Copied == nil || inspected.CopiedMapData {
		t.Errorf("a finish on other map data: %+v, the same %v", inspected.Copied, inspected.CopiedMapData)
	}

	// Of records from before nothing is known, and a map whose replay has no time stamp has none to compare with.
	_, err = b.pool.Exec(t.Context(), "update records set map_data_hash = null where player_id = $1", annID)
	require.NoError(t, err)
	if inspected = inspect(inspected.RecordID); inspected.Copied == nil || inspected.CopiedMapData {
		t.Errorf("like a record from before: %+v, the same %v", inspected.Copied, inspected.CopiedMapData)
	}
	undated := annsReplay(t, func(r *lbreplay.Replay) {
		r.Map, r.MapName, r.MapID, r.TimestampMissing = garden, garden.Name, garden.ID, true
	})
	first := firstRecord(undated)
	first.MapID = gardenID
	importer.Archive = archive{file: undated}
	require.NoError(t, importer.Import(t.Context(), first))
	page, err := b.store.Leaderboard(t.Context(), record.Leaderboard{MapID: gardenID, Page: record.Page{Limit: 1}})
	require.NoError(t, err)
	if inspected = inspect(page.Records[0].ID); !inspected.Undated || inspected.MapReplay != nil {
		t.Errorf("a record without a time stamp: %+v", inspected)
	}
}
