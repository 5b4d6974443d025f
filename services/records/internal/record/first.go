package record

import (
	"context"
	"errors"
	"fmt"
	"time"

	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/problem"
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

// FirstRecords submits the first records of new maps.
type FirstRecords struct {
	Submitter *Submitter
	Archive   Archive
}

// PreparedFirstRecord is a first record before the transaction that stores it.
type PreparedFirstRecord struct {
	First FirstRecord
	// Accepted is the record that is submitted, nil where the player has submitted the replay before.
	Accepted *Accepted
	// Refused is why there is nothing to store, a permanent problem, or nil.
	Refused error
}

// Prepare reads and checks the replay of a first record, and stores its file, so that Submit waits for nothing but
// locks. A refusal that no repetition changes is part of the result. An error of Prepare may pass.
func (f *FirstRecords) Prepare(ctx context.Context, first FirstRecord) (*PreparedFirstRecord, error) {
	prepared := &PreparedFirstRecord{First: first}
	_, err := f.Submitter.Records.FindDuplicate(ctx,
		Record{MapID: first.MapID, PlayerID: first.PlayerID, ReplayHash: first.ReplayHash})
	if !errors.Is(err, ErrRecordUnknown) {
		return prepared, err
	}
	accepted, err := f.accept(ctx, first)
	switch {
	case err == nil:
		prepared.Accepted = &accepted
	case errors.Is(err, ErrReplayExists): // the player has submitted it meanwhile
	case problem.IsPermanent(err):
		prepared.Refused = err
	default:
		return nil, err
	}
	return prepared, nil
}

// Submit submits a map's first record for the map's author. To submit it again has no effect. If the player has
// submitted the replay before, that record is the first one. If the record is refused, the problem is permanent (see
// problem.IsPermanent). Any other error may pass.
func (f *FirstRecords) Submit(ctx context.Context, records SubmissionStore, p *PreparedFirstRecord) error {
	if p.Refused != nil {
		return p.Refused
	}
	if p.Accepted != nil {
		accepted := *p.Accepted
		accepted.Record.CreatedAt = f.Submitter.now()
		_, err := records.Submit(ctx, accepted)
		if !errors.Is(err, ErrReplayExists) {
			return err
		}
		// The player has submitted it meanwhile.
	}
	if p.First.IsUpdate {
		return nil
	}
	return records.MarkFirst(ctx, p.First.MapID, p.First.ReplayHash)
}

// accept returns a map's first record. The maps service has checked whether its player is banned, and whether the
// player has recorded the replay: by names that the copy of the player may not have yet.
func (f *FirstRecords) accept(ctx context.Context, first FirstRecord) (Accepted, error) {
	s := f.Submitter
	player, err := s.Players.Get(ctx, first.PlayerID)
	if err != nil {
		return Accepted{}, err
	}
	m, err := s.Maps.getAlsoRemoved(ctx, first.MapID)
	if err != nil {
		return Accepted{}, err
	}
	if m.Fingerprint == "" { // the tombstone of the map came before its first state
		return Accepted{}, ErrMapRemoved
	}
	file, err := f.Archive.Fetch(ctx, first.Bucket, first.Key, maxMapReplaySize)
	if err != nil {
		return Accepted{}, fmt.Errorf("replay of map %s: %w", first.MapID, err)
	}
	replay, err := s.Parser.parse(ctx, file, maxMapReplaySize, first.FinishTimeStamp)
	if err != nil {
		return Accepted{}, err
	}
	if replay.hash != first.ReplayHash {
		return Accepted{}, ErrReplayInvalid.Wrap(fmt.Errorf("the replay of map %s has the hash %s, not %s",
			first.MapID, replay.hash, first.ReplayHash))
	}
	return s.prepare(ctx, draft{
		record: s.newRecord(replay, m, player), replay: replay, parkourMap: m, player: player, file: file,
		isOwnReplay: true, isFirst: !first.IsUpdate,
	})
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
