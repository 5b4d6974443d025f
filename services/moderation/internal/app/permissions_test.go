package app_test

import (
	"net/http"
	"testing"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/moderation/internal/app"
)

func TestPermissions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target, reporter, mod := b.newPlayer("target"), b.newPlayer("reporter"), b.admin("mod")
	m := b.newMap("Skyline Run", reporter)
	// send returns a function that sends the requests that next returns, of which the first has to be refused or all none.
	send := func(next func(by event.PlayerState) []request) func(by access.Actor) string {
		return func(by access.Actor) string {
			for _, r := range next(event.PlayerState{ID: by.ID, Name: by.Name}) {
				url := b.URL + "/api/v1" + r.path
				take := servicetest.ByToken(t, r.method, url, func(p event.PlayerState) servicetest.Answer {
					return b.do(p, r.method, r.path, r.body)
				})
				if code := take(by); code != "" {
					return code
				}
			}
			return ""
		}
	}
	always := func(requests ...request) func(by access.Actor) string {
		return send(func(event.PlayerState) []request { return requests })
	}
	// A reporter makes at most ten reports a day.
	newCase := func() string {
		return b.report(b.newPlayer("reporter"+newID()[30:]), b.newRecord(target, m))
	}
	// claimOf returns a request that claims the case about a record with an override.
	claimOf := func(caseID string) []request {
		return []request{{http.MethodPost, "/desk/cases/" + caseID + "/claim", map[string]any{"override": true}}}
	}
	// A moderator, who may claim cases, is refused with the code of what only an override would allow.
	notOverridden := func(code string, take func(by access.Actor) string) func(by access.Actor) string {
		return func(by access.Actor) string {
			if got := take(by); got != code {
				return got
			}
			return "not_allowed"
		}
	}
	warn := func(playerID string) string {
		body := decisionOf("warn")
		body["text"] = "Another warning: " + newID() // the same one would be the first one again
		return b.decideAbout(mod, playerID, body).UnderscoreId
	}
	appeal := func(decisionID string) map[string]any {
		return map[string]any{"decisionId": decisionID, "text": "I have done nothing."}
	}
	servicetest.Permissions{
		Service: app.Name,
		Player: func(name, role string) event.PlayerState {
			if role == "" {
				return b.newPlayer(name)
			}
			return b.newPlayer(name, role)
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
			{Action: access.Report, Take: send(func(event.PlayerState) []request {
				return []request{{http.MethodPost, "/reports", reportOf("record", b.newRecord(target, m), "edited")}}
			})},
			{Action: access.Appeal, BannedToo: true, Take: send(func(by event.PlayerState) []request {
				if by.Name == "" { // who has no token
					return []request{{http.MethodPost, "/appeals", nil}}
				}
				return []request{{http.MethodPost, "/appeals", appeal(warn(by.ID))}}
			})},
			{Action: access.ReadOwnDecisions, BannedToo: true, Take: always(request{http.MethodGet, "/me/decisions", nil})},
			{Action: access.ReadDesk, Refused: "not_allowed", Take: always(
				request{http.MethodGet, "/desk/cases", nil}, request{http.MethodGet, "/desk/appeals", nil},
				request{http.MethodGet, "/desk/flags/precision", nil}, request{http.MethodGet, "/desk/audit", nil},
				request{http.MethodGet, "/desk/audit/export", nil}, request{http.MethodGet, "/desk/cases/" + newCase(), nil})},
			{Action: access.ClaimCase, Refused: "not_allowed", Take: send(func(event.PlayerState) []request {
				path := "/desk/cases/" + newCase() + "/claim"
				return []request{{http.MethodPost, path, noOverride}, {http.MethodDelete, path, nil}}
			})},
			{Action: access.Decide, Refused: "not_allowed", Take: send(func(event.PlayerState) []request {
				return []request{{http.MethodPost, "/desk/decisions", decisionAbout("warn", "player", target.ID)}}
			})},
			{Action: access.UndoDecision, Refused: "not_allowed", Take: send(func(event.PlayerState) []request {
				return []request{{http.MethodPost, "/desk/decisions/" + warn(target.ID) + "/undo", mistake}}
			})},
			{Action: access.AnswerAppeal, Refused: "not_allowed", Take: send(func(event.PlayerState) []request {
				open := b.appeal(target, warn(target.ID))
				return []request{{http.MethodPost, "/desk/appeals/" + open.ID + "/answer", answerOf("kept")}}
			})},
			{Action: access.OverruleConflict, Refused: "not_allowed",
				Take: notOverridden("conflict_of_interest", send(func(by event.PlayerState) []request {
					if by.Name == "" { // who has no token
						return claimOf(newID())
					}
					return claimOf(b.report(b.newPlayer("reporter"+newID()[30:]), b.newRecord(by, m)))
				}))},
			{Action: access.TakeOverCase, Refused: "not_allowed",
				Take: notOverridden("case_claimed", send(func(event.PlayerState) []request {
					id := newCase()
					b.claim(mod, id)
					return claimOf(id)
				}))},
		},
	}.Check(t)
}

// request is a request to the API.
type request struct {
	method, path string
	body         any
}
