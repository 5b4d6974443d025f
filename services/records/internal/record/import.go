package record

import (
	"context"
	"errors"
	"fmt"
	"time"

	"capzone.dev/game/replaycheck"
)

// FirstRecord is the record in the replay that a map was submitted with, or submitted again.
type FirstRecord struct {
	MapID string
	// PlayerID is the player who submitted the map, and recorded the replay.
	PlayerID string
	// Bucket and Key are where the maps service keeps the replay, whose bytes have the
	// hash ReplayHash.
	Bucket, Key, ReplayHash string
	// FinishTimeStamp is the replay's, or the time of the submission for a replay without one.
	FinishTimeStamp time.Time
	// IsUpdate is true for a map that was submitted again: its replay is a record like any other, and refused where the
	// player is banned by now.
	IsUpdate bool
}

// Archive reads the files of other services.
type Archive interface {
	// Fetch reads a whole file of at most limit bytes.
	Fetch(ctx context.Context, bucket, key string, limit int64) ([]byte, error)
}

// Importer imports the first records of new maps.
type Importer struct {
	Submitter *Submitter
	Archive   Archive
}

// Import submits a map's first record for the map's author. To import it again has no
// effect. If the player has submitted the replay before, that record is the first one. If
// the record is refused, the problem is permanent (see problem.IsPermanent). Any other error may pass.
func (i *Importer) Import(ctx context.Context, first FirstRecord) error {
	records := i.Submitter.Records
	_, err := records.FindDuplicate(ctx,
		Record{MapID: first.MapID, PlayerID: first.PlayerID, ReplayHash: first.ReplayHash})
	if errors.Is(err, ErrRecordUnknown) {
		err = i.submit(ctx, first)
		if !errors.Is(err, ErrReplayExists) {
			return err
		}
		err = nil // the player has submitted it meanwhile
	}
	if err != nil || first.IsUpdate {
		return err
	}
	return records.MarkFirst(ctx, first.MapID, first.ReplayHash)
}

// submit submits a map's first record. The maps service has checked whether its player is banned, and whether the
// player has recorded the replay: by names that the copy of the player may not have yet.
func (i *Importer) submit(ctx context.Context, first FirstRecord) error {
	s := i.Submitter
	player, err := s.Players.Get(ctx, first.PlayerID)
	if err != nil {
		return err
	}
	m, err := s.Maps.getAlsoRemoved(ctx, first.MapID)
	if err != nil {
		return err
	}
	file, err := i.Archive.Fetch(ctx, first.Bucket, first.Key, maxMapReplaySize)
	if err != nil {
		return fmt.Errorf("replay of map %s: %w", first.MapID, err)
	}
	replay, err := s.Parser.parse(ctx, file, maxMapReplaySize, first.FinishTimeStamp)
	if err != nil {
		return err
	}
	if replay.hash != first.ReplayHash {
		return ErrReplayInvalid.Wrap(fmt.Errorf("the replay of map %s has the hash %s, not %s",
			first.MapID, replay.hash, first.ReplayHash))
	}
	if m.Fingerprint == "" { // the tombstone of the map came before its first state
		m.GameMapID, m.Fingerprint = int64(replay.MapID), replay.inFile.Fingerprint
	}
	_, err = s.accept(ctx, draft{
		record: s.newRecord(replay, m, player), replay: replay, parkourMap: m, player: player, file: file,
		isOwnReplay: true, isFirst: !first.IsUpdate,
	})
	return err
}

// MarkFirst returns the checks of a record as those of its map's first record.
func MarkFirst(checks replaycheck.List) replaycheck.List {
	marked := append(replaycheck.List{}, checks...)
	for i, c := range marked {
		if c.Name == FirstRecordOfAuthorOrValidator {
			marked[i] = firstRecordCheck(true)
		}
	}
	return marked
}
