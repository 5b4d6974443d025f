package token

import (
	"crypto/sha256"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	// cacheFor is how long a verified token is not verified again. A key that is no longer
	// published is trusted for that long at most.
	cacheFor = time.Minute
	// maxCached bounds the cache.
	maxCached = 10_000
)

// claimsCache has the claims of recently verified tokens, by the tokens' hashes, because a client
// that submits one record often submits another.
type claimsCache struct {
	entries *lru.Cache[[sha256.Size]byte, verified]
}

func newClaimsCache() claimsCache {
	entries, err := lru.New[[sha256.Size]byte, verified](maxCached)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return claimsCache{entries}
}

type verified struct {
	claims Claims
	until  time.Time
}

func (c *claimsCache) get(raw string, now time.Time) (Claims, bool) {
	v, ok := c.entries.Get(sha256.Sum256([]byte(raw)))
	if !ok || !now.Before(v.until) {
		return Claims{}, false
	}
	claims := v.claims
	claims.Roles = slices.Clone(claims.Roles)
	return claims, true
}

// put stores claims until they expire, or for cacheFor at most.
func (c *claimsCache) put(raw string, claims Claims, now time.Time) {
	until := now.Add(cacheFor)
	if claims.ExpiresAt.Before(until) {
		until = claims.ExpiresAt
	}
	claims.Roles = slices.Clone(claims.Roles)
	c.entries.Add(sha256.Sum256([]byte(raw)), verified{claims, until})
}
