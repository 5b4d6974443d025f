package access_test

import (
	"errors"
	"strings"
	"testing"

	"capzone.dev/platform/access"
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
		{"nobody", access.Actor{}, access.SubmitRecord, false},
		{"an unknown action", player(access.Admin), "fly", false},
		{"a player submits a map of another", player(), access.SubmitMap, false},
		{"a badge is no right", player("mapper", "Admin"), access.SubmitMap, false},
		{"a validator submits a map of another", player("mapper", access.Validator), access.SubmitMap, true},
		{"a validator bans", player(access.Validator), access.BanPlayer, false},
		{"a moderator bans", player(access.Moderator), access.BanPlayer, true},
		{"a moderator merges", player(access.Moderator), access.MergePlayer, false},
		{"an admin changes roles", player(access.Admin), access.ChangeRoles, true},
		{"an admin whose role was revoked", player(access.Admin).WithRoles(nil), access.ChangeRoles, false},
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
		err        error // of ParseReason
		optional   error // of ParseOptionalReason
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
			if got, err := access.ParseReason(tt.text); got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("ParseReason: %q, %v", got, err)
			}
			if got, err := access.ParseOptionalReason(tt.text); got != tt.want || !errors.Is(err, tt.optional) {
				t.Errorf("ParseOptionalReason: %q, %v", got, err)
			}
		})
	}
}
