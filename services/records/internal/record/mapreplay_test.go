package record_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

// archive holds one file of the maps service.
type archive struct {
	file []byte
	err  error
}

func (a archive) Fetch(_ context.Context, bucket, key string, limit int64) ([]byte, error) {
	if bucket != "capzone-maps" || key != "replays/x" || limit < int64(len(a.file)) {
		return nil, errors.New("not there")
	}
	return a.file, a.err
}

// importRecord prepares the record of a map's replay and submits it.
func (b *bundle) importRecord(t *testing.T, files archive, replay record.MapReplay) error {
	t.Helper()
	mapReplays := &record.MapReplays{Submitter: b.Submitter, Archive: files}
	prepared, err := mapReplays.Prepare(t.Context(), replay)
	if err != nil {
		return err
	}
	return mapReplays.Submit(t.Context(), b.stored, prepared)
}

func TestMapReplays_Submit(t *testing.T) {
	t.Parallel()
	// imported is what is accepted of an import.
	type imported struct {
		MapID, PlayerID string
		First           bool
		FirstRecord     replaycheck.Result
	}
	first := imported{skylineID, annID, true, replaycheck.Passed}
	ofAnn := func(mapID, hash string) []record.Record {
		return []record.Record{{
			ID: "r", MapID: mapID, PlayerID: annID, FinishTime: 41_267, FinishTimeStamp: finishedAt, ReplayHash: hash,
		}}
	}
	withoutMode := *skyline
	withoutMode.Mode = bonkmap.NoMode
	update := func(_ *bundle, f *record.MapReplay) { f.IsUpdate = true }
	for _, tt := range []struct {
		name   string
		replay func(*lbreplay.Replay)
		change func(*bundle, *record.MapReplay)
		want   []imported
		marked bool // an earlier record is the map's first one
		err    error
	}{
		{"a first record", under("Ann"), nil, []imported{first}, true, nil},
		// The maps service has compared the name with names that the copy of the player may not have yet.
		{"under a name that is not known yet", under("Annabel"), nil, []imported{first}, true, nil},
		{"on a map whose mode was asked for", func(r *lbreplay.Replay) { r.Map, r.GameMode = &withoutMode, "Football" },
			func(b *bundle, _ *record.MapReplay) {
				b.copies.maps[skylineID] = recordtest.Copy(skylineID, &withoutMode)
				b.setMode(skylineID, "Grapple")
			}, []imported{first}, true, nil},
		{"of a player who was merged", under("Anka"), func(_ *bundle, f *record.MapReplay) { f.PlayerID = ankaID },
			[]imported{first}, true, nil},
		{"of a banned player", under("Eve"), func(_ *bundle, f *record.MapReplay) { f.PlayerID = eveID },
			[]imported{{skylineID, eveID, true, replaycheck.Passed}}, true, nil},
		{"again", under("Ann"), func(b *bundle, f *record.MapReplay) { b.stored.existing = ofAnn(skylineID, f.ReplayHash) },
			nil, true, nil},
		{"submitted meanwhile", under("Ann"), func(b *bundle, _ *record.MapReplay) {
			b.stored.refusals = []error{record.ErrReplayExists}
		}, nil, true, nil},
		{"with the finish of another version", under("Ann"), func(b *bundle, _ *record.MapReplay) {
			b.stored.existing = ofAnn(skyline2ID, "another file")
		}, []imported{first}, true, nil},
		{"on a removed map", under("Ann"), func(b *bundle, _ *record.MapReplay) {
			removed := b.copies.maps[skylineID]
			removed.Removed = true
			b.copies.maps[skylineID] = removed
		}, []imported{first}, true, nil},
		{"on a removed map of which only the tombstone has come", under("Ann"), func(b *bundle, _ *record.MapReplay) {
			b.copies.maps[skylineID] = record.Map{ID: skylineID, Version: 2, Removed: true}
		}, nil, false, record.ErrMapRemoved},
		{"an update", under("Ann"), update, []imported{{skylineID, annID, false, replaycheck.NotApplicable}}, false, nil},
		{"an update with the finish of another version", under("Ann"), func(b *bundle, f *record.MapReplay) {
			b.stored.existing, f.IsUpdate = ofAnn(skyline2ID, "another file"), true
		}, nil, false, nil},
		{"an update of a player who was banned meanwhile", under("Ann"), func(b *bundle, f *record.MapReplay) {
			b.stored.refusals, f.IsUpdate = []error{record.ErrSubmitterBanned}, true
		}, nil, false, record.ErrSubmitterBanned},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup()
			// The file has no time stamp, the announcement has one.
			file := annsReplay(t, tt.replay, func(r *lbreplay.Replay) { r.TimestampMissing = true })
			announced := mapReplay(file)
			if tt.change != nil {
				tt.change(b, &announced)
			}
			err := b.importRecord(t, archive{file: file}, announced)
			if !errors.Is(err, tt.err) || err != nil && !problem.IsPermanent(err) {
				t.Errorf("returned %v, want %v", err, tt.err)
			}
			var got []imported
			for _, a := range b.stored.accepted {
				last := a.Checks[len(a.Checks)-1]
				got = append(got, imported{a.Record.MapID, a.Record.PlayerID, a.First, last.Result})
				if !a.Record.FinishTimeStamp.Equal(finishedAt) || a.GameMapID != 1_001 ||
					last.Name != record.FirstRecordOfAuthorOrValidator {
					t.Errorf("accepted %+v", a)
				}
			}
			assert.Equal(t, "accepted", tt.want, got, cmpopts.EquateEmpty())
			isNewest := len(got) == 0 && tt.marked
			if want := []string{skylineID + " " + announced.ReplayHash}; isNewest && !cmp.Equal(want, b.stored.firsts) {
				t.Errorf("marked %v, want %v", b.stored.firsts, want)
			}
			if !tt.marked && len(b.stored.firsts) > 0 {
				t.Errorf("marked %v", b.stored.firsts)
			}
		})
	}
}

