package record

import (
	"crypto/sha256"
	"sync"

	"capzone.dev/game/bonkmap"
)

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
		outline:     bonkmap.Map{Name: m.Name, Author: m.Author, ID: m.ID, Mode: m.Mode},
		fingerprint: m.PhysicsFingerprint().String(),
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
