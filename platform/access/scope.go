package access

import (
	"slices"

	"capzone.dev/platform/problem"
)

// Scope is what a personal token allows to its player's programs.
type Scope string

// The scopes.
const (
	ScopeSubmitRecords Scope = "records:submit"
	ScopeReadInbox     Scope = "inbox:read"
	ScopeFollows       Scope = "follows"
	ScopeWebhooks      Scope = "webhooks"
)

// Scopes returns all scopes in the order in which they are shown.
func Scopes() []Scope {
	return []Scope{ScopeSubmitRecords, ScopeReadInbox, ScopeFollows, ScopeWebhooks}
}

// ErrScopeMissing means that a personal token does not have the scope that an action needs, or that no token may take
// the action.
var ErrScopeMissing = problem.Forbidden("scope_missing",
	"This cannot be done with a personal token. Please log in on the site.")

// MissingScope returns ErrScopeMissing for a token that lacks a scope, with a message that names it. An empty scope is
// that of what no token may do.
func MissingScope(scope Scope) error {
	if scope == "" {
		return ErrScopeMissing
	}
	return ErrScopeMissing.WithMessage("scope_named", "This needs a personal token with the scope {scope}.").
		WithData("scope", scope)
}

// WithToken returns the actor who acts by the personal token with an id and scopes. An empty id is no token.
func (a Actor) WithToken(id string, scopes []Scope) Actor {
	a.TokenID, a.Scopes = id, scopes
	return a
}

// RequireScope returns ErrScopeMissing where the actor acts by a personal token that does not have a scope.
func (a Actor) RequireScope(scope Scope) error {
	if a.TokenID != "" && !slices.Contains(a.Scopes, scope) {
		return MissingScope(scope)
	}
	return nil
}

// RequireScopeOf returns ErrScopeMissing where the actor acts by a personal token that does not allow the action.
func (a Actor) RequireScopeOf(action Action) error { return a.RequireScope(permissions[action].scope) }
