package servicetest

import (
	stdcmp "cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// Attempt tries an action of the table of roles and actions.
type Attempt struct {
	Action access.Action
	// Refused is the code for an actor who may not take the action. Who has no token gets token_missing.
	Refused string
	// Banned is the code for a player who is banned. Where it is empty, it is not_allowed.
	Banned string
	// BannedToo is true where a banned player may take the action.
	BannedToo bool
	// Take takes the action and returns the code of the refusal, or an empty text.
	Take func(by access.Actor) string
}

// Permissions are the rows of the table of roles and actions that a service owns.
type Permissions struct {
	Service string
	// Player returns a player with a role, or without roles where it is empty.
	Player func(name, role string) event.PlayerState
	// Revoke takes the role from a player in the service's own copy.
	Revoke func(p event.PlayerState, role string)
	// Ban bans the player in the service's own copy.
	Ban func(p event.PlayerState)
	// Limit makes the player act by the actor's personal token from then on.
	Limit func(by access.Actor)
	// Attempts has one for each row. They are taken in this order by one actor after the other.
	Attempts []Attempt
}

// Check takes each action as each kind of actor and compares the outcome with the table. Players take it with each
// role, again with the role in the token after it was revoked, and with each role as banned players, who are refused
// with a token of before the ban and with one of after it, which has no roles. Admins also take it by a personal token
// with each scope alone.
func (p Permissions) Check(t *testing.T) {
	t.Helper()
	var attempted []access.Action
	for _, a := range p.Attempts {
		attempted = append(attempted, a.Action)
	}
	slices.Sort(attempted)
	if diff := cmp.Diff(access.ActionsOf(p.Service), attempted); diff != "" {
		t.Errorf("rows of the table that are tried (-want +got):\n%s", diff)
	}
	for _, role := range []string{"", "artist", access.Validator, access.Moderator, access.Admin} {
		player := p.Player("caller"+role, role)
		actor := access.Player(player.ID, player.Name, player.Roles)
		p.attempt(t, "role "+role, actor, actor)
		if role != "" {
			p.Revoke(player, role)
			p.attempt(t, "revoked role "+role, actor, access.Player(player.ID, player.Name, nil))
		}
		banned := p.Player("banned"+role, role)
		p.Ban(banned)
		wantBanned := func(a Attempt) string {
			if a.BannedToo {
				return ""
			}
			return stdcmp.Or(a.Banned, "not_allowed")
		}
		p.take(t, "banned player with the role "+role, access.Player(banned.ID, banned.Name, banned.Roles), wantBanned)
		p.take(t, "banned player with a token of after the ban", access.Player(banned.ID, banned.Name, nil), wantBanned)
	}
	for _, actor := range []access.Actor{access.Operator("root"), access.System("service")} {
		p.attempt(t, string(actor.Kind), actor, actor)
	}
	for _, scope := range access.Scopes() {
		player := p.Player("scope"+strings.ReplaceAll(string(scope), ":", ""), access.Admin)
		actor := access.Player(player.ID, player.Name, player.Roles).
			WithToken(uuid.NewString(), []access.Scope{scope})
		p.Limit(actor)
		p.take(t, "a token with "+string(scope), actor, func(a Attempt) string {
			if actor.Can(a.Action) {
				return ""
			}
			return "scope_missing"
		})
	}
}

// attempt takes each action as the actor by, with the permissions of the actor now.
func (p Permissions) attempt(t *testing.T, name string, by, now access.Actor) {
	t.Helper()
	p.take(t, name, by, func(a Attempt) string {
		if now.Can(a.Action) {
			return ""
		}
		// An attempt that names no refusal fails: nothing is refused with these words.
		return stdcmp.Or(a.Refused, "the code of Refused")
	})
}

// take takes each action as the actor by, and compares the outcome with the wanted one. Who is no player, and so has no
// token, may be refused with token_missing instead.
func (p Permissions) take(t *testing.T, name string, by access.Actor, wanted func(a Attempt) string) {
	t.Helper()
	for _, a := range p.Attempts {
		want, got := wanted(a), a.Take(by)
		if by.Kind != access.KindPlayer && want != "" && got == "token_missing" {
			continue
		}
		if got != want {
			t.Errorf("%q by %s: refused with %q, want %q", a.Action, name, got, want)
		}
	}
}

// ByToken returns a function that takes an action by an API: players by send, others by a request without a token.
func ByToken(t *testing.T, method, url string, send func(by event.PlayerState) Answer) func(by access.Actor) string {
	t.Helper()
	return func(by access.Actor) string {
		t.Helper()
		var a Answer
		if by.Kind == access.KindPlayer {
			a = send(event.PlayerState{ID: by.ID, Name: by.Name, Roles: by.Roles})
		} else {
			a = Do(t, method, url, nil)
		}
		if a.Status < http.StatusMultipleChoices {
			return ""
		}
		return a.Code
	}
}

// SendCommand publishes a command as the moderators' desk does.
func (s *Servers) SendCommand(command event.Command) {
	s.t.Helper()
	require.NoError(s.t, s.publish(s.t.Context(), uuid.NewString(), command.Subject(), 0, command))
}

// ByCommand returns a function that takes an action by a command, which the consumer carries out.
func (s *Servers) ByCommand(
	consumer event.Consumer, command func(by access.Attribution) event.Command,
) func(by access.Actor) string {
	return func(by access.Actor) string {
		s.t.Helper()
		decision := uuid.Must(uuid.NewV7()).String()
		s.SendCommand(command(access.Attribution{
			Actor: by, Reason: "a test", PublicReason: access.Other, DecisionID: decision,
		}))
		natstest.AwaitSettled(s.t, s.JetStream, consumer)
		for _, m := range outboxtest.All(s.t, s.Pool) {
			if m.Subject != event.CommandRefusedSubject {
				continue
			}
			if refused := outboxtest.Data[event.CommandRefused](s.t, m); refused.DecisionID == decision {
				return refused.Code
			}
		}
		return ""
	}
}

// Refusal returns the code of the problem err, or its text where it is none.
func Refusal(err error) string {
	if err == nil {
		return ""
	}
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return p.Code
	}
	return err.Error()
}
