package record_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

// results returns the results of a verification in the order of the checks.
func results(v record.Verification) []string {
	var lines []string
	for _, c := range v.Checks {
		lines = append(lines, string(c.Name)+" "+string(c.Result))
	}
	return lines
}

func TestSubmitter_Submit_verification(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name                   string
		change                 func(*lbreplay.Replay)
		imported               bool
		timeStamp, firstRecord string
	}{
		{"a player's record", func(*lbreplay.Replay) {}, false, "passed", "not_applicable"},
		{"without a time stamp", func(r *lbreplay.Replay) { r.TimestampMissing = true }, false, "not_applicable",
			"not_applicable"},
		{"a map's first record", func(*lbreplay.Replay) {}, true, "passed", "passed"},
		{"a map's first record without a time stamp", func(r *lbreplay.Replay) { r.TimestampMissing = true }, true,
			"not_applicable", "passed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			file := annsReplay(t, tt.change)
			if tt.imported {
				importer := record.Importer{Submitter: b.Submitter, Archive: archive{file: file}}
				require.NoError(t, importer.Import(t.Context(), firstRecord(file)))
			} else {
				_, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: file})
				require.NoError(t, err)
			}
			worldRecords, err := b.store.WorldRecords(t.Context(), skylineID)
			require.NoError(t, err)
			got, err := b.store.Verification(t.Context(), worldRecords[0].ID)
			require.NoError(t, err)
			want := []string{
				"read_by_server passed", "validated passed", "labels_agree passed", "finish_time_given passed",
				"whole_frames passed", "time_stamp_plausible " + tt.timeStamp, "finish_unambiguous passed", "own_replay passed",
				"map_unchanged passed", "file_not_submitted_before passed", "finish_not_submitted_before passed",
				"first_record_of_author_or_validator " + tt.firstRecord,
			}
			if diff := cmp.Diff(want, results(got)); diff != "" {
				t.Errorf("checks (-want +got):\n%s", diff)
			}
			if !got.CheckedAt.Equal(now) || got.MapID != skylineID || got.PlayerID != annID {
				t.Errorf("verification %+v", got)
			}
			for _, c := range got.Checks {
				if record.CheckSentence(c) == "" {
					t.Errorf("%s has no sentence", c.Name)
				}
			}
		})
	}
}

// The physics are those of the skyline, but only one of two zones is named as a checkpoint: the copy
// is another version.
func TestSubmitter_Submit_other_checkpoints(t *testing.T) {
	t.Parallel()
	b := setup(t)
	withZones := func(names ...string) *bonkmap.Map {
		m := recordtest.Map(1_003, "Zones", 800)
		m.CapZones = nil
		for i, name := range names {
			m.Fixtures[i].Name = name
			m.CapZones = append(m.CapZones, bonkmap.CapZone{Name: name, Seconds: 0.1, Fixture: i, Kind: bonkmap.CapNormal})
		}
		return m
	}
	const zonesID = "01970000-0000-7000-8000-00000000000e"
	b.owners.maps[zonesID] = recordtest.Copy(zonesID, withZones("cp 1", "cp 2"))
	on := func(m *bonkmap.Map) record.Submission {
		return record.Submission{By: ann, Replay: recordtest.File(t, recordtest.Replay(m, "Ann", 41_267, finishedAt))}
	}
	if _, err := b.Submit(t.Context(), on(withZones("cp 1", "middle"))); !errors.Is(err, record.ErrMapVersionDiffers) {
		t.Errorf("returned %v, want ErrMapVersionDiffers", err)
	}
	b.wantNothingStored(t)
	if _, err := b.Submit(t.Context(), on(withZones("cp 1", "cp 2"))); err != nil {
		t.Errorf("with the names of the site's map: %v", err)
	}
}
