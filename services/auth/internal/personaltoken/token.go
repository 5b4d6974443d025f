package personaltoken

import (
	"slices"
	"time"

	"capzone.dev/platform/access"
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
)

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

// dayOf returns the day of a time, at midnight UTC.
func dayOf(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }
