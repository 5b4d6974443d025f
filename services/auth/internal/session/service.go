// Package session is the domain of logged-in sessions: access tokens that last 15 minutes and the
// refresh tokens that a browser exchanges for new ones.
//
// A login begins a family of refresh tokens. Exchanging a token begins the family's next
// generation. A used token gets a sibling, a further token of the present generation, while the
// answer to its exchange may have been lost. Otherwise somebody else holds a copy of it, and the
// family ends. docs/decisions/0034-refresh-tokens-after-lost-answers.md explains the rule.
package session

import (
	"context"
	"log/slog"
	"time"

	"capzone.dev/platform/event"
)

// Service has the use cases of sessions.
type Service struct {
	Families Families
	Players  Players
	Signer   Signer
	// NewID returns the id of a new family.
	NewID func() string
	Now   func() time.Time
	Log   *slog.Logger
}

// Grant is what a browser gets to act for a player.
type Grant struct {
	AccessToken string
	// RefreshToken goes into a cookie. Only its hash is stored.
	RefreshToken string
	Player       event.PlayerState
}

// Family is all the refresh tokens that came from one login.
type Family struct {
	ID       string
	PlayerID string
}

// Cause is why a family was revoked.
type Cause string

// The causes.
const (
	ByLogout Cause = "logout"
	ByReuse  Cause = "reuse"
	ByBan    Cause = "ban"
	ByMerge  Cause = "merge"
)

// Families stores families and their tokens.
type Families interface {
	// Start stores a family with its first token, and the player's copy if it is newer than the
	// stored one. It returns ErrBanned for a player who is banned or removed.
	Start(ctx context.Context, f Family, first Token, player event.PlayerState) error
	// PlayerID returns the player whose token was presented, or ErrInvalid.
	PlayerID(ctx context.Context, presented Hash) (string, error)
	// Exchange locks the family of the presented token, calls decide with the token's state and
	// stores the decision, all in one transaction. It returns ErrInvalid for an unknown token.
	Exchange(ctx context.Context, presented Hash, decide func(TokenState) Decision) error
	// RevokeByToken ends the family of a token. An unknown token is no error.
	RevokeByToken(ctx context.Context, presented Hash, cause Cause, at time.Time) error
	// ApplyPlayer stores a state of a player that is newer than the copy. It revokes all families
	// of a player who is banned or removed, in the same transaction.
	ApplyPlayer(ctx context.Context, p event.PlayerState, at time.Time) error
	// Sweep removes at most limit tokens and families that expired before then, and returns how many.
	Sweep(ctx context.Context, expiredBefore time.Time, limit int) (int, error)
}

// Players reads players.
type Players interface {
	// Get returns the player with the id. It returns ErrPlayerUnknown for one who is unknown or
	// removed, or a problem of kind unavailable.
	Get(ctx context.Context, id string) (event.PlayerState, error)
}

// Signer signs access tokens.
type Signer interface {
	Sign(p event.PlayerState) (string, error)
}
