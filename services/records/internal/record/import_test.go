package record_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
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

func firstRecord(file []byte) record.FirstRecord {
	sum := sha256.Sum256(file)
	return record.FirstRecord{
		MapID: skylineID, PlayerID: annID, Bucket: "capzone-maps", Key: "replays/x", ReplayHash: hex.EncodeToString(sum[:]),
		FinishTimeStamp: finishedAt,
	}
}

func TestImporter_Import_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	// The file has no time stamp, the announcement has one.
	file := annsReplay(t, func(r *lbreplay.Replay) { r.TimestampMissing = true })
	importer := record.Importer{Submitter: b.Submitter, Archive: archive{file: file}}
	first := firstRecord(file)
	require.NoError(t, importer.Import(t.Context(), first))
	require.NoError(t, importer.Import(t.Context(), first))

	page, err := b.store.Leaderboard(t.Context(), record.Leaderboard{MapID: skylineID, Page: record.Page{Limit: 10}})
	require.NoError(t, err)
	if len(page.Records) != 1 || page.Records[0].PlayerID != annID || !page.Records[0].FinishTimeStamp.Equal(finishedAt) {
		t.Errorf("leaderboard %+v", page)
	}
	// And so it cannot be submitted again.
	if _, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: file}); !errors.Is(err, record.ErrReplayExists) {
		t.Errorf("submitted again: %v", err)
	}
}

// The author may submit the map's replay as a record before it is imported.
func TestImporter_Import_after_submission(t *testing.T) {
	t.Parallel()
	b := setup(t)
	submitted, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t)})
	require.NoError(t, err)
	importer := record.Importer{Submitter: b.Submitter, Archive: archive{}}
	require.NoError(t, importer.Import(t.Context(), firstRecord(annsReplay(t))))
	verification, err := b.store.Verification(t.Context(), submitted.Record.ID)
	require.NoError(t, err)
	last := verification.Checks[len(verification.Checks)-1]
	if last.Name != record.FirstRecordOfAuthorOrValidator || last.Result != replaycheck.Passed {
		t.Errorf("the last check is %+v", last)
	}
}

// The replay of a map that is submitted again is a record like any other.
func TestImporter_Import_update(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t)})
	require.NoError(t, err)
	faster := annsReplay(t, func(r *lbreplay.Replay) { r.FinishTime, r.Timestamp = 40_000, finishedAt.Add(time.Second) })
	update := firstRecord(faster)
	update.IsUpdate = true
	for range 2 {
		importer := &record.Importer{Submitter: b.Submitter, Archive: archive{file: faster}}
		require.NoError(t, importer.Import(t.Context(), update))
	}
	worldRecords, err := b.store.WorldRecords(t.Context(), skylineID)
	require.NoError(t, err)
	if len(worldRecords) != 2 || worldRecords[1].FinishTime != 40_000 {
		t.Fatalf("world records %+v", worldRecords)
	}
	verification, err := b.store.Verification(t.Context(), worldRecords[1].ID)
	require.NoError(t, err)
	if last := verification.Checks[len(verification.Checks)-1]; last.Result != replaycheck.NotApplicable {
		t.Errorf("the last check is %+v", last)
	}
	// The same finish on another version is refused, as for every record.
	b.withVersion2(t)
	copied := annsReplay(t, onVersion(601, 0))
	update = firstRecord(copied)
	update.MapID, update.IsUpdate = skyline2ID, true
	err = (&record.Importer{Submitter: b.Submitter, Archive: archive{file: copied}}).Import(t.Context(), update)
	require.NoError(t, err)
	page, err := b.store.Leaderboard(t.Context(), record.Leaderboard{MapID: skyline2ID, Page: record.Page{Limit: 10}})
	if err != nil || page.Total != 0 {
		t.Errorf("leaderboard of version 2: %+v, %v", page, err)
	}
}

// The record of a map that is submitted again is refused where its player was banned meanwhile, as every record is.
func TestImporter_Import_update_of_a_banned_player(t *testing.T) {
	t.Parallel()
	b := setup(t)
	banned := record.Player{ID: annID, Version: 2, Name: "Ann", Registered: true, Banned: true}
	require.NoError(t, b.store.ApplyPlayer(t.Context(), banned))
	update := firstRecord(annsReplay(t))
	update.IsUpdate = true
	err := (&record.Importer{Submitter: b.Submitter, Archive: archive{file: annsReplay(t)}}).Import(t.Context(), update)
	if !errors.Is(err, record.ErrSubmitterBanned) || !problem.IsPermanent(err) {
		t.Errorf("returned %v, want %v", err, record.ErrSubmitterBanned)
	}
	if n := pgtest.Value[int](t, b.pool, "select count(*) from records"); n != 0 {
		t.Errorf("%d records of the banned player", n)
	}
}

