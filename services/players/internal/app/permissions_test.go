package app_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/export"
	"capzone.dev/services/players/internal/app"
	"capzone.dev/services/players/internal/player"
	players "capzone.dev/services/players/internal/postgres"
)

func TestPermissions(t *testing.T) {
	b := setup(t)
	png, target := picture(t, 64, 64), b.register("target")
	offender := b.register("offender") // without roles, which the attempt at another action gives to the target
	put := func(id func(by event.PlayerState) string, part servicetest.Part) func(access.Actor) string {
		return servicetest.ByToken(t, http.MethodPut, b.URL+"/api/v1/players/"+target.ID,
			func(by event.PlayerState) servicetest.Answer { return b.put(by, id(by), part) })
	}
	own := func(by event.PlayerState) string { return by.ID }
	another := func(event.PlayerState) string { return target.ID }
	moderator := &player.Moderator{Players: players.NewStore(b.Pool), Now: time.Now}
	// try takes an action of operators by the command with args, of others by take.
	try := func(action access.Action, args []string, take func(by access.Actor) string) servicetest.Attempt {
		return servicetest.Attempt{Action: action, Refused: "not_allowed", Take: func(by access.Actor) string {
			if by.Kind != access.KindOperator {
				return take(by)
			}
			_, err := b.command(args[0], args[1:]...)
			return servicetest.Refusal(err)
		}}
	}
	decide := func(command func(access.Attribution) event.Command) func(access.Actor) string {
		return b.ByCommand(event.PlayersCommands, command)
	}
	// call is the way of an actor who has no other: the use case.
	call := func(change player.Moderation) func(access.Actor) string {
		return func(by access.Actor) string {
			change.By = access.Attribution{Actor: by, Reason: "a test"}
			_, err := moderator.Moderate(t.Context(), change)
			return servicetest.Refusal(err)
		}
	}
	// send is a request with a token and a JSON body, or without a body.
	send := func(method, path string, body func(by event.PlayerState) string) func(access.Actor) string {
		return servicetest.ByToken(t, method, b.URL+path, func(by event.PlayerState) servicetest.Answer {
			return b.do(method, path, strings.NewReader(body(by)), "Content-Type", "application/json",
				"Authorization", "Bearer "+b.keys.Token(by))
		})
	}
	empty := func(event.PlayerState) string { return "" }
	deleter := &player.Deleter{Players: players.NewStore(b.Pool), Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	former := b.register("former")
	operator(t, b, "merge", former.Name, target.Name)
	b.register("twin")
	double := b.register("double")
	const banned = "player_banned"
	servicetest.Permissions{
		Service: app.Name,
		Player: func(name, role string) event.PlayerState {
			p := b.register(name)
			if role == "" {
				return p
			}
			operator(t, b, "grant", name, role)
			return b.awaitState(p.ID, func(s event.PlayerState) bool { return len(s.Roles) == 1 })
		},
		Revoke: func(p event.PlayerState, role string) { operator(t, b, "revoke", p.Name, role) },
		Ban:    func(p event.PlayerState) { operator(t, b, "ban", p.Name, "a test") },
		Limit:  b.keys.Limit,
		Attempts: []servicetest.Attempt{
			{Action: access.ChangeOwnAvatar, Banned: banned, Take: put(own, file("skinImage", png))},
			{Action: access.ChangeAvatar, Refused: "not_allowed", Banned: banned, Take: put(another, file("skinImage", png))},
			{
				Action: access.ChangeRoles, Refused: "admins_only", Banned: banned,
				Take: func(by access.Actor) string {
					roles := text("roles", `["validator"]`)
					// An admin may, but not their own.
					if refusal := put(own, roles)(by); refusal != "own_roles" {
						return refusal
					}
					return put(another, roles)(by)
				},
			},
			try(access.BanPlayer, []string{"ban", "offender", "a", "test"}, decide(
				func(by access.Attribution) event.Command {
					return event.BanPlayer{Attribution: by, PlayerID: offender.ID}
				})),
			try(access.UnbanPlayer, []string{"unban", "offender", "a", "test"}, decide(
				func(by access.Attribution) event.Command {
					return event.UnbanPlayer{Attribution: by, PlayerID: offender.ID}
				})),
			{Action: access.EndBan, Refused: "not_allowed", Take: func(by access.Actor) string {
				if by.Kind != access.KindSystem {
					return servicetest.Refusal(by.Require(access.EndBan)) // nobody else has a way to it
				}
				_, err := moderator.EndBans(t.Context())
				return servicetest.Refusal(err)
			}},
			try(access.MergePlayer, []string{"merge", "twin", "target"}, decide(
				func(by access.Attribution) event.Command {
					return event.MergePlayer{Attribution: by, PlayerID: double.ID, IntoID: target.ID}
				})),
			try(access.GrantRole, []string{"grant", "target", "artist"}, call(
				player.Moderation{Action: access.GrantRole, PlayerID: target.ID, Role: "artist"})),
			try(access.RevokeRole, []string{"revoke", "target", "artist"}, call(
				player.Moderation{Action: access.RevokeRole, PlayerID: target.ID, Role: "artist"})),
			{Action: access.ExportOwnData, Refused: "token_missing", BannedToo: true, Take: func(by access.Actor) string {
				if by.Kind == access.KindPlayer && by.TokenID == "" {
					servicetest.Export(t, b.URL, b.keys.Token(event.PlayerState{ID: by.ID, Name: by.Name, Roles: by.Roles}))
					return ""
				}
				return send(http.MethodGet, export.Path, empty)(by)
			}},
			{Action: access.DeleteOwnAccount, BannedToo: true, Take: func(by access.Actor) string {
				ownName := func(by event.PlayerState) string { return `{"name":"` + by.Name + `"}` }
				if refusal := send(http.MethodPost, "/api/v1/me/deletion", ownName)(by); refusal != "" && refusal != "last_admin" {
					return refusal
				}
				if refusal := send(http.MethodGet, "/api/v1/me/deletion", empty)(by); refusal != "" {
					return refusal
				}
				return send(http.MethodDelete, "/api/v1/me/deletion", empty)(by)
			}},
			{Action: access.ChangeOwnLanguage, BannedToo: true, Take: func(by access.Actor) string {
				german := func(event.PlayerState) string { return `{"language":"de"}` }
				if refusal := send(http.MethodPatch, "/api/v1/me/account", german)(by); refusal != "" {
					return refusal
				}
				return send(http.MethodGet, "/api/v1/me/account", empty)(by)
			}},
			{Action: access.DeletePlayer, Refused: "not_allowed", Take: func(by access.Actor) string {
				victim := b.register("deleted by " + string(by.Kind))
				if by.Kind == access.KindOperator {
					_, err := b.command("delete", victim.ID, "a", "test")
					return servicetest.Refusal(err)
				}
				_, err := deleter.Delete(t.Context(), access.Attribution{Actor: by, Reason: "a test"}, victim.ID)
				return servicetest.Refusal(err)
			}},
			try(access.ReleaseName, []string{"release", "former", "a", "test"}, call(
				player.Moderation{Action: access.ReleaseName, PlayerID: target.ID, Name: "former"})),
		},
	}.Check(t)
}
