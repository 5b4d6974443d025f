//go:generate go test -run ^TestActions_document$ -update .

// Package access says who may make which change: the actors, the actions, and the table of
// roles and actions. docs/permissions.md is generated from the table.
package access

import (
	"context"
	"slices"

	"capzone.dev/platform/problem"
)

// Roles of players with rights. All other roles are badges.
const (
	Admin     = "admin"
	Moderator = "moderator"
	Validator = "validator"
)

// Kind is what an actor is.
type Kind string

// The kinds of actors.
const (
	// KindPlayer is a player who has logged in.
	KindPlayer Kind = "player"
	// KindOperator is a person who runs commands on the machine itself.
	KindOperator Kind = "operator"
	// KindSystem is a service that acts by itself.
	KindSystem Kind = "system"
)

// Actor is who makes a change.
type Actor struct {
	Kind Kind `json:"kind"`
	// ID is the player's id, the operator's account on the machine, or the name of the service.
	ID string `json:"id"`
	// Name is the player's name.
	Name string `json:"name,omitempty"`
	// Roles are the player's roles.
	Roles []string `json:"roles,omitempty"`
	// TokenID is the id of the personal token that the player's program acts by, empty for the player. Scopes are the
	// token's.
	TokenID string  `json:"tokenId,omitempty"`
	Scopes  []Scope `json:"scopes,omitempty"`
}

// Player returns the actor for a player.
func Player(id, name string, roles []string) Actor {
	return Actor{Kind: KindPlayer, ID: id, Name: name, Roles: roles}
}

// Operator returns the actor for the operator with an account on the machine.
func Operator(account string) Actor { return Actor{Kind: KindOperator, ID: account} }

// System returns the actor for a service that acts by itself.
func System(service string) Actor { return Actor{Kind: KindSystem, ID: service} }

// Can reports whether the actor may take the action. It does not know of bans, which the services check.
func (a Actor) Can(action Action) bool {
	p, ok := permissions[action]
	switch {
	case !ok || a.RequireScopeOf(action) != nil:
		return false
	case a.Kind == KindOperator:
		return p.operator
	case a.Kind == KindSystem:
		return p.system
	case a.Kind == KindPlayer && a.ID != "":
		return p.everyPlayer ||
			slices.ContainsFunc(p.roles, func(role string) bool { return slices.Contains(a.Roles, role) })
	}
	return false
}

// Require returns nil where the actor may take the action, ErrScopeMissing where the actor's personal token does not
// allow it, or else ErrForbidden.
func (a Actor) Require(action Action) error {
	if err := a.RequireScopeOf(action); err != nil {
		return err
	}
	if !a.Can(action) {
		return ErrForbidden
	}
	return nil
}

// ErrForbidden means that the actor may not take the action. Services return copies with a sentence of their own.
var ErrForbidden = problem.Forbidden("not_allowed", "You are not allowed to do this.")

// ErrDeleted means that the account was deleted.
var ErrDeleted = problem.Forbidden("player_deleted", "This account was deleted.")

// ErrNeedsAdmin means that only an admin may take the action against the player concerned.
var ErrNeedsAdmin = problem.Forbidden("needs_admin",
	"Only an admin may do this to an admin, a moderator or a validator.")

// RequireAgainst returns ErrNeedsAdmin where the actor may not take an action against a player with the roles: who has
// a role with rights is banned, hidden or given another avatar by admins alone, so that moderators cannot remove each
// other. Operators and services are not players.
func (a Actor) RequireAgainst(roles []string) error {
	isStaff := slices.ContainsFunc(roles, func(role string) bool {
		return role == Admin || role == Moderator || role == Validator
	})
	if a.Kind == KindPlayer && isStaff && !slices.Contains(a.Roles, Admin) {
		return ErrNeedsAdmin
	}
	return nil
}

// Attribution says who makes a change and why. The audit log and the facts of the change have it.
type Attribution struct {
	Actor Actor `json:"actor"`
	// Reason is empty where none is required.
	Reason Reason `json:"reason,omitempty"`
	// PublicReason is what the player concerned is told, and empty for a change without a decision.
	PublicReason PublicReason `json:"publicReason,omitempty"`
	// DecisionID is the id of the moderators' decision that the change carries out, or empty.
	DecisionID string `json:"decisionId,omitempty"`
}

// By returns the attribution itself. A type that embeds it so says who it is by.
func (a Attribution) By() Attribution { return a }

// Account is a player as a service knows them now.
type Account interface {
	// Identity returns the player's id and name. The id is not the actor's where the actor was merged into the player.
	Identity() (id, name string)
	// Rights returns the player's roles, whether the player is banned, and whether the account was deleted.
	Rights() (roles []string, banned, deleted bool)
}

// Authorize returns the account of a player, which it gets, and the attribution of an action as Permit does. It returns
// ErrForbidden where get finds no such player, and other errors of get. Operators and services have no account. The
// account comes also with an error of Permit: a use case that has an answer of its own for banned players looks at it.
func Authorize[A Account](
	ctx context.Context, by Attribution, action Action, get func(ctx context.Context, playerID string) (A, error),
) (account A, _ Attribution, err error) {
	if by.Actor.Kind == KindPlayer {
		account, err = get(ctx, by.Actor.ID)
		switch {
		case err != nil && problem.From(err).Kind == problem.KindNotFound:
			return account, Attribution{}, ErrForbidden.Wrap(err)
		case err != nil:
			return account, Attribution{}, err
		}
	}
	by, err = Permit(by, action, account)
	return account, by, err
}

// Permit returns the attribution of an action with the id, the name and the roles that a player has now, by the
// account, and with a valid reason: an access token is up to 15 minutes old. It returns ErrDeleted, ErrForbidden, also
// for a banned player unless the banned may take the action too, ErrScopeMissing, ErrReasonMissing or ErrReasonInvalid.
func Permit(by Attribution, action Action, account Account) (Attribution, error) {
	if by.Actor.Kind == KindPlayer {
		roles, banned, deleted := account.Rights()
		switch {
		case deleted:
			return Attribution{}, ErrDeleted
		case banned && !permissions[action].bannedToo:
			return Attribution{}, ErrForbidden
		}
		by.Actor.Roles = roles
		by.Actor.ID, by.Actor.Name = account.Identity()
	}
	if err := by.Actor.Require(action); err != nil {
		return Attribution{}, err
	}
	reason, err := ParseReason(string(by.Reason), permissions[action].needsReason)
	if err != nil {
		return Attribution{}, err
	}
	by.Reason = reason
	return by, nil
}

// Entry is what the audit log says of a change.
type Entry struct {
	By     Attribution
	Action Action
	// Target is the id of the entity that was changed.
	Target string
	// Before and After are the changed values. Nil is an empty object.
	Before, After map[string]any
}
