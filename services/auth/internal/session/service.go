package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"time"

	"capzone.dev/platform/event"
)

// Lifetimes of refresh tokens.
const (
	// Lifetime is how long a refresh token counts.
	Lifetime = 30 * 24 * time.Hour
	// Grace is how long after its use a token still gets a sibling.
	Grace = 10 * time.Second
)

// Service has the use cases of sessions.
type Service struct {
	Families Families
	Copies   Copies
	Owner    Owner
	Signer   Signer
	// NewID makes the id of a family.
	NewID func() string
	Now   func() time.Time
	Log   *slog.Logger
}

// Grant is what a browser gets to act for a player.
type Grant struct {
	AccessToken string
	// RefreshToken goes into a cookie and is kept nowhere else.
	RefreshToken string
	Player       event.PlayerState
}

// Family is all the tokens that came from one login.
type Family struct {
	ID       string
	PlayerID string
}

// Hash is the SHA-256 of a refresh token.
type Hash [sha256.Size]byte

// Token is what is kept of a refresh token.
type Token struct {
	Hash      Hash
	CreatedAt time.Time
	ExpiresAt time.Time
}

// TokenState is what is known of a presented token.
type TokenState struct {
	Family  Family
	Revoked bool
	// ExpiresAt is when the token expires.
	ExpiresAt time.Time
	// UsedAt is when the token, or another of its generation, was rotated; zero
	// while it is of the present generation.
	UsedAt time.Time
}

// Cause says why a family was revoked.
type Cause string

// The causes.
const (
	ByLogout Cause = "logout"
	ByReuse  Cause = "reuse"
	ByBan    Cause = "ban"
	ByMerge  Cause = "merge"
)

// EndedBy returns why the sessions of a player end who may not be logged in.
func EndedBy(p event.PlayerState) Cause {
	if p.MergedInto != "" {
		return ByMerge
	}
	return ByBan
}

// Families keeps families and their tokens.
type Families interface {
	// Start keeps a family with its first token, and the player's copy, if that
	// is newer. Returns ErrBanned when the copy says so.
	Start(ctx context.Context, f Family, t Token, player event.PlayerState) error
	// Find returns ErrInvalid for an unknown token.
	Find(ctx context.Context, presented Hash) (TokenState, error)
	// Rotate raises the generation and keeps next in it, if presented is of the
	// present generation of a living family. Of many who try at once one gets true.
	Rotate(ctx context.Context, presented Hash, next Token) (bool, error)
	// AddSibling keeps next in the present generation of a living family.
	AddSibling(ctx context.Context, family string, next Token) (bool, error)
	// Revoke ends a family, RevokeToken the one of a token, if there is one.
	Revoke(ctx context.Context, family string, because Cause, at time.Time) error
	RevokeToken(ctx context.Context, presented Hash, because Cause, at time.Time) error
	// Sweep forgets at most so many tokens and families that expired before then,
	// and returns how many it forgot.
	Sweep(ctx context.Context, expiredBefore time.Time, most int) (int, error)
}

// Copies keeps what is known of players.
type Copies interface {
	// Player returns ErrPlayerUnknown when there is no copy yet.
	Player(ctx context.Context, id string) (event.PlayerState, error)
	// TakePlayer keeps the state if it is newer than the copy. All families of a
	// player who is banned or removed are revoked with it.
	TakePlayer(ctx context.Context, p event.PlayerState, at time.Time) error
}

// Owner is the players service.
type Owner interface {
	// Player returns ErrPlayerUnknown, or a problem of kind unavailable.
	Player(ctx context.Context, id string) (event.PlayerState, error)
}

// Signer makes access tokens.
type Signer interface {
	Sign(p event.PlayerState) (string, error)
}

// newToken returns a random token and what is kept of it.
func newToken(now time.Time) (raw string, kept Token) {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails
	raw = base64.RawURLEncoding.EncodeToString(secret[:])
	return raw, Token{Hash: hashOf(raw), CreatedAt: now, ExpiresAt: now.Add(Lifetime)}
}

func hashOf(raw string) Hash { return sha256.Sum256([]byte(raw)) }
