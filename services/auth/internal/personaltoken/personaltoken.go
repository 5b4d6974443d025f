// Package personaltoken is the domain of personal tokens: what a player's programs act by. A program sends one to the
// gateway, which exchanges it here for an access token with the same scopes. docs/decisions/0092-personal-tokens.md
// explains why.
package personaltoken

import (
	"context"
	"errors"
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/personal"
	"capzone.dev/platform/readable"
)

const (
	// MaxPerPlayer is the number of valid tokens that a player may have.
	MaxPerPlayer = 10
	// maxName is the length of the longest name, in characters.
	maxName = 50
	// maxDays is the longest life of a token.
	maxDays = 365
	// KeptFor is how long a token is stored after it has ended, so that its player can be told what became of it.
	KeptFor = 30 * 24 * time.Hour
	// AccessLifetime is how long an access token for a personal token is valid. Gateways keep it for a minute, and a
	// stream that it opened ends with it.
	AccessLifetime = 5 * time.Minute
)

// Tokens has the use cases of personal tokens.
type Tokens struct {
	Store   Store
	Players *lookup.Lookup[event.PlayerState]
	Signer  Signer
	// NewID returns the id of a new token.
	NewID func() string
	Now   func() time.Time
}

// Token is what is stored of a personal token.
type Token struct {
	ID        string
	Hash      personal.Hash
	PlayerID  string
	Name      string
	Scopes    []access.Scope
	CreatedAt time.Time
	ExpiresAt time.Time
	// LastUsedOn is the last day on which it was used, at midnight UTC, and zero where it never was.
	LastUsedOn time.Time
	Revoked    bool
}

// isValid reports whether the token is accepted at a time.
func (t Token) isValid(now time.Time) bool { return !t.Revoked && now.Before(t.ExpiresAt) }

// New is what a player asks for.
type New struct {
	Name   string
	Scopes []access.Scope
	Days   int
}

// parse returns what is asked for with the name trimmed and the scopes in their order. It returns ErrMalformed with all
// fields that are invalid.
func (n New) parse() (New, error) {
	invalid := ErrMalformed
	var ok bool
	if n.Name, ok = readable.Line(n.Name, 1, maxName); !ok {
		invalid = invalid.WithField("name", "token_name", "A name has 1 to 50 visible characters.")
	}
	scopes := slices.DeleteFunc(access.Scopes(), func(s access.Scope) bool { return !slices.Contains(n.Scopes, s) })
	if len(scopes) == 0 || len(scopes) != len(n.Scopes) {
		invalid = invalid.WithField("scopes", "token_scopes", "A token has at least one of the scopes, each once.")
	}
	n.Scopes = scopes
	if n.Days < 1 || n.Days > maxDays {
		invalid = invalid.WithField("expiresInDays", "token_days", "A token is valid for 1 to 365 days.")
	}
	if len(invalid.Fields) > 0 {
		return New{}, invalid
	}
	return n, nil
}

// Cause is why a token was revoked.
type Cause string

// The causes.
const (
	ByPlayer   Cause = "player"
	ByBan      Cause = "ban"
	ByMerge    Cause = "merge"
	ByDeletion Cause = "deletion"
)

// CauseOf returns why the tokens of a player are revoked, and "" where they stay.
func CauseOf(p event.PlayerState) Cause {
	switch {
	case p.Removed:
		return ByMerge
	case p.Deleted:
		return ByDeletion
	case p.Banned:
		return ByBan
	}
	return ""
}

// Revocation is that of one token, or of all tokens of a player, where TokenID is empty.
type Revocation struct {
	PlayerID, TokenID string
	Cause             Cause
	At                time.Time
}

// Fact reports that a token was revoked.
func (r Revocation) Fact(tokenID string) event.TokenRevoked {
	return event.TokenRevoked{TokenID: tokenID, PlayerID: r.PlayerID, At: r.At}
}

// Store stores tokens. It announces each revocation as event.TokenRevoked, in the same transaction.
type Store interface {
	// CreateToken locks the player and stores a token. It returns an error of Owner.CheckCreate.
	CreateToken(ctx context.Context, t Token) error
	// Tokens returns the tokens of a player that are valid at a time, the newest first.
	Tokens(ctx context.Context, playerID string, now time.Time) ([]Token, error)
	// TokenByHash returns the token with a hash, also one that has ended, or ErrUnknown.
	TokenByHash(ctx context.Context, hash personal.Hash) (Token, error)
	// MarkUsed stores the day of the last use, unless it is stored already.
	MarkUsed(ctx context.Context, id string, day time.Time) error
	// RevokeToken revokes a token that is valid at the time of the revocation, or returns ErrUnknown.
	RevokeToken(ctx context.Context, r Revocation) error
}

