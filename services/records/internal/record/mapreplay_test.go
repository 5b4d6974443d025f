package record_test

import (
	"context"
	"errors"
	"testing"

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

// prepareMapReplay returns the record of a map's replay, nil where there is nothing to submit, or why it is refused.
func (b *bundle) prepareMapReplay(t *testing.T, files archive, replay record.MapReplay) (*record.Accepted, error) {
	t.Helper()
	mapReplays := &record.MapReplays{Submitter: b.Submitter, Archive: files}
	prepared, err := mapReplays.Prepare(t.Context(), replay)
	if err != nil {
		return nil, err
	}
	return prepared.Accepted, prepared.Refused
}

func TestMapReplays_Prepare(t *testing.T) {
	t.Parallel()
	// imported is what is accepted of an import.
	type imported struct {
		MapID, PlayerID string
		First           bool
		FirstRecord     replaycheck.Result
	}
	first := &imported{skylineID, annID, true, replaycheck.Passed}
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
		want   *imported // nil where there is nothing to submit
		err    error
	}{
		{"a first record", under("Ann"), nil, first, nil},
		// The maps service has compared the name with names that the copy of the player may not have yet.
		{"under a name that is not known yet", under("Annabel"), nil, first, nil},
		{"on a map whose mode was asked for", func(r *lbreplay.Replay) { r.Map, r.GameMode = &withoutMode, "Football" },
			func(b *bundle, _ *record.MapReplay) {
				b.copies.maps[skylineID] = recordtest.Copy(skylineID, &withoutMode)
				b.setMode(skylineID, "Grapple")
			}, first, nil},
		{"of a player who was merged", under("Anka"), func(_ *bundle, f *record.MapReplay) { f.PlayerID = ankaID },
			first, nil},
		{"of a banned player", under("Eve"), func(_ *bundle, f *record.MapReplay) { f.PlayerID = eveID },
			&imported{skylineID, eveID, true, replaycheck.Passed}, nil},
		{"again", under("Ann"), func(b *bundle, f *record.MapReplay) { b.stored.existing = ofAnn(skylineID, f.ReplayHash) },
			nil, nil},
		{"with the finish of another version", under("Ann"), func(b *bundle, _ *record.MapReplay) {
			b.stored.existing = ofAnn(skyline2ID, "another file")
		}, first, nil},
		{"on a removed map", under("Ann"), func(b *bundle, _ *record.MapReplay) {
			removed := b.copies.maps[skylineID]
			removed.Removed = true
			b.copies.maps[skylineID] = removed
		}, first, nil},
		{"on a removed map of which only the tombstone has come", under("Ann"), func(b *bundle, _ *record.MapReplay) {
			b.copies.maps[skylineID] = record.Map{ID: skylineID, Version: 2, Removed: true}
		}, nil, record.ErrMapRemoved},
		{"an update", under("Ann"), update, &imported{skylineID, annID, false, replaycheck.NotApplicable}, nil},
		{"an update with the finish of another version", under("Ann"), func(b *bundle, f *record.MapReplay) {
			b.stored.existing, f.IsUpdate = ofAnn(skyline2ID, "another file"), true
		}, nil, nil},
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
			accepted, err := b.prepareMapReplay(t, archive{file: file}, announced)
			if !errors.Is(err, tt.err) || err != nil && !problem.IsPermanent(err) {
				t.Errorf("returned %v, want %v", err, tt.err)
			}
			var got *imported
			if a := accepted; a != nil {
				last := a.Checks[len(a.Checks)-1]
				got = &imported{a.Record.MapID, a.Record.PlayerID, a.First, last.Result}
				if !a.Record.FinishTimeStamp.Equal(finishedAt) || !a.Record.CreatedAt.Equal(now) || a.GameMapID != 1_001 ||
					last.Name != record.FirstRecordOfAuthorOrValidator {
					t.Errorf("accepted %+v", a)
				}
			}
			assert.Equal(t, "accepted", tt.want, got)
		})
	}
}

// The clock of the player's computer was ahead. The time stamp is the one of the submission of the map.
func TestMapReplays_Prepare_clock_ahead(t *testing.T) {
	t.Parallel()
	b := setup()
	file := annsReplay(t, func(r *lbreplay.Replay) { r.Timestamp = finishedAt.Add(lbreplay.MaxAhead) })
	accepted, err := b.prepareMapReplay(t, archive{file: file}, mapReplay(file))
	if err != nil || !accepted.Record.FinishTimeStamp.Equal(finishedAt) || !accepted.Record.Undated {
		t.Errorf("accepted %+v, %v", accepted, err)
	}
}

func mapReplay(file []byte) record.MapReplay {
	return record.MapReplay{
		MapID: skylineID, PlayerID: annID, Bucket: "capzone-maps", Key: "replays/x", ReplayHash: hashOf(file),
		FinishTimeStamp: finishedAt,
	}
}

func TestMapReplays_Prepare_refused(t *testing.T) {
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
			accepted, err := b.prepareMapReplay(t, files, replay)
			if err == nil || problem.IsPermanent(err) != tt.permanent || accepted != nil {
				t.Errorf("returned %v, want a permanent refusal: %v; accepted %v", err, tt.permanent, accepted)
			}
		})
	}
}

func TestMarkFirst(t *testing.T) {
	t.Parallel()
	marked := record.MarkFirst(checks(replaycheck.NotApplicable, replaycheck.NotApplicable))
	assert.Equal(t, "checks", checks(replaycheck.NotApplicable, replaycheck.Passed), marked)
}
