package record

import (
	"context"
	"errors"
	"fmt"
	"time"

	"capzone.dev/platform/problem"
)

// FirstRun is the run in the replay that a map was submitted with.
type FirstRun struct {
	MapID string
	// PlayerID is who submitted the map, and recorded the replay.
	PlayerID string
	// Bucket and Key say where the maps service keeps the replay, whose bytes
	// have the hash ReplayHash.
	Bucket, Key, ReplayHash string
	// FinishTimeStamp is the moment of the run, also where the replay does not
	// tell it.
	FinishTimeStamp time.Time
	// Delivery is the message that told of the map.
	Delivery Delivery
}

// Archive reads the files of other services.
type Archive interface {
	// Fetch reads a whole file of at most limit bytes.
	Fetch(ctx context.Context, bucket, key string, limit int64) ([]byte, error)
}

// Intake takes in the runs that new maps came with.
type Intake struct {
	*Submitter
	Archive Archive
}

// TakeIn takes a map's first run in, as if its player had handed it in. Done
// twice it has the effect of once. A run that is refused, as one of a player who
// has been banned in the meantime, returns the problem: no repetition mends that
// (see Refusal). Any other error may pass.
func (i *Intake) TakeIn(ctx context.Context, first FirstRun) error {
	_, err := i.Runs.Twin(ctx, Run{MapID: first.MapID, ReplayHash: first.ReplayHash})
	if !errors.Is(err, ErrRecordUnknown) {
		return err // nil where the run is there
	}
	player, err := i.player(ctx, first.PlayerID)
	if err != nil {
		return err
	}
	m, err := i.Maps.ByID(ctx, first.MapID)
	if err != nil {
		return err
	}
	file, err := i.Archive.Fetch(ctx, first.Bucket, first.Key, maxMapReplaySize)
	if err != nil {
		return fmt.Errorf("replay of map %s: %w", first.MapID, err)
	}
	if hashOf(file) != first.ReplayHash {
		return ErrReplayInvalid.Wrap(fmt.Errorf("%s/%s does not have the hash %s", first.Bucket, first.Key, first.ReplayHash))
	}
	replay, fingerprint, err := i.courses.readReplay(ctx, file, maxMapReplaySize, first.FinishTimeStamp)
	if err != nil {
		return err
	}
	at := i.now()
	c, err := i.withTwin(ctx, candidate{
		player: player, m: m, replay: replay, fingerprint: fingerprint, file: file, delivery: first.Delivery, at: at,
		run: runOf(replay, first.ReplayHash, at),
		// The maps service took the replay from a player who was merged since: it has seen the name.
		own: player.IsNamed(replay.PlayerName) || player.ID != first.PlayerID,
	})
	if err == nil {
		_, err = i.accept(ctx, c, i.startWatch())
	}
	if errors.Is(err, ErrDelivered) || errors.Is(err, ErrReplayExists) {
		return nil
	}
	return err
}

// Refusal tells whether err says no for good, as opposed to not now.
func Refusal(err error) bool {
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
