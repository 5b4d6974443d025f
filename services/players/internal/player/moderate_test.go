package player_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

func TestModerator(t *testing.T) {
	t.Parallel()
	grant := func(name, role string) act {
		return func(ctx context.Context, o playertest.Operator) (player.Player, error) {
			return o.Grant(ctx, name, role)
		}
	}
	revoke := func(name, role string) act {
		return func(ctx context.Context, o playertest.Operator) (player.Player, error) {
			return o.Revoke(ctx, name, role)
		}
	}
	ban := func(name, reason string) act {
		return func(ctx context.Context, o playertest.Operator) (player.Player, error) {
			return o.Ban(ctx, name, reason)
		}
	}
	unban := func(name, reason string) act {
		return func(ctx context.Context, o playertest.Operator) (player.Player, error) {
			return o.Unban(ctx, name, reason)
		}
	}
	for _, tt := range []struct {
		name  string
		acts  []act
		roles []string
		ban   string
		err   error // of the last act
	}{
		{"grants a role in its one form, by a name in any case", []act{grant("CLOUDSTEP", " Admin ")}, []string{"admin"}, "",
			nil},
		{"grants several roles", []act{grant("cloudstep", "admin"), grant("cloudstep", "artist")},
			[]string{"admin", "artist"}, "", nil},
		{"grants no role twice", []act{grant("cloudstep", "admin"), grant("cloudstep", "Admin")}, []string{"admin"}, "",
			player.ErrHasRole},
		{"grants no eleventh role", append(tenRoles(grant), grant("cloudstep", "k")), strings.Split("abcdefghij", ""), "",
			player.ErrTooManyRoles},
		{"grants a role to an unknown player", []act{grant("nobody", "admin")}, nil, "", player.ErrUnknown},
		{"grants no role that is none", []act{grant("cloudstep", "<b>")}, nil, "", player.ErrRoleInvalid},
		{"revokes a role", []act{grant("cloudstep", "a"), grant("cloudstep", "b"), revoke("cloudstep", "A")}, []string{"b"},
			"", nil},
		{"revokes the last admin's role", []act{grant("cloudstep", "admin"), revoke("cloudstep", "admin")}, nil, "", nil},
		{"revokes no role that is not there", []act{revoke("cloudstep", "admin")}, nil, "", player.ErrLacksRole},
		{"bans with a reason", []act{ban("cloudstep", " edited replays ")}, nil, "edited replays", nil},
		{"bans without a reason", []act{ban("cloudstep", " ")}, nil, "", access.ErrReasonMissing},
		{"bans twice", []act{ban("cloudstep", "one"), ban("cloudstep", "two")}, nil, "one", player.ErrAlreadyBanned},
		{"bans an unknown player", []act{ban("nobody", "why")}, nil, "", player.ErrUnknown},
		{"lifts a ban", []act{ban("cloudstep", "one"), unban("cloudstep", "appeal")}, nil, "", nil},
		{"lifts no ban that is not there", []act{unban("cloudstep", "appeal")}, nil, "", player.ErrNotBanned},
		{"lifts no ban without a reason", []act{ban("cloudstep", "one"), unban("cloudstep", "")}, nil, "one",
			access.ErrReasonMissing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			store := playertest.Open(t)
			register(t, store, player.Login{Name: "cloudstep"})
			var err error
			for _, act := range tt.acts {
				_, err = act(t.Context(), operatorOf(store))
			}
			if !errors.Is(err, tt.err) {
				t.Errorf("the last act returned %v, want %v", err, tt.err)
			}
			p, err := store.GetByName(t.Context(), "cloudstep")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Join(tt.roles, ","), strings.Join(p.Roles, ",")); diff != "" {
				t.Errorf("roles (-want +got):\n%s", diff)
			}
			if p.BanReason != tt.ban || p.Banned != (tt.ban != "") {
				t.Errorf("banned is %v for %q, want for %q", p.Banned, p.BanReason, tt.ban)
			}
		})
	}
}

func TestModerator_audit_log_and_events(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	p := register(t, store, player.Login{Name: "cloudstep"})
	o := operatorOf(store)
	for _, act := range []func() (player.Player, error){
		func() (player.Player, error) { return o.Grant(t.Context(), "cloudstep", "admin") },
		func() (player.Player, error) { return o.Grant(t.Context(), "cloudstep", "artist") },
		func() (player.Player, error) { return o.Revoke(t.Context(), "cloudstep", "artist") },
		func() (player.Player, error) { return o.Ban(t.Context(), "cloudstep", "edited replays") },
		func() (player.Player, error) { return o.Unban(t.Context(), "cloudstep", "appeal") },
	} {
		if _, err := act(); err != nil {
			t.Fatal(err)
		}
	}
	left := store.Left()
	roles := func(roles ...string) any { return map[string]any{"roles": append([]string{}, roles...)} }
	ban := func(banned bool, reason string) any { return map[string]any{"banned": banned, "banReason": reason} }
	wantAudit := []event.AuditWritten{
		written(t, byOperator(""), access.GrantRole, p.ID, roles(), roles("admin")),
		written(t, byOperator(""), access.GrantRole, p.ID, roles("admin"), roles("admin", "artist")),
		written(t, byOperator(""), access.RevokeRole, p.ID, roles("admin", "artist"), roles("admin")),
		written(t, byOperator("edited replays"), access.BanPlayer, p.ID, ban(false, ""), ban(true, "edited replays")),
		written(t, byOperator("appeal"), access.UnbanPlayer, p.ID, ban(true, "edited replays"), ban(false, "")),
	}
	if diff := cmp.Diff(wantAudit, left.Audit); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
	wantFacts := []event.Fact{
		event.PlayerRegistered{PlayerID: p.ID},
		event.PlayerBanned{PlayerID: p.ID, Reason: "edited replays"},
		event.PlayerUnbanned{PlayerID: p.ID, Reason: "appeal"},
	}
	if diff := cmp.Diff(wantFacts, left.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	banned := left.States[4]
	if !banned.Banned || banned.Version != 5 || !cmp.Equal(banned.Roles, []string{"admin"}) {
		t.Errorf("the state published of the ban is %+v", banned)
	}
}

type act func(context.Context, playertest.Operator) (player.Player, error)

func tenRoles(grant func(name, role string) act) []act {
	var acts []act
	for _, role := range "abcdefghij" {
		acts = append(acts, grant("cloudstep", string(role)))
	}
	return acts
}

func operatorOf(store *playertest.Store) playertest.Operator {
	return playertest.Operator{Store: store}
}

// written is the fact of a row of the audit log.
func written(
	t *testing.T, by access.Attribution, action access.Action, target string, before, after any,
) event.AuditWritten {
	t.Helper()
	values := func(v any) json.RawMessage {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	return event.AuditWritten{
		Attribution: by, Action: action, TargetID: target, Before: values(before), After: values(after),
	}
}

func byOperator(reason access.Reason) access.Attribution {
	return access.Attribution{Actor: access.Operator(playertest.Account), Reason: reason}
}
