package record

import (
	"context"
	"errors"
	"fmt"
	"time"

	"capzone.dev/platform/problem"
)

// FirstRecord is the record in the replay that a map was submitted with.
type FirstRecord struct {
	MapID string
	// PlayerID is the player who submitted the map, and recorded the replay.
	PlayerID string
	// Bucket and Key are where the maps service keeps the replay, whose bytes have the
	// hash ReplayHash.
	Bucket, Key, ReplayHash string
	// FinishTimeStamp is the replay's, or the time of the submission for a replay without one.
	FinishTimeStamp time.Time
	// Delivery is the message that announced the map.
	Delivery Delivery
}

// Archive reads the files of other services.
type Archive interface {
	// Fetch reads a whole file of at most limit bytes.
	Fetch(ctx context.Context, bucket, key string, limit int64) ([]byte, error)
}

// Importer imports the first records of new maps.
type Importer struct {
	*Submitter
	Archive Archive
}

// Import submits a map's first record for the map's author. To import it again has no
// effect. If the record is refused, the problem is permanent (see IsPermanent). Any other
// error may pass.
func (i *Importer) Import(ctx context.Context, first FirstRecord) error {
	_, err := i.Records.FindDuplicate(ctx, Record{MapID: first.MapID, PlayerID: first.PlayerID,
		ReplayHash: first.ReplayHash})
	if !errors.Is(err, ErrRecordUnknown) {
		return err // nil: imported before
	}
	player, err := i.submittingPlayer(ctx, first.PlayerID)
	if err != nil {
		return err
	}
	m, err := i.Maps.Get(ctx, first.MapID)
	if err != nil {
		return err
	}
	file, err := i.Archive.Fetch(ctx, first.Bucket, first.Key, maxMapReplaySize)
	if err != nil {
		return fmt.Errorf("replay of map %s: %w", first.MapID, err)
	}
	var checks checklist
	var replay parsedReplay
	err = checks.run(ReadByServer, func() (err error) {
		replay, err = i.mapCache.parseReplay(ctx, file, maxMapReplaySize, first.FinishTimeStamp)
		return err
	})
	if err != nil {
		return err
	}
	_, err = i.accept(ctx, draft{
		record: i.newRecord(replay, m, player, i.now()), replay: replay, parkourMap: m, player: player, file: file,
		checks: checks,
		// The maps service has checked the name of a player who was merged since.
		isOwnReplay: isNamed(player, replay.PlayerName) || player.ID != first.PlayerID,
		first:       &first,
	})
	if errors.Is(err, ErrDelivered) || errors.Is(err, ErrReplayExists) {
		return nil
	}
	return err
}

// IsPermanent reports whether err is a refusal, which no repetition changes.
func IsPermanent(err error) bool {
	if err == nil {
		return false
	}
	switch problem.From(err).Kind {
	case problem.KindUnavailable, problem.KindInternal:
		return false
	default:
		return true
	}
}