// Owner is who makes a token, read under a lock by which nothing of it changes.
type Owner struct {
	Player event.PlayerState
	// Tokens is how many valid tokens the player has.
	Tokens int
}

// CheckCreate returns access.ErrDeleted or access.ErrForbidden, or ErrFull for one more than MaxPerPlayer.
func (o Owner) CheckCreate() error {
	switch {
	case o.Player.Deleted:
		return access.ErrDeleted
	case o.Player.Removed, o.Player.Banned:
		return access.ErrForbidden
	case o.Tokens >= MaxPerPlayer:
		return ErrFull
	}
	return nil
}

// Signer signs access tokens.
type Signer interface {
	// SignFor signs an access token for a personal token of the player that expires at a time.
	SignFor(p event.PlayerState, t Token, expiresAt time.Time) (string, error)
}

// Create makes a token for the actor and returns it with what is stored of it. It returns an error of
// access.Authorize, ErrMalformed, or an error of the store.
func (s *Tokens) Create(
	ctx context.Context, by access.Attribution, asked New,
) (raw string, created Token, err error) {
	player, _, err := access.Authorize(ctx, by, access.ManageTokens, s.Players.Get)
	if err != nil {
		return "", Token{}, err
	}
	if asked, err = asked.parse(); err != nil {
		return "", Token{}, err
	}
	now := event.InMillis(s.Now())
	raw = personal.NewToken()
	created = Token{
		ID: s.NewID(), Hash: personal.HashOf(raw), PlayerID: player.ID, Name: asked.Name, Scopes: asked.Scopes,
		CreatedAt: now, ExpiresAt: now.AddDate(0, 0, asked.Days),
	}
	if err := s.Store.CreateToken(ctx, created); err != nil {
		return "", Token{}, err
	}
	return raw, created, nil
}

// List returns the actor's valid tokens, the newest first.
func (s *Tokens) List(ctx context.Context, by access.Actor) ([]Token, error) {
	player, _, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ManageTokens, s.Players.Get)
	if err != nil {
		return nil, err
	}
	return s.Store.Tokens(ctx, player.ID, s.Now())
}

// Revoke revokes a valid token of the actor. It returns ErrUnknown where there is none with the id.
func (s *Tokens) Revoke(ctx context.Context, by access.Attribution, id string) error {
	player, _, err := access.Authorize(ctx, by, access.ManageTokens, s.Players.Get)
	if err != nil {
		return err
	}
	if !event.IsID(id) {
		return ErrUnknown
	}
	now := event.InMillis(s.Now())
	return s.Store.RevokeToken(ctx, Revocation{PlayerID: player.ID, TokenID: id, Cause: ByPlayer, At: now})
}

// ExchangeToken answers event.ExchangeTokenSubject with an access token for the personal token with a hash, with its
// scopes and without roles. It returns ErrHashMalformed, ErrInvalid for a token that is not valid or whose player is
// banned or deleted, or a problem of kind unavailable.
func (s *Tokens) ExchangeToken(ctx context.Context, req event.ExchangeToken) (event.ExchangedToken, error) {
	if len(req.Hash) != len(personal.Hash{}) {
		return event.ExchangedToken{}, ErrHashMalformed
	}
	now := s.Now()
	t, err := s.Store.TokenByHash(ctx, personal.Hash(req.Hash))
	switch {
	case errors.Is(err, ErrUnknown):
		return event.ExchangedToken{}, ErrInvalid
	case err != nil:
		return event.ExchangedToken{}, err
	case !t.isValid(now):
		return event.ExchangedToken{}, ErrInvalid
	}
	player, err := s.Players.Get(ctx, t.PlayerID)
	switch {
	case errors.Is(err, ErrPlayerUnknown):
		return event.ExchangedToken{}, ErrInvalid
	case err != nil:
		return event.ExchangedToken{}, err
	case player.Banned, player.Deleted:
		return event.ExchangedToken{}, ErrInvalid
	}
	expiresAt := now.Add(AccessLifetime)
	if t.ExpiresAt.Before(expiresAt) {
		expiresAt = t.ExpiresAt
	}
	signed, err := s.Signer.SignFor(player, t, expiresAt)
	if err != nil {
		return event.ExchangedToken{}, err
	}
	if day := now.UTC().Truncate(24 * time.Hour); t.LastUsedOn.Before(day) {
		if err := s.Store.MarkUsed(ctx, t.ID, day); err != nil {
			return event.ExchangedToken{}, err
		}
	}
	return event.ExchangedToken{AccessToken: signed, ExpiresAt: expiresAt, TokenID: t.ID, Scopes: t.Scopes}, nil
}
