package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"capzone.dev/platform/event"
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

// Exchange is what becomes of a family of which a token is presented. It gets a next token unless that is refused.
type Exchange struct {
	// UsesUp is true where all unused tokens of the family are used up.
	UsesUp bool
	// Revoke is why the family ends, empty where it goes on.
	Revoke Cause
	// Refusal is why the browser gets no token, nil where it gets one.
	Refusal error
}

// Exchange returns the result of an exchange for a token that arrived at a time. A used token is exchanged again during
// Grace; later it ends the family, because another program holds a copy of it.
func (t TokenState) Exchange(at time.Time) Exchange {
	switch {
	case t.Revoked:
		return Exchange{Refusal: ErrInvalid}
	case !at.Before(t.ExpiresAt):
		return Exchange{Refusal: ErrExpired}
	case t.UsedAt.IsZero():
		return Exchange{UsesUp: true}
	case at.Before(t.UsedAt.Add(Grace)):
		return Exchange{}
	}
	return Exchange{Revoke: ByReuse, Refusal: ErrReused}
}

// Refresh exchanges a refresh token for a new one and returns it with a new access token, which has the player's
// present name, roles and ban. A token that was used longer than Grace ago ends the family. It returns ErrMissing,
// ErrExpired, ErrInvalid or ErrReused, or a problem of kind unavailable, which has used up nothing.
func (s *Sessions) Refresh(ctx context.Context, presented string) (Grant, error) {
	if presented == "" {
		return Grant{}, ErrMissing
	}
	arrivedAt, hash := s.Now(), hashOf(presented)
	family, err := s.Families.Family(ctx, hash)
	if err != nil {
		return Grant{}, err
	}
	player, err := s.Players.Get(ctx, family.PlayerID)
	switch {
	case errors.Is(err, ErrPlayerUnknown):
		return Grant{}, ErrInvalid
	case err != nil:
		return Grant{}, err
	}
	raw, next := newToken(event.InMillis(s.Now())) // what came before may have taken long
	grant, err := s.grant(player, family.ID, raw)
	if err != nil {
		return Grant{}, err
	}
	exchange, err := s.Families.Exchange(ctx, hash, next, arrivedAt)
	if err != nil {
		return Grant{}, err
	}
	if exchange.Revoke != "" {
		s.Log.WarnContext(ctx, "refresh token was used twice, its family ends", "player", family.PlayerID)
	}
	if exchange.Refusal != nil {
		return Grant{}, exchange.Refusal
	}
	return grant, nil
}
