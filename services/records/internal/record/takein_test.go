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

func firstRun(file []byte) record.FirstRun {
	sum := sha256.Sum256(file)
	return record.FirstRun{
		MapID: skylineID, PlayerID: annID, Bucket: "capzone-maps", Key: "replays/x", ReplayHash: hex.EncodeToString(sum[:]),
		FinishTimeStamp: runAt, Delivery: record.Delivery{Consumer: "records-maps", ID: "1"},
	}
}

func TestTheFirstRunOfAMapIsTakenInOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	// The file does not tell its moment, the maps service did.
	file := annsRun(t, func(r *lbreplay.Replay) { r.TimestampMissing = true })
	intake := record.Intake{Submitter: b.Submitter, Archive: archive{file: file}}
	first := firstRun(file)
	must(t, intake.TakeIn(t.Context(), first))
	must(t, intake.TakeIn(t.Context(), first))
	first.Delivery.ID = "2" // told again in another message
	must(t, intake.TakeIn(t.Context(), first))

	page, err := b.store.Leaderboard(t.Context(), record.Leaderboard{MapID: skylineID, Window: record.Window{Limit: 10}})
	must(t, err)
	if len(page.Entries) != 1 || page.Entries[0].PlayerID != annID || !page.Entries[0].FinishTimeStamp.Equal(runAt) {
		t.Errorf("leaderboard %+v", page)
	}
	// And so it cannot be submitted again.
	if _, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: file}); !errors.Is(err, record.ErrReplayExists) {
		t.Errorf("submitted again: %v", err)
	}
}

func TestARunThatItsPlayerWasFasterToSubmitIsThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsRun(t)})
	must(t, err)
	must(t, (&record.Intake{Submitter: b.Submitter, Archive: archive{}}).TakeIn(t.Context(), firstRun(annsRun(t))))
}

func TestTakeInTellsForGoodFromForNow(t *testing.T) {
	t.Parallel()
	file := annsRun(t)
	for _, tt := range []struct {
		name    string
		change  func(*bundle, *record.FirstRun, *archive)
		forGood bool
	}{
		{"storage is away", func(_ *bundle, _ *record.FirstRun, a *archive) { a.err = errors.New("away") }, false},
		{"the file is not there", func(_ *bundle, f *record.FirstRun, _ *archive) { f.Key = "replays/y" }, false},
		{"the player is not known and their owner away", func(b *bundle, f *record.FirstRun, _ *archive) {
			f.PlayerID = gardenID
			b.owners.away = true
		}, false},
		{"the player was banned", func(_ *bundle, f *record.FirstRun, _ *archive) { f.PlayerID = eveID }, true},
		{"the file is not the one that was told of", func(_ *bundle, f *record.FirstRun, _ *archive) { f.ReplayHash = "00" }, true},
		{"the replay is another player's", func(_ *bundle, f *record.FirstRun, _ *archive) { f.PlayerID = bobID }, true},
		{"the map was taken down", func(b *bundle, _ *record.FirstRun, _ *archive) {
			_ = b.store.TakeMap(context.Background(), record.Map{ID: skylineID, Version: 2, Removed: true})
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			first, files := firstRun(file), archive{file: file}
			tt.change(b, &first, &files)
			err := (&record.Intake{Submitter: b.Submitter, Archive: files}).TakeIn(t.Context(), first)
			if err == nil || record.Refusal(err) != tt.forGood {
				t.Errorf("returned %v, for good: %v, want %v", err, record.Refusal(err), tt.forGood)
			}
			if stats, _ := b.store.Stats(t.Context()); stats.Records != 0 {
				t.Error("a run was taken in")
			}
		})
	}
}