// A version is never without its first record: not because of a record with the same finish on another version, and
// not because its map was removed or its player hidden or banned in between.
func TestImporter_Import_always(t *testing.T) {
	t.Parallel()
	by := access.Attribution{Actor: access.Operator("root"), Reason: "a test"}
	for _, tt := range []struct {
		name          string
		before, after func(*testing.T, *bundle)
	}{
		{"with the finish of another version", func(t *testing.T, b *bundle) {
			t.Helper()
			_, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t)})
			require.NoError(t, err)
		}, nil},
		{"on a removed map", func(t *testing.T, b *bundle) {
			t.Helper()
			require.NoError(t, b.store.ApplyMap(t.Context(), b.owners.maps[skyline2ID]))
			require.NoError(t, b.store.ApplyMap(t.Context(), record.Map{ID: skyline2ID, Version: 2, Removed: true}))
		}, func(t *testing.T, b *bundle) {
			t.Helper()
			b.restoreVersion2(t)
		}},
		{"on a removed map of which only the tombstone has come", func(t *testing.T, b *bundle) {
			t.Helper()
			require.NoError(t, b.store.ApplyMap(t.Context(), record.Map{ID: skyline2ID, Version: 2, Removed: true}))
		}, func(t *testing.T, b *bundle) {
			t.Helper()
			b.restoreVersion2(t)
		}},
		{"of a hidden player", func(t *testing.T, b *bundle) {
			t.Helper()
			require.NoError(t, b.store.Hide(t.Context(), annID, by))
		}, func(t *testing.T, b *bundle) {
			t.Helper()
			require.NoError(t, b.store.Show(t.Context(), annID, by))
		}},
		{"of a banned player", func(t *testing.T, b *bundle) {
			t.Helper()
			require.NoError(t, b.store.ApplyPlayer(t.Context(), record.Player{ID: annID, Version: 2, Name: "Ann", Banned: true}))
		}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.withVersion2(t)
			tt.before(t, b)
			file := annsReplay(t, onVersion(601, 0))
			first := firstRecord(file)
			first.MapID = skyline2ID
			for range 2 {
				importer := &record.Importer{Submitter: b.Submitter, Archive: archive{file: file}}
				require.NoError(t, importer.Import(t.Context(), first))
			}
			last := outboxtest.Last[event.RecordSubmitted](t, b.pool)
			if isInactive := tt.after != nil; last.MapID != skyline2ID || last.Inactive != isInactive {
				t.Errorf("fact %+v", last)
			}
			if tt.after != nil {
				tt.after(t, b)
			}
			page, err := b.store.Leaderboard(t.Context(), record.Leaderboard{MapID: skyline2ID, Page: record.Page{Limit: 10}})
			require.NoError(t, err)
			if page.Total != 1 || page.Records[0].PlayerID != annID || !page.Records[0].IsWorldRecord {
				t.Errorf("leaderboard %+v", page)
			}
		})
	}
}

// restoreVersion2 applies the state of the map after it was restored.
func (b *bundle) restoreVersion2(t *testing.T) {
	t.Helper()
	restored := b.owners.maps[skyline2ID]
	restored.Version = 3
	require.NoError(t, b.store.ApplyMap(t.Context(), restored))
}

// The maps service has compared the name in the replay with names that the copy of the player may not have yet.
func TestImporter_Import_with_a_name_that_is_not_known_yet(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := annsReplay(t, func(r *lbreplay.Replay) { r.PlayerName = "Annabel" })
	importer := &record.Importer{Submitter: b.Submitter, Archive: archive{file: file}}
	require.NoError(t, importer.Import(t.Context(), firstRecord(file)))
	page, err := b.store.Leaderboard(t.Context(), record.Leaderboard{MapID: skylineID, Page: record.Page{Limit: 10}})
	require.NoError(t, err)
	if page.Total != 1 || page.Records[0].PlayerID != annID {
		t.Errorf("leaderboard %+v", page)
	}
}

func TestImporter_Import_permanentRefusals(t *testing.T) {
	t.Parallel()
	file := annsReplay(t)
	for _, tt := range []struct {
		name      string
		change    func(*bundle, *record.FirstRecord, *archive)
		permanent bool
	}{
		{"storage is away", func(_ *bundle, _ *record.FirstRecord, a *archive) { a.err = errors.New("away") }, false},
		{"the file is not there", func(_ *bundle, f *record.FirstRecord, _ *archive) { f.Key = "replays/y" }, false},
		{"the player is not known and their owner away", func(b *bundle, f *record.FirstRecord, _ *archive) {
			f.PlayerID = gardenID
			b.owners.unavailable = true
		}, false},
		{"another file than the one that was announced",
			func(_ *bundle, f *record.FirstRecord, _ *archive) { f.ReplayHash = "00" }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			first, files := firstRecord(file), archive{file: file}
			tt.change(b, &first, &files)
			err := (&record.Importer{Submitter: b.Submitter, Archive: files}).Import(t.Context(), first)
			if err == nil || problem.IsPermanent(err) != tt.permanent {
				t.Errorf("returned %v, permanent: %v, want %v", err, problem.IsPermanent(err), tt.permanent)
			}
			if stats, _ := b.store.Stats(t.Context()); stats.Records != 0 {
				t.Error("a record was imported")
			}
		})
	}
}
