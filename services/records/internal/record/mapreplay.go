package record

import (
	"context"
	"errors"
	"fmt"
	"time"

	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/access"
	"capzone.dev/platform/problem"
)

// MapReplay is a replay with which a map was submitted, or submitted again. The one of a new map is its first record.
type MapReplay struct {
	MapID string
	// PlayerID is the player who submitted the map, and recorded the replay.
	PlayerID string
	// Bucket and Key are where the maps service keeps the replay, whose bytes have the hash ReplayHash.
	Bucket, Key, ReplayHash string
	// FinishTimeStamp is the replay's, or the time of the submission for a replay without one.
	FinishTimeStamp time.Time
	// IsUpdate is true for a map that was submitted again: its replay is a record like any other, and refused where the
	// player is banned by now.
	IsUpdate bool
}

// MapReplayStore stores the records of the replays with which maps are submitted.
type MapReplayStore interface {
	// SubmitMapReplay submits the record that was accepted, as SubmissionStore.Submit does. To submit it again has no
	// effect. If the player has submitted the replay before, that record becomes the first one of a new map.
	SubmitMapReplay(ctx context.Context, p *PreparedMapReplay) error
}

// Archive reads the files of other services.
type Archive interface {
	// Fetch reads a whole file of at most limit bytes.
	Fetch(ctx context.Context, bucket, key string, limit int64) ([]byte, error)
}

// MapReplays prepares the records of the replays with which maps are submitted.
type MapReplays struct {
	Submitter *Submitter
	Archive   Archive
}

// PreparedMapReplay is the record of a map's replay before the transaction that stores it.
type PreparedMapReplay struct {
	Replay MapReplay
	// Accepted is the record that is submitted, nil where the player has submitted the replay before.
	Accepted *Accepted
	// Refused is why there is nothing to store, a permanent problem, or nil.
	Refused error
}

// Prepare reads and checks the replay of a map, and stores its file, so that SubmitMapReplay waits for nothing but
// locks. A refusal that no repetition changes is part of the result. An error of Prepare may pass.
func (r *MapReplays) Prepare(ctx context.Context, of MapReplay) (*PreparedMapReplay, error) {
	bySystem := access.Attribution{Actor: access.System(Service)}
	_, _, err := access.Authorize(ctx, bySystem, access.SubmitRecord, r.Submitter.Players.Get)
	if err != nil {
		return nil, err
	}
	prepared := &PreparedMapReplay{Replay: of}
	_, err = r.Submitter.Records.FindDuplicate(ctx,
		Record{MapID: of.MapID, PlayerID: of.PlayerID, ReplayHash: of.ReplayHash})
	if !errors.Is(err, ErrRecordUnknown) {
		return prepared, err
	}
	accepted, err := r.prepareRecord(ctx, of)
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

// prepareRecord returns the record of a map's replay. The maps service has checked whether its player is banned, and
// whether the player has recorded the replay: by names that the copy of the player may not have yet.
func (r *MapReplays) prepareRecord(ctx context.Context, of MapReplay) (Accepted, error) {
	s := r.Submitter
	player, err := s.Players.Get(ctx, of.PlayerID)
	if err != nil {
		return Accepted{}, err
	}
	m, err := s.Maps.getAlsoRemoved(ctx, of.MapID)
	if err != nil {
		return Accepted{}, err
	}
	if m.Fingerprint == "" { // the tombstone of the map came before its first state
		return Accepted{}, ErrMapRemoved
	}
	file, err := r.Archive.Fetch(ctx, of.Bucket, of.Key, maxMapReplaySize)
	if err != nil {
		return Accepted{}, fmt.Errorf("replay of map %s: %w", of.MapID, err)
	}
	replay, err := s.Parser.parse(ctx, file, maxMapReplaySize, of.FinishTimeStamp)
	if err != nil {
		return Accepted{}, err
	}
	if replay.hash != of.ReplayHash {
		return Accepted{}, ErrReplayInvalid.Wrap(fmt.Errorf("the replay of map %s has the hash %s, not %s",
			of.MapID, replay.hash, of.ReplayHash))
	}
	return s.prepare(ctx, draft{
		record: s.newRecord(replay, m, player), replay: replay, parkourMap: m, player: player, file: file,
		isOwnReplay: true, isFirst: !of.IsUpdate,
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
