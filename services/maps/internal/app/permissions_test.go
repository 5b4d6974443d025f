package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/app"
	"capzone.dev/services/maps/internal/files"
	"capzone.dev/services/maps/internal/natsapi"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
)

func TestPermissions(t *testing.T) {
	b := setup(t)
	m := b.submitted(b.submissionOf(b.Players.player("target"), 1000, "Skyline Run", "target"))
	id := m.UnderscoreId
	type by = access.Attribution
	games := 1000
	// newMap returns a submission of a new map.
	newMap := func(by event.PlayerState, author, metadata string) submission {
		games++
		s := b.submissionOf(by, games, fmt.Sprint("Skyline ", games), author)
		s.metadata = metadata
		return s
	}
	submit := func(path string, form func(by event.PlayerState) submission) func(access.Actor) string {
		return servicetest.ByToken(t, http.MethodPost, b.URL+path, func(by event.PlayerState) servicetest.Answer {
			body, contentType := form(by).form(t)
			return b.do(http.MethodPost, path, body, "Content-Type", contentType, "Authorization", "Bearer "+b.keys.Token(by))
		})
	}
	try := func(
		action access.Action, name string, command func(access.Attribution) event.Command,
	) servicetest.Attempt {
		byCommand := b.ByCommand(event.MapsCommands, command)
		return servicetest.Attempt{Action: action, Refused: "not_allowed", Take: func(by access.Actor) string {
			if by.Kind != access.KindOperator {
				return byCommand(by)
			}
			_, err := b.command(name, id, "a test")
			return servicetest.Refusal(err)
		}}
	}
	store := maps.NewStore(b.Pool)
	players := parkourmap.NewPlayers(store, &natsapi.Players{NATS: b.NATS})
	moderator := &parkourmap.Moderator{Maps: store, Players: players, Now: time.Now}
	drawer := &parkourmap.Drawer{
		Maps: store, Players: players, Parser: parkourmap.NewParser(),
		Painter: files.NewImages(), Files: files.New(b.Files, b.Pool),
	}
	importer := &parkourmap.Importer{Maps: store, Players: players, Now: time.Now, NewID: uuid.NewString}
	// own are maps by their authors.
	own := map[string]string{}
	edit := func(mapID string) func(access.Actor) string {
		return servicetest.ByToken(t, http.MethodPatch, b.URL+"/api/v1/maps/"+id,
			func(by event.PlayerState) servicetest.Answer {
				return b.edit(by, mapID, `"description": "`+uuid.NewString()+`"`)
			})
	}
	authors := 0
	publish := func(p event.PlayerState) {
		require.NoError(t, b.Publish(t.Context(), p))
		natstest.AwaitSettled(t, b.JetStream, event.MapsCopies)
	}
	const banned = "player_banned"
	servicetest.Permissions{
		Service: app.Name,
		Player: func(name, role string) event.PlayerState {
			p := b.Players.player(name)
			if role != "" {
				p = b.Players.player(name, role)
			}
			own[p.ID] = b.submitted(newMap(p, p.Name, "")).UnderscoreId
			return p
		},
		Revoke: func(p event.PlayerState, _ string) {
			p.Roles, p.Version = nil, p.Version+1
			publish(p)
		},
		Ban: func(p event.PlayerState) {
			p.Banned, p.Version = true, p.Version+1
			publish(p)
		},
		Limit: b.keys.Limit,
		Attempts: []servicetest.Attempt{
			{Action: access.SubmitOwnMap, Banned: banned, Take: submit("/api/v1/maps/submit",
				func(by event.PlayerState) submission { return newMap(by, by.Name, "") })},
			{Action: access.SubmitMap, Refused: "not_author_or_validator", Banned: banned, Take: submit("/api/v1/maps/submit",
				func(by event.PlayerState) submission { return newMap(by, "target", "") })},
			{Action: access.ReplaceOwner, Refused: "not_allowed", Banned: banned, Take: submit("/api/v1/maps/submit",
				func(by event.PlayerState) submission {
					b.submitted(newMap(b.Players.player("target"), "target", ""))
					s := b.submissionOf(by, games, fmt.Sprint("Skyline ", games), by.Name)
					s.metadata = `{"wrongOwnerReason":"a test"}`
					return s
				})},
			{Action: access.SetMedalTimes, Banned: banned, Take: submit("/api/v1/maps/submit",
				func(by event.PlayerState) submission {
					return newMap(by, by.Name, `{"medalTimes":{"gold":43000}}`)
				})},
			{Action: access.EditOwnMap, Take: func(by access.Actor) string { return edit(own[by.ID])(by) }},
			{Action: access.EditMap, Refused: "not_allowed", Take: edit(id)},
			{Action: access.UndoEdit, Refused: "not_allowed", Take: func(by access.Actor) string {
				url := "/api/v1/maps/" + id + "/edits/" + b.editOf(id) + "/undo"
				return servicetest.ByToken(t, http.MethodPost, b.URL+url, func(by event.PlayerState) servicetest.Answer {
					return b.do(http.MethodPost, url, strings.NewReader(`{"reason": "a test"}`),
						"Content-Type", "application/json", "Authorization", "Bearer "+b.keys.Token(by))
				})(by)
			}},
			{Action: access.PreviewDrawing, Banned: banned, Take: submit("/api/v1/maps/drawing",
				func(by event.PlayerState) submission {
					return submission{by: by, replay: newMap(by, by.Name, "").replay}
				})},
			try(access.RemoveMap, "remove", func(a by) event.Command { return event.RemoveMap{Attribution: a, MapID: id} }),
			try(access.RestoreMap, "restore", func(a by) event.Command { return event.RestoreMap{Attribution: a, MapID: id} }),
			try(access.UnrankMap, "unrank", func(a by) event.Command { return event.UnrankMap{Attribution: a, MapID: id} }),
			try(access.RankMap, "rank", func(a by) event.Command { return event.RankMap{Attribution: a, MapID: id} }),
			// The rest are actions of operators only. Others have no way to them but the use case.
			{Action: access.ReassignMap, Refused: "not_allowed", Take: func(by access.Actor) string {
				authors++
				author := fmt.Sprint("author", authors)
				if by.Kind == access.KindOperator {
					_, err := b.command("reassign", id, author)
					return servicetest.Refusal(err)
				}
				_, err := moderator.Reassign(t.Context(), access.Attribution{Actor: by}, id, author)
				return servicetest.Refusal(err)
			}},
			{Action: access.DrawMap, Refused: "not_allowed", Take: func(by access.Actor) string {
				if by.Kind == access.KindOperator {
					_, err := b.command("draw", id)
					return servicetest.Refusal(err)
				}
				if by.Kind == access.KindSystem {
					_, err := drawer.DrawNext(t.Context())
					return servicetest.Refusal(err)
				}
				_, err := drawer.SetDue(t.Context(), access.Attribution{Actor: by}, id)
				return servicetest.Refusal(err)
			}},
			{Action: access.ImportMaps, Refused: "not_allowed", Take: func(by access.Actor) string {
				const row = "map id,name,authors\n500,Cloud Stairs,cloudstep\n"
				if by.Kind == access.KindOperator {
					_, err := b.command("import", b.file(row))
					return servicetest.Refusal(err)
				}
				_, err := importer.Import(t.Context(), access.Attribution{Actor: by}, strings.NewReader(row), false)
				return servicetest.Refusal(err)
			}},
			{Action: access.UnlistMap, Refused: "not_allowed", Take: func(by access.Actor) string {
				b.operator("import", b.file("map id,name,authors\n501,Cloud Stairs,cloudstep\n"))
				if by.Kind == access.KindOperator {
					_, err := b.command("unlist", "501", "a test")
					return servicetest.Refusal(err)
				}
				attribution := access.Attribution{Actor: by, Reason: "a test"}
				return servicetest.Refusal(importer.Unlist(t.Context(), attribution, "501"))
			}},
		},
	}.Check(t)
}
