package record

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
)

const (
	// MaxReplaySize is the largest replay that a player may submit, in bytes.
	MaxReplaySize = 1 << 20
	// maxMapReplaySize is the largest replay that a map may have been submitted with.
	maxMapReplaySize = 5 << 20
)

// parsedReplay is a replay with what is needed of its map. Of the map itself it has only
// the outline.
type parsedReplay struct {
	lbreplay.Replay
	// fingerprint and finishIsAmbiguous are as in mapDigest.
	fingerprint       string
	finishIsAmbiguous bool
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
		return parsedReplay{}, event.ErrReplayMissing
	case len(file) > maxSize:
		return parsedReplay{}, ErrReplayTooLarge
	}
	select {
	case parseSlots <- struct{}{}:
		defer func() { <-parseSlots }()
	case <-ctx.Done():
		return parsedReplay{}, ctx.Err()
	}
	digests := map[*bonkmap.Map]mapDigest{}
	replay, err := lbreplay.ParseWith(file, now, func(mapString string) (*bonkmap.Map, error) {
		digest, err := c.decode(mapString)
		if err != nil {
			return nil, err
		}
		digests[&digest.outline] = digest
		return &digest.outline, nil
	})
	switch {
	case err != nil:
		return parsedReplay{}, event.ErrReplayInvalid.Wrap(err)
	case !replay.Validated:
		return parsedReplay{}, event.ErrReplayNotValidated
	case len(replay.Disagreements) > 0:
		return parsedReplay{}, disagreementProblem(replay.Disagreements)
	case replay.Map == nil:
		return parsedReplay{}, event.ErrMapDataMissing
	}
	digest := digests[replay.Map]
	return parsedReplay{
		Replay: *replay, fingerprint: digest.fingerprint, finishIsAmbiguous: digest.finishIsAmbiguous, hash: hashOf(file),
	}, nil
}

// disagreementProblem names the labels that contradict the map data.
func disagreementProblem(all []lbreplay.Disagreement) error {
	err := event.ErrReplayDisagrees
	for _, d := range all {
		err = err.WithField("replayFile", "The "+string(d.Subject)+" is not that of the map data.")
	}
	return err
}

// checkFinishTime returns what is wrong with the finish time.
func (r parsedReplay) checkFinishTime() error {
	switch {
	case r.FinishTime <= 0:
		return event.ErrFinishTimeMissing
	case r.FinishTime != racetime.Snap(r.FinishTime):
		return event.ErrReplayInvalid
	}
	return nil
}

// checkTimeStamp returns what is wrong with the time stamp, or errNotApplicable if there is none.
func (r parsedReplay) checkTimeStamp() error {
	switch r.TimestampFault {
	case lbreplay.TimestampUnreadable:
		return event.ErrTimestampUnreadable
	case lbreplay.TimestampAhead:
		return event.ErrReplayFromFuture
	case lbreplay.TimestampTooOld:
		return event.ErrReplayTooOld // it would win every tie
	case lbreplay.NoTimestampFault:
	}
	if r.TimestampMissing {
		return errNotApplicable
	}
	return nil
}

func hashOf(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}

const (
	// maxCachedMaps bounds the cache's memory.
	maxCachedMaps = 1000
	// maxCachedNames bounds the names of a cached map and its author together, in bytes.
	maxCachedNames = 500
)

// mapCache remembers what was decoded of maps. Most replays are of maps that were
// decoded before, and decoding is most of the work of reading a replay. The zero value
// is an empty cache. It may be used concurrently.
type mapCache struct {
	mu      sync.Mutex
	digests map[[sha256.Size]byte]mapDigest
}

// mapDigest is what is needed of a decoded map.
type mapDigest struct {
	// outline is the map without its physics.
	outline bonkmap.Map
	// fingerprint is that of the physics, in hexadecimal digits.
	fingerprint string
	// finishIsAmbiguous is true when a replay could end at a zone in the middle of the map.
	finishIsAmbiguous bool
}

// decode returns the digest of a map string.
func (c *mapCache) decode(mapString string) (mapDigest, error) {
	key := sha256.Sum256([]byte(mapString))
	if digest, ok := c.get(key); ok {
		return digest, nil
	}
	m, err := bonkmap.Decode(mapString)
	if err != nil {
		return mapDigest{}, err
	}
	digest := mapDigest{
		outline:           bonkmap.Map{Name: m.Name, Author: m.Author, ID: m.ID, Mode: m.Mode},
		fingerprint:       m.PhysicsFingerprint().String(),
		finishIsAmbiguous: m.FinishIsAmbiguous(),
	}
	if len(m.Name)+len(m.Author) <= maxCachedNames {
		c.put(key, digest)
	}
	return digest, nil
}

func (c *mapCache) get(key [sha256.Size]byte) (mapDigest, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	digest, ok := c.digests[key]
	return digest, ok
}

// put begins an empty cache where the old one is full.
func (c *mapCache) put(key [sha256.Size]byte, digest mapDigest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.digests == nil || len(c.digests) >= maxCachedMaps {
		c.digests = map[[sha256.Size]byte]mapDigest{}
	}
	c.digests[key] = digest
}
