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
	// Grace is how long after its use a token is exchanged again, because the answer may have been lost. A page waits up
	// to 15 seconds for its other tabs and 10 for the answer, and the gateway up to 30 for the service: after 60 no such
	// request is under way.
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
	// UsedAt is when this token, or another one of the family that was unused at that time, was exchanged. It is zero for
	// an unused token.
	UsedAt time.Time
}

// Exchange is what the exchange of a token stores, and what the browser gets.
type Exchange struct {
	// Next is a new token, and Raw the same as the browser gets it; nil and empty where it gets none.
	Next *Token
	Raw  string
	// UsedAt is when all unused tokens of the family are used up, zero where they stay.
	UsedAt time.Time
	// Revoke is why the family ends at RevokeAt, empty where it goes on.
	Revoke   Cause
	RevokeAt time.Time
	// Refusal is why the browser gets no token, nil where it gets one.
	Refusal error
}

// exchange returns the result of an exchange at a moment for a token that arrived at a time. A used token is exchanged
// again during Grace; later it ends the family, because another program holds a copy of it.
func exchange(token TokenState, arrivedAt, now time.Time) Exchange {
	raw, next := newToken(now)
	switch {
	case token.Revoked:
		return Exchange{Refusal: ErrInvalid}
	case !arrivedAt.Before(token.ExpiresAt):
		return Exchange{Refusal: ErrExpired}
	case token.UsedAt.IsZero():
		return Exchange{Next: &next, Raw: raw, UsedAt: now}
	case arrivedAt.Before(token.UsedAt.Add(Grace)):
		return Exchange{Next: &next, Raw: raw}
	}
	return Exchange{Refusal: ErrReused, Revoke: ByReuse, RevokeAt: now}
}
