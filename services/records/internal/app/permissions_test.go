package app_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/app"
)

func TestPermissions(t *testing.T) {
	b := setup(t)
	m, target := b.newMap("Skyline Run"), b.newPlayer("target")
	recordID := b.submitted(target, m, 50_000).Record.UnderscoreId
	submit := servicetest.ByToken(t, http.MethodPost, b.URL+"/api/v1/records/submit",
		func(by event.PlayerState) servicetest.Answer { return b.submit(by, b.replay(m, by.Name, 50_000)) })
	putAsideURL := b.URL + "/api/v1/records/goals/" + m.ID + "/put-aside"
	putAside := servicetest.ByToken(t, http.MethodPost, putAsideURL, func(by event.PlayerState) servicetest.Answer {
		return b.do(http.MethodPost, putAsideURL, nil, b.bearer(by)...)
	})
	decide := func(
		action access.Action, name, id string, command func(access.Attribution) event.Command,
	) servicetest.Attempt {
		byCommand := b.ByCommand(event.RecordsCommands, command)
		return servicetest.Attempt{Action: action, Refused: "not_allowed", Take: func(by access.Actor) string {
			if by.Kind != access.KindOperator {
				return byCommand(by)
			}
			_, err := b.command(name, id, "a test")
			return servicetest.Refusal(err)
		}}
	}
	read := func(action access.Action, paths ...string) servicetest.Attempt {
		return servicetest.Attempt{Action: action, Refused: "not_allowed", Take: func(by access.Actor) string {
			refusals := map[string]bool{}
			for _, path := range paths {
				url := b.URL + "/api/v1" + path
				refusals[servicetest.ByToken(t, http.MethodGet, url, func(by event.PlayerState) servicetest.Answer {
					return b.get("/api/v1"+path, b.bearer(by)...)
				})(by)] = true
			}
			return strings.Join(slices.Sorted(maps.Keys(refusals)), " or ")
		}}
	}
	servicetest.Permissions{
		Service: app.Name,
		Player: func(name, role string) event.PlayerState {
			p := b.newPlayer(name)
			if role != "" {
				p.Roles, p.Version = []string{role}, 2
				b.publish(p)
			}
			return p
		},
		Revoke: func(p event.PlayerState, _ string) {
			p.Roles, p.Version = nil, p.Version+1
			b.publish(p)
		},
		Ban: func(p event.PlayerState) {
			p.Banned, p.Version = true, p.Version+1
			b.publish(p)
		},
		Limit: b.keys.Limit,
		Attempts: []servicetest.Attempt{
			{Action: access.SubmitRecord, Banned: "player_banned", Take: func(by access.Actor) string {
				if by.Kind != access.KindSystem {
					return submit(by)
				}
				fact := b.created(m, target, b.replay(m, target.Name, 41_267))
				require.NoError(t, b.PublishFact(t.Context(), newID(), fact))
				natstest.AwaitSettled(t, b.JetStream, event.RecordsMaps)
				if b.count("select count(*) from records where replay_hash = $1", fact.ReplayHash) != 1 {
					return "the first record of a map was not imported"
				}
				return ""
			}},
			{Action: access.PutGoalAside, Take: putAside},
			read(access.ReadEffects, "/records/"+recordID+"/effects", "/players/"+target.ID+"/records/effects",
				"/maps/"+m.ID+"/effects"),
			read(access.ReadEvidence, "/desk/records/"+recordID+"/verification", "/desk/records/"+recordID+"/replay"),
			decide(access.RemoveRecord, "remove", recordID, func(by access.Attribution) event.Command {
				return event.RemoveRecord{Attribution: by, RecordID: recordID}
			}),
			decide(access.RestoreRecord, "restore", recordID, func(by access.Attribution) event.Command {
				return event.RestoreRecord{Attribution: by, RecordID: recordID}
			}),
			decide(access.HidePlayer, "hide", target.ID, func(by access.Attribution) event.Command {
				return event.HidePlayer{Attribution: by, PlayerID: target.ID}
			}),
			decide(access.ShowPlayer, "show", target.ID, func(by access.Attribution) event.Command {
				return event.ShowPlayer{Attribution: by, PlayerID: target.ID}
			}),
		},
	}.Check(t)
}
