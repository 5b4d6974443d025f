package app_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
)

// Each refusal has a code and a sentence, and changes nothing.
func TestAPI_refusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod, admin := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod"), b.admin("admin")
	m, gone := b.newMap("Skyline Run", ann), b.newMap("Tower", ann)
	b.publish(event.MapState{ID: gone.ID, Version: 2, Removed: true})
	recordID := b.newRecord(ann, m)
	caseID := b.report(bob, recordID)
	nobody := newID()
	decide := func(change func(body map[string]any)) map[string]any {
		body := decisionAbout("warn", "player", ann.ID)
		change(body)
		return body
	}
	set := func(key string, value any) map[string]any {
		return decide(func(body map[string]any) { body[key] = value })
	}
	pgtest.Exec(t, b.Pool, "delete from audit")
	for _, tt := range []struct {
		name         string
		by           event.PlayerState
		method, path string
		body         any
		status       int
		code         string
	}{
		{"a report without a body", bob, "POST", "/reports", nil, 400, "malformed_request"},
		{"a report of an unknown kind", bob, "POST", "/reports", reportOf("comment", recordID, "other"), 404,
			"subject_unknown"},
		{"a report of a removed map", bob, "POST", "/reports", reportOf("map", gone.ID, "broken"), 404, "subject_unknown"},
		{"a report of oneself", bob, "POST", "/reports", reportOf("player", bob.ID, "name"), 422, "report_own"},
		{"a reason of another kind", bob, "POST", "/reports", reportOf("map", m.ID, "edited"), 422, "report_reason"},
		{"a second report", bob, "POST", "/reports", reportOf("record", recordID, "wrong_map"), 409, "report_exists"},

		{"a queue of an unknown kind", mod, "GET", "/desk/cases?kind=x", nil, 400, "malformed_request"},
		{"a page that is too long", mod, "GET", "/desk/cases?limit=101", nil, 400, "page_invalid"},
		{"an unknown case", mod, "GET", "/desk/cases/" + nobody, nil, 404, "case_unknown"},
		{"an unknown case to decide", mod, "POST", "/desk/cases/" + nobody + "/decisions", decisionOf("warn"), 404,
			"case_unknown"},
		{"a case that is not claimed", mod, "POST", "/desk/cases/" + caseID + "/decisions", decisionOf("warn"), 409,
			"case_not_claimed"},

		{"a decision about nothing", mod, "POST", "/desk/decisions",
			set("subject", map[string]any{"kind": "player", "id": nobody}), 404, "subject_unknown"},
		{"a decision about a thing with a case", mod, "POST", "/desk/decisions",
			set("subject", map[string]any{"kind": "record", "id": recordID}), 409, "case_open"},
		{"a dismissal without a case", mod, "POST", "/desk/decisions", set("kind", "dismiss"), 422,
			"decision_not_applicable"},
		{"no public reason", mod, "POST", "/desk/decisions", set("publicReason", "mood"), 422, "public_reason"},
		{"a ban of who has a role, by a moderator", mod, "POST", "/desk/decisions", decisionAbout("ban", "player", admin.ID),
			403, "needs_admin"},
		{"a merge by a moderator", mod, "POST", "/desk/decisions", set("kind", "merge"), 403, "not_allowed"},
		{"a merge into an unknown player", admin, "POST", "/desk/decisions", decide(func(body map[string]any) {
			body["kind"], body["intoId"] = "merge", nobody
		}), 404, "player_unknown"},
		{"undoing nothing", mod, "POST", "/desk/decisions/" + nobody + "/undo", mistake, 404, "decision_unknown"},

		{"an appeal against nothing", ann, "POST", "/appeals",
			map[string]any{"decisionId": nobody, "text": "It was not me."}, 404, "decision_unknown"},
		{"an appeal without a text", ann, "POST", "/appeals", map[string]any{"decisionId": nobody, "text": "No."}, 422,
			"appeal_text"},
		{"a message to nobody", ann, "POST", "/appeals/x/messages", map[string]any{"text": "It was not me."}, 404,
			"appeal_unknown"},
		{"an answer to nobody", mod, "POST", "/desk/appeals/" + nobody + "/answer",
			map[string]any{"outcome": "kept", "text": "It was you, I think."}, 404, "appeal_unknown"},
		{"an audit log from a word", mod, "GET", "/desk/audit?from=yesterday", nil, 400, "malformed_request"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := b.do(tt.by, tt.method, tt.path, tt.body)
			if a.Status != tt.status || a.Code != tt.code || a.Message == "" || a.Success {
				t.Errorf("got %d %s, want %d %s", a.Status, a.Raw, tt.status, tt.code)
			}
		})
	}
	for sql, want := range map[string]int{
		"select count(*) from decisions": 0, "select count(*) from cases": 1, "select count(*) from audit": 0,
		"select count(*) from reports": 1,
	} {
		if n := b.count(sql); n != want {
			t.Errorf("%s: %d, want %d", sql, n, want)
		}
	}
}
