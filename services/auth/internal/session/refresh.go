package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
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

// Refresh exchanges a refresh token for a new one and returns it with a new access token, which has the player's
// present name, roles and ban. A token that was used longer than Grace ago ends the family. It returns ErrMissing,
// ErrExpired, ErrInvalid or ErrReused, or a problem of kind unavailable, which has used up nothing.
func (s *Service) Refresh(ctx context.Context, presented string) (Grant, error) {
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
	player = withoutRights(player)
	access, err := s.Signer.Sign(player, family.ID)
	if err != nil {
		return Grant{}, err
	}

	outcome, err := s.Families.Exchange(ctx, hash, func(token TokenState) Exchange {
		// The family is locked: what happened before this moment is committed.
		return exchange(token, arrivedAt, s.Now())
	})
	if err != nil {
		return Grant{}, err
	}
	if outcome.Revoke != "" {
		s.Log.WarnContext(ctx, "refresh token was used twice, its family ends", "player", family.PlayerID)
	}
	if outcome.Refusal != nil {
		return Grant{}, outcome.Refusal
	}
	return Grant{AccessToken: access, RefreshToken: outcome.Raw, Player: player}, nil
}
