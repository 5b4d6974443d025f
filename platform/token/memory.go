package token

import (
	"crypto/sha256"
	"slices"
	"time"

	"capzone.dev/platform/boundedmap"
)

const (
	// rememberFor is how long a token that was verified need not be verified again. A
	// key that is no longer published is so long trusted at most.
	rememberFor = time.Minute
	// mostRemembered bounds the memory.
	mostRemembered = 10_000
)

// memory holds the claims of tokens that were verified a moment ago: who submits
// one run often submits the next one, too. Tokens themselves are not kept. The
// zero value is empty.
type memory struct {
	of boundedmap.Map[[sha256.Size]byte, verified]
}

type verified struct {
	claims Claims
	until  time.Time
}

func (m *memory) get(raw string, now time.Time) (Claims, bool) {
	v, ok := m.of.Get(sha256.Sum256([]byte(raw)))
	if !ok || !now.Before(v.until) {
		return Claims{}, false
	}
	claims := v.claims
	claims.Roles = slices.Clone(claims.Roles)
	return claims, true
}

// put remembers claims no longer than they last.
func (m *memory) put(raw string, claims Claims, now time.Time) {
	until := now.Add(rememberFor)
	if claims.ExpiresAt.Before(until) {
		until = claims.ExpiresAt
	}
	claims.Roles = slices.Clone(claims.Roles)
	m.of.Put(sha256.Sum256([]byte(raw)), verified{claims, until}, mostRemembered)
}
