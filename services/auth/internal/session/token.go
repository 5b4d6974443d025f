package session

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"
)

const (
	// Lifetime is how long a refresh token is valid.
	Lifetime = 30 * 24 * time.Hour
	// Grace is how long after its use any token still gets a sibling, for requests that were under
	// way at that time. A page waits up to 15 seconds for its other tabs and 10 for the answer, and
	// the gateway up to 30 for the service: after 60 no such request is left.
	Grace = time.Minute
)

// Hash is the SHA-256 of a refresh token.
type Hash [sha256.Size]byte

// Token is what is stored of a refresh token.
type Token struct {
	Hash      Hash
	CreatedAt time.Time
	ExpiresAt time.Time
}

// newToken returns a random token and what is stored of it.
func newToken(now time.Time) (raw string, stored Token) {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails
	raw = base64.RawURLEncoding.EncodeToString(secret[:])
	return raw, Token{Hash: hashOf(raw), CreatedAt: now, ExpiresAt: now.Add(Lifetime)}
}

func hashOf(raw string) Hash { return sha256.Sum256([]byte(raw)) }

// TokenState is what is known of a presented token while its family is locked.
type TokenState struct {
	Family    Family
	Revoked   bool
	ExpiresAt time.Time
	// Age is how many generations have begun since the token's own.
	Age int64
	// Exchanged is true for the one token of a generation whose exchange began the next. Its
	// siblings are used up by that as well.
	Exchanged bool
	// UsedAt is when the next generation began, zero for a token of the present generation.
	UsedAt time.Time
}

// tokenUse is what a presented token may be used for.
type tokenUse int

const (
	invalid tokenUse = iota
	expired
	rotate  // begin the next generation
	sibling // get a further token of the present generation
	reused  // end the family
)

// use returns what a token that arrived at a time may be used for. A token that was exchanged gets
// siblings for as long as no token of the next generation was presented, because the answer may
// have been lost.
func (t TokenState) use(arrivedAt time.Time) tokenUse {
	switch {
	case t.Revoked:
		return invalid
	case !arrivedAt.Before(t.ExpiresAt):
		return expired
	case t.Age == 0:
		return rotate
	case t.Age == 1 && t.Exchanged, arrivedAt.Before(t.UsedAt.Add(Grace)):
		return sibling
	}
	return reused
}

// Decision is what the exchange of a token stores, and what the browser gets.
type Decision struct {
	// Next is a new token, and Raw the same as the browser gets it; nil and empty where it gets none.
	Next *Token
	Raw  string
	// Rotate is true where Next begins the next generation.
	Rotate bool
	// Revoke is why the family ends at RevokeAt, empty where it goes on.
	Revoke   Cause
	RevokeAt time.Time
	// Refusal is why the browser gets no token, nil where it gets one.
	Refusal error
}

// decide returns the result of an exchange at a moment for a token that arrived at a time.
func decide(token TokenState, arrivedAt, now time.Time) Decision {
	raw, next := newToken(now)
	switch token.use(arrivedAt) {
	case rotate:
		return Decision{Next: &next, Raw: raw, Rotate: true}
	case sibling:
		return Decision{Next: &next, Raw: raw}
	case expired:
		return Decision{Refusal: ErrExpired}
	case reused:
		return Decision{Refusal: ErrReused, Revoke: ByReuse, RevokeAt: now}
	case invalid:
	}
	return Decision{Refusal: ErrInvalid}
}
