package record_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"testing"

	"capzone.dev/game/lbreplay"
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
		FinishTimeStamp: finishedAt, Delivery: record.Delivery{Consumer: "records-maps", ID: "1"},
	}
}

func TestImporter_Import_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	// The file has no time stamp, the announcement has one.
	file := annsReplay(t, func(r *lbreplay.Replay) { r.TimestampMissing = true })
	importer := record.Importer{Submitter: b.Submitter, Archive: archive{file: file}}
	first := firstRecord(file)
	must(t, importer.Import(t.Context(), first))
	must(t, importer.Import(t.Context(), first))
	first.Delivery.ID = "2" // announced again in another message
	must(t, importer.Import(t.Context(), first))

	page, err := b.store.Leaderboard(t.Context(), record.Leaderboard{MapID: skylineID, Page: record.Page{Limit: 10}})
	must(t, err)
	if len(page.Entries) != 1 || page.Entries[0].PlayerID != annID || !page.Entries[0].FinishTimeStamp.Equal(finishedAt) {
		t.Errorf("leaderboard %+v", page)
	}
	// And so it cannot be submitted again.
	if _, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: file}); !errors.Is(err, record.ErrReplayExists) {
		t.Errorf("submitted again: %v", err)
	}
}

func TestImporter_Import_afterSubmission(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t)})
	must(t, err)
	must(t, (&record.Importer{Submitter: b.Submitter, Archive: archive{}}).Import(t.Context(), firstRecord(annsReplay(t))))
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
			b.owners.away = true
		}, false},
		{"the player was banned", func(_ *bundle, f *record.FirstRecord, _ *archive) { f.PlayerID = eveID }, true},
		{"another file than the one that was announced",
			func(_ *bundle, f *record.FirstRecord, _ *archive) { f.ReplayHash = "00" }, true},
		{"the replay is another player's", func(_ *bundle, f *record.FirstRecord, _ *archive) { f.PlayerID = bobID }, true},
		{"the map was removed", func(b *bundle, _ *record.FirstRecord, _ *archive) {
			_ = b.store.ApplyMap(context.Background(), record.Map{ID: skylineID, Version: 2, Removed: true})
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			first, files := firstRecord(file), archive{file: file}
			tt.change(b, &first, &files)
			err := (&record.Importer{Submitter: b.Submitter, Archive: files}).Import(t.Context(), first)
			if err == nil || record.IsPermanent(err) != tt.permanent {
				t.Errorf("returned %v, permanent: %v, want %v", err, record.IsPermanent(err), tt.permanent)
			}
			if stats, _ := b.store.Stats(t.Context()); stats.Records != 0 {
				t.Error("a record was imported")
			}
		})
	}
}