// The clock of the player's computer was ahead. The time stamp is the one of the submission of the map.
func TestMapReplays_Submit_clock_ahead(t *testing.T) {
	t.Parallel()
	b := setup()
	file := annsReplay(t, func(r *lbreplay.Replay) { r.Timestamp = finishedAt.Add(lbreplay.MaxAhead) })
	if err := b.importRecord(t, archive{file: file}, mapReplay(file)); err != nil ||
		!b.stored.accepted[0].Record.FinishTimeStamp.Equal(finishedAt) || !b.stored.accepted[0].Record.Undated {
		t.Errorf("accepted %+v, %v", b.stored.accepted, err)
	}
}

func mapReplay(file []byte) record.MapReplay {
	return record.MapReplay{
		MapID: skylineID, PlayerID: annID, Bucket: "capzone-maps", Key: "replays/x", ReplayHash: hashOf(file),
		FinishTimeStamp: finishedAt,
	}
}

func TestMapReplays_Submit_refused(t *testing.T) {
	t.Parallel()
	file := annsReplay(t)
	for _, tt := range []struct {
		name      string
		change    func(*bundle, *record.MapReplay, *archive)
		permanent bool
	}{
		{"storage is away", func(_ *bundle, _ *record.MapReplay, a *archive) { a.err = errors.New("away") }, false},
		{"the file is not there", func(_ *bundle, f *record.MapReplay, _ *archive) { f.Key = "replays/y" }, false},
		{"the player is not known and their owner away", func(b *bundle, f *record.MapReplay, _ *archive) {
			f.PlayerID, b.owners.unavailable = noID, true
		}, false},
		{"another file than the one that was announced",
			func(_ *bundle, f *record.MapReplay, _ *archive) { f.ReplayHash = "00" }, true},
		{"on another version of the map", func(b *bundle, f *record.MapReplay, _ *archive) {
			f.MapID, b.copies.maps[skyline2ID] = skyline2ID, recordtest.Copy(skyline2ID, skyline2)
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup()
			replay, files := mapReplay(file), archive{file: file}
			tt.change(b, &replay, &files)
			err := b.importRecord(t, files, replay)
			if err == nil || problem.IsPermanent(err) != tt.permanent || len(b.stored.accepted) > 0 {
				t.Errorf("returned %v, want a permanent refusal: %v; accepted %v", err, tt.permanent, b.stored.accepted)
			}
		})
	}
}

func TestMarkFirst(t *testing.T) {
	t.Parallel()
	marked := record.MarkFirst(checks(replaycheck.NotApplicable, replaycheck.NotApplicable))
	assert.Equal(t, "checks", checks(replaycheck.NotApplicable, replaycheck.Passed), marked)
}
