package record

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
)

const (
	// MaxReplaySize is the largest replay that a player may submit, in bytes.
	MaxReplaySize = 1 << 20
	// maxMapReplaySize is the largest replay that a map may have been submitted with.
	maxMapReplaySize = 5 << 20
)

// parsedReplay is a replay with the fingerprint of its map's physics. Of the map itself
// it has only the outline.
type parsedReplay struct {
	lbreplay.Replay
	fingerprint string
	// hash is the hexadecimal SHA-256 of the file.
	hash string
}

// maxConcurrentParses bounds the memory of parsing: a map of a few kilobytes may
// decompress to tens of megabytes.
const maxConcurrentParses = 2

var parseSlots = make(chan struct{}, maxConcurrentParses)

// parseReplay parses a file of at most maxSize bytes and returns the first problem that the
// file alone shows. It waits until a slot is free or ctx ends.
func (c *mapCache) parseReplay(ctx context.Context, file []byte, maxSize int, now time.Time) (parsedReplay, error) {
	switch {
	case len(file) == 0:
		return parsedReplay{}, ErrReplayMissing
	case len(file) > maxSize:
		return parsedReplay{}, ErrReplayTooLarge
	}
	select {
	case parseSlots <- struct{}{}:
		defer func() { <-parseSlots }()
	case <-ctx.Done():
		return parsedReplay{}, ctx.Err()
	}
	fingerprints := map[*bonkmap.Map]string{}
	replay, err := lbreplay.ParseWith(file, now, func(mapString string) (*bonkmap.Map, error) {
		digest, err := c.decode(mapString)
		if err != nil {
			return nil, err
		}
		fingerprints[&digest.outline] = digest.fingerprint
		return &digest.outline, nil
	})
	switch {
	case err != nil:
		return parsedReplay{}, ErrReplayInvalid.Wrap(err)
	case !replay.Validated:
		return parsedReplay{}, ErrReplayNotValidated
	case len(replay.Disagreements) > 0:
		return parsedReplay{}, disagreementProblem(replay.Disagreements)
	case replay.Map == nil:
		return parsedReplay{}, ErrMapDataMissing
	}
	return parsedReplay{Replay: *replay, fingerprint: fingerprints[replay.Map], hash: hashOf(file)}, nil
}

// disagreementProblem names the labels that contradict the map data.
func disagreementProblem(all []lbreplay.Disagreement) error {
	err := ErrReplayDisagrees
	for _, d := range all {
		err = err.WithField("replayFile", "The "+string(d.Subject)+" is not that of the map data.")
	}
	return err
}

// checkTimes returns what is wrong with the finish time or the time stamp.
func (r parsedReplay) checkTimes() error {
	if r.FinishTime <= 0 {
		return ErrFinishTimeMissing
	}
	switch r.TimestampFault {
	case lbreplay.TimestampUnreadable:
		return ErrTimestampUnreadable
	case lbreplay.TimestampAhead:
		return ErrReplayFromFuture
	case lbreplay.TimestampTooOld:
		return ErrReplayTooOld // it would win every tie
	case lbreplay.NoTimestampFault:
	}
	return nil
}

func hashOf(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}
