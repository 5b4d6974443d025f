package record_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

const skyline2ID = "01970000-0000-7000-8000-00000000000d"

// withVersion2 adds a version of the skyline with other physics, which only its owner knows.
func (b *bundle) withVersion2(t *testing.T) {
	t.Helper()
	version2 := recordtest.Copy(skyline2ID, recordtest.Map(1_001, "Skyline Run", 601))
	version2.MapVersion = 2
	b.owners.maps[skyline2ID] = version2
	version1 := b.owners.maps[skylineID]
	version1.Version, version1.Superseded = 2, true
	b.owners.maps[skylineID] = version1
	require.NoError(t, b.store.ApplyMap(t.Context(), version1))
}

// onVersion is a change of Ann's replay to the skyline of a width, and to a time stamp of its own.
func onVersion(width float64, second int) func(*lbreplay.Replay) {
	return func(r *lbreplay.Replay) {
		r.Map, r.Timestamp = recordtest.Map(1_001, "Skyline Run", width), finishedAt.Add(time.Duration(second)*time.Second)
	}
}

func TestSubmitter_Submit_versions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t)})
	require.NoError(t, err)
	b.withVersion2(t)
	b.owners.asked = 0
	for i, tt := range []struct {
		name     string
		width    float64
		selected string
		wantMap  string
		want     error
	}{
		{"version 2 without a selection", 601, "", skyline2ID, nil},
		{"version 2 with itself selected", 601, skyline2ID, skyline2ID, nil},
		{"version 2 with version 1 selected", 601, skylineID, skyline2ID, nil},
		{"version 1 with version 2 selected", 600, skyline2ID, skylineID, nil},
		{"version 1 without a selection", 600, "", skylineID, nil},
		{"version 1 with another map selected", 600, gardenID, "", record.ErrWrongMap},
		{"an unknown version", 602, "", "", record.ErrMapVersionDiffers},
		{"an unknown version with version 1 selected", 602, skylineID, "", record.ErrMapVersionDiffers},
	} {
		got, err := b.Submit(t.Context(), record.Submission{
			By: ann, Replay: annsReplay(t, onVersion(tt.width, 1+i)), SelectedMap: tt.selected,
		})
		if !errors.Is(err, tt.want) || got.Record.MapID != tt.wantMap {
			t.Errorf("%s: map %q, %v, want %q, %v", tt.name, got.Record.MapID, err, tt.wantMap, tt.want)
		}
	}
	if want := 3; b.owners.asked != want { // once for version 2, and for each unknown version
		t.Errorf("the owner was asked %d times, want %d", b.owners.asked, want)
	}
	for id, version := range map[string]int{skylineID: 1, skyline2ID: 2} {
		page, err := b.store.Leaderboard(t.Context(), record.Leaderboard{MapID: id, Page: record.Page{Limit: 10}})
		require.NoError(t, err)
		if len(page.Records) != 1 || page.Records[0].Rank != 1 {
			t.Fatalf("leaderboard of version %d: %+v", version, page)
		}
		details, err := b.store.Details(t.Context(), page.Records[0].ID)
		require.NoError(t, err)
		if details.Map.MapVersion != version || details.Map.Superseded != (version == 1) || details.PreviousBest != 0 {
			t.Errorf("the record of version %d is %+v", version, details)
		}
	}
	if got, err := b.store.Stats(t.Context()); err != nil || got.Maps != 2 || got.Records != 6 {
		t.Errorf("totals %+v, %v", got, err)
	}
}

// A replay in which the map data were replaced by those of another version has the finish of the first record.
func TestSubmitter_Submit_same_finish_on_another_version(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t)})
	require.NoError(t, err)
	b.withVersion2(t)
	_, err = b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t, onVersion(601, 0))})
	if !errors.Is(err, record.ErrReplayExists) || problem.From(err).Data["_id"] != first.Record.ID {
		t.Errorf("returned %v, want ErrReplayExists with the first record", err)
	}
	_, err = b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t, onVersion(601, 1))})
	if err != nil {
		t.Errorf("the same time at another moment: %v", err)
	}
}

// The file of the first record of version 2 is imported as that of version 1 is.
func TestImporter_Import_version2(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withVersion2(t)
	file := annsReplay(t, onVersion(601, 1))
	first := firstRecord(file)
	first.MapID = skyline2ID
	require.NoError(t, (&record.Importer{Submitter: b.Submitter, Archive: archive{file: file}}).Import(t.Context(), first))
	page, err := b.store.Leaderboard(t.Context(), record.Leaderboard{MapID: skyline2ID, Page: record.Page{Limit: 10}})
	require.NoError(t, err)
	if len(page.Records) != 1 {
		t.Fatalf("leaderboard %+v", page)
	}
	verification, err := b.store.Verification(t.Context(), page.Records[0].ID)
	require.NoError(t, err)
	last := verification.Checks[len(verification.Checks)-1]
	if last.Name != record.FirstRecordOfAuthorOrValidator || last.Result != replaycheck.Passed {
		t.Errorf("the last check is %+v", last)
	}
}
