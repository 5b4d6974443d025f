package record

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/semaphore"
)

// MaxReplaySize is the largest replay that may be handed in, in bytes. The first
// run of a map may be as large as a map's replay.
const (
	MaxReplaySize    = 1 << 20
	maxMapReplaySize = 5 << 20
)

// reading admits so many replays at a time: a map of a few kilobytes may unfold
// into tens of megabytes.
var reading = semaphore.New(2)

// readReplay reads a file of at most limit bytes and returns what is wrong with
// it first, as far as the file alone tells. Of the map there is no more than its
// outline and the fingerprint. Replays wait for each other, as long as ctx allows.
func (c *courses) readReplay(ctx context.Context, file []byte, limit int, now time.Time) (replay *lbreplay.Replay, fingerprint string, err error) {
	switch {
	case len(file) == 0:
		return nil, "", ErrReplayMissing
	case len(file) > limit:
		return nil, "", ErrReplayTooLarge
	}
	done, err := reading.Acquire(ctx)
	if err != nil {
		return nil, "", err
	}
	defer done()
	read := map[*bonkmap.Map]string{}
	replay, err = lbreplay.ParseWith(file, now, func(mapString string) (*bonkmap.Map, error) {
		found, err := c.read(mapString)
		if err != nil {
			return nil, err
		}
		read[&found.outline] = found.fingerprint
		return &found.outline, nil
	})
	switch {
	case err != nil:
		return nil, "", ErrReplayInvalid.Wrap(err)
	case !replay.Validated:
		return nil, "", ErrReplayNotValidated
	case len(replay.Disagreements) > 0:
		return nil, "", disagrees(replay.Disagreements)
	case replay.Map == nil:
		return nil, "", ErrMapDataMissing
	}
	return replay, read[replay.Map], nil
}

// disagrees names what the file contradicts itself about.
func disagrees(all []lbreplay.Disagreement) error {
	err := ErrReplayDisagrees
	for _, d := range all {
		err = err.WithField("replayFile", "The "+string(d.Subject)+" is not that of the map data.")
	}
	return err
}

// checkTime returns what is wrong with the run's time.
func checkTime(replay *lbreplay.Replay) error {
	switch {
	case replay.FinishTime <= 0:
		return ErrFinishTimeMissing
	case replay.TimestampFault == lbreplay.TimestampUnreadable:
		return ErrTimestampUnreadable
	case replay.TimestampFault == lbreplay.TimestampAhead:
		return ErrReplayFromFuture
	case replay.TimestampFault == lbreplay.TimestampTooOld:
		return ErrReplayTooOld // which would win every tie
	}
	return nil
}

func hashOf(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}
