package token

import (
	"crypto/sha256"
	"slices"
	"time"

	"capzone.dev/platform/boundedmap"
)

const (
	// cacheFor is how long a token that was verified need not be verified again. A
	// key that is no longer published is so long trusted at most.
	cacheFor = time.Minute
	// maxCached bounds the cache.
	maxCached = 10_000
)

// claimsCache holds the claims of tokens that were verified a moment ago: who submits
// one run often submits the next one, too. Tokens themselves are not kept. The
// zero value is empty.
type claimsCache struct {
	of boundedmap.Map[[sha256.Size]byte, verified]
}

type verified struct {
	claims Claims
	until  time.Time
}

func (c *claimsCache) get(raw string, now time.Time) (Claims, bool) {
	v, ok := c.of.Get(sha256.Sum256([]byte(raw)))
	if !ok || !now.Before(v.until) {
		return Claims{}, false
	}
	claims := v.claims
	claims.Roles = slices.Clone(claims.Roles)
	return claims, true
}

// put keeps claims no longer than they last.
func (c *claimsCache) put(raw string, claims Claims, now time.Time) {
	until := now.Add(cacheFor)
	if claims.ExpiresAt.Before(until) {
		until = claims.ExpiresAt
	}
	claims.Roles = slices.Clone(claims.Roles)
	c.of.Put(sha256.Sum256([]byte(raw)), verified{claims, until}, maxCached)
}
