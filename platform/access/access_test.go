package access_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/access"
	"capzone.dev/platform/problem"
)

func TestActor_Can(t *testing.T) {
	t.Parallel()
	player := func(roles ...string) access.Actor { return access.Player("0197", "cloudstep", roles) }
	for _, tt := range []struct {
		name   string
		actor  access.Actor
		action access.Action
		want   bool
	}{
		{"a player submits a record", player(), access.SubmitRecord, true},
		{"a player without an id", access.Player("", "cloudstep", []string{access.Admin}), access.SubmitRecord, false},
		{"no actor", access.Actor{}, access.SubmitRecord, false},
		{"an unknown action", player(access.Admin), "fly", false},
		{"a player submits a map of another", player(), access.SubmitMap, false},
		{"a badge is no right", player("mapper", "Admin"), access.SubmitMap, false},
		{"a validator submits a map of another", player("mapper", access.Validator), access.SubmitMap, true},
		{"a validator bans", player(access.Validator), access.BanPlayer, false},
		{"a moderator bans", player(access.Moderator), access.BanPlayer, true},
		{"a moderator merges", player(access.Moderator), access.MergePlayer, false},
		{"an admin changes roles", player(access.Admin), access.ChangeRoles, true},
		{"a player changes roles", player(), access.ChangeRoles, false},
		{"an operator grants a role", access.Operator("root"), access.GrantRole, true},
		{"an operator submits a record", access.Operator("root"), access.SubmitRecord, false},
		{"a service bans", access.System("maps"), access.BanPlayer, false},
		{"a service draws a map", access.System("maps"), access.DrawMap, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.actor.Can(tt.action); got != tt.want {
				t.Errorf("%+v can %q: %v, want %v", tt.actor, tt.action, got, tt.want)
			}
			if err := tt.actor.Require(tt.action); (err == nil) != tt.want || !tt.want && !errors.Is(err, access.ErrForbidden) {
				t.Errorf("Require: %v", err)
			}
		})
	}
}

func TestParseReason(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       access.Reason
		err        error // of a required one
		optional   error // of an optional one
	}{
		{"text", " alt account\n", "alt account", nil, nil},
		{"empty", "", "", access.ErrReasonMissing, nil},
		{"blanks", " \t", "", access.ErrReasonMissing, nil},
		{"longest", strings.Repeat("é", 500), access.Reason(strings.Repeat("é", 500)), nil, nil},
		{"too long", strings.Repeat("é", 501), "", access.ErrReasonInvalid, access.ErrReasonInvalid},
		{"NUL", "a\x00b", "", access.ErrReasonInvalid, access.ErrReasonInvalid},
		{"not UTF-8", "a\xffb", "", access.ErrReasonInvalid, access.ErrReasonInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, err := access.ParseReason(tt.text, true); got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("a required one: %q, %v", got, err)
			}
			if got, err := access.ParseReason(tt.text, false); got != tt.want || !errors.Is(err, tt.optional) {
				t.Errorf("an optional one: %q, %v", got, err)
			}
		})
	}
}

type account struct {
	roles           []string
	banned, deleted bool
}

// The actor of TestAuthorize was merged into this player.
func (a account) Identity() (id, name string) { return "0198", "cloudwalk" }

func (a account) Rights() (roles []string, banned, deleted bool) { return a.roles, a.banned, a.deleted }

func TestAuthorize(t *testing.T) {
	t.Parallel()
	errAway, errUnknown := errors.New("no answer"), problem.NotFound("player_unknown", "There is no such player.")
	player := access.Player("0197", "cloudstep", []string{access.Admin}) // by the token
	for _, tt := range []struct {
		name    string
		actor   access.Actor
		account account
		err     error // of reading the account
		action  access.Action
		reason  access.Reason
		want    error
	}{
		{"a moderator", player, account{roles: []string{access.Moderator}}, nil, access.BanPlayer, " why ", nil},
		{"a revoked role", player, account{}, nil, access.BanPlayer, "why", access.ErrForbidden},
		{"a banned player", player, account{banned: true}, nil, access.Follow, "", access.ErrForbidden},
		{"a banned player who appeals", player, account{banned: true}, nil, access.Appeal, "", nil},
		{"a deleted player", player, account{deleted: true}, nil, access.Follow, "", access.ErrDeleted},
		{"a deleted player who appeals", player, account{banned: true, deleted: true}, nil, access.Appeal, "", access.ErrDeleted},
		{"an unknown player", player, account{}, errUnknown, access.Follow, "", access.ErrForbidden},
		{"an account that cannot be read", player, account{}, errAway, access.BanPlayer, "why", errAway},
		{"an operator, who has no account", access.Operator("root"), account{}, errAway, access.BanPlayer, "why", nil},
		{"no reason", access.Operator("root"), account{}, nil, access.BanPlayer, " ", access.ErrReasonMissing},
		{"no right and no reason", player, account{}, nil, access.BanPlayer, "", access.ErrForbidden},
		{"no reason where none is needed", access.Operator("root"), account{}, nil, access.GrantRole, "", nil},
		{"an invalid reason", access.Operator("root"), account{}, nil, access.GrantRole, "a\x00", access.ErrReasonInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			by := access.Attribution{Actor: tt.actor, Reason: tt.reason, DecisionID: "0198"}
			account, got, err := access.Authorize(t.Context(), by, tt.action,
				func(context.Context, string) (account, error) { return tt.account, tt.err })
			if !errors.Is(err, tt.want) {
				t.Fatalf("returned %v, want %v", err, tt.want)
			}
			var want access.Attribution
			if tt.want == nil {
				want = access.Attribution{Actor: tt.actor, DecisionID: "0198"}
				if tt.actor.Kind == access.KindPlayer {
					want.Actor = access.Player("0198", "cloudwalk", tt.account.roles)
				}
				if strings.TrimSpace(string(tt.reason)) != "" {
					want.Reason = "why"
				}
			}
			assert.Equal(t, "attribution", want, got)
			if tt.want == nil && !slices.Equal(account.roles, want.Actor.Roles) {
				t.Errorf("account with roles %v, want %v", account.roles, want.Actor.Roles)
			}
		})
	}
}
