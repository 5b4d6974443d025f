// Package session is the domain of logged-in sessions: access tokens that last 15 minutes and the
// refresh tokens that a browser exchanges for new ones.
//
// A login begins a family of refresh tokens. Exchanging a token uses up all that the family has unused. A used token is
// exchanged again for a minute, because the answer may have been lost. Later it ends the family, because another
// program holds a copy of it. docs/decisions/0034-refresh-tokens-after-lost-answers.md explains the rule.
package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
)

// Sessions has the use cases of sessions.
type Sessions struct {
	Families FamilyStore
	Players  *lookup.Lookup[event.PlayerState]
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
	ByMerge  Cause = "merge"
	// ByDeletion is of a player whose account was deleted.
	ByDeletion Cause = "deletion"
)

// CauseOf returns why the sessions of a player end, and "" where they go on.
func CauseOf(p event.PlayerState) Cause {
	switch {
	case p.Removed:
		return ByMerge
	case p.Deleted:
		return ByDeletion
	}
	return ""
}

// FamilyStore stores families and their tokens.
type FamilyStore interface {
	// Start locks the player's copy, which it stores if it is newer, and stores a family with its first token. It returns
	// an error of CheckStart.
	Start(ctx context.Context, f Family, first Token, player event.PlayerState) error
	// Family returns the family whose token was presented, or ErrInvalid.
	Family(ctx context.Context, presented Hash) (Family, error)
	// IsLive reports whether a family exists, is not revoked, and has not expired at a time.
	IsLive(ctx context.Context, id string, now time.Time) (bool, error)
	// Exchange locks the family of a token that arrived at a time, stores what TokenState.Exchange returns, with the next
	// token where that is not refused, and returns it. The time of the exchange is that of the next token. It returns
	// ErrInvalid for an unknown token.
	Exchange(ctx context.Context, presented Hash, next Token, arrivedAt time.Time) (Exchange, error)
	// RevokeByToken ends the family of a token. An unknown token is no error.
	RevokeByToken(ctx context.Context, presented Hash, cause Cause, at time.Time) error
}

// Signer signs access tokens.
type Signer interface {
	// Sign signs an access token of a family.
	Sign(p event.PlayerState, familyID string) (string, error)
}

// Start begins a session of a player who has just proved the account. A banned player gets one too, to
// read why and to appeal. It returns an error of CheckStart.
func (s *Sessions) Start(ctx context.Context, player event.PlayerState) (Grant, error) {
	family := Family{ID: s.NewID(), PlayerID: player.ID}
	raw, first := newToken(event.InMillis(s.Now()))
	grant, err := s.grant(player, family.ID, raw)
	if err != nil {
		return Grant{}, err
	}
	if err := s.Families.Start(ctx, family, first, player); err != nil {
		return Grant{}, fmt.Errorf("start a session: %w", err)
	}
	return grant, nil
}

// CheckStart returns ErrMerged for a player, read under a lock by which nothing of the copy changes, who is removed or
// deleted.
func CheckStart(p event.PlayerState) error {
	if p.Removed || p.Deleted {
		return ErrMerged
	}
	return nil
}

// grant signs an access token of a family and returns it with a refresh token. A banned player gets no roles.
func (s *Sessions) grant(p event.PlayerState, familyID, refreshToken string) (Grant, error) {
	if p.Banned {
		p.Roles = []string{}
	}
	access, err := s.Signer.Sign(p, familyID)
	return Grant{AccessToken: access, RefreshToken: refreshToken, Player: p}, err
}

// End ends the session of a refresh token. A token that is empty, unknown or used is no error.
func (s *Sessions) End(ctx context.Context, presented string) error {
	if presented == "" {
		return nil
	}
	return s.Families.RevokeByToken(ctx, hashOf(presented), ByLogout, event.InMillis(s.Now()))
}

// CheckSession answers event.CheckSessionSubject. It returns ErrEnded unless the session goes on whose family has the
// id. An access token of it may be valid for some minutes more.
func (s *Sessions) CheckSession(ctx context.Context, req event.CheckSession) (none struct{}, err error) {
	if !event.IsID(req.SessionID) {
		return none, ErrEnded
	}
	isLive, err := s.Families.IsLive(ctx, req.SessionID, s.Now())
	if err == nil && !isLive {
		err = ErrEnded
	}
	return none, err
}

// ExportID returns the id of a player, whose rows keep it after a merge. It returns access.ErrDeleted for a player
// whose account was deleted.
func (s *Sessions) ExportID(ctx context.Context, playerID string) (string, error) {
	p, err := s.Players.Load(ctx, playerID)
	switch {
	case errors.Is(err, ErrPlayerUnknown): // the copy has not arrived
		return playerID, nil
	case err != nil:
		return "", err
	case p.Deleted:
		return "", access.ErrDeleted
	}
	return playerID, nil
}
