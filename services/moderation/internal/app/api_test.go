package app_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/moderation/internal/app"
	"capzone.dev/services/moderation/internal/httpapi"
	"capzone.dev/services/moderation/internal/moderation"
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

// A remarkable record is flagged once, and is shown as being looked at.
func TestDesk_flags(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, mod := b.newPlayer("ann"), b.moderator("mod")
	m := b.newMap("Skyline Run", mod)
	recordID := b.newRecord(ann, m)
	fact := event.RecordSubmitted{
		RecordID: recordID, MapID: m.ID, PlayerID: ann.ID, FinishTime: 40_000, PersonalBest: true, WorldRecord: true,
		Rank: 1, At: time.Now().UTC(),
		PreviousWorldRecord: &event.WorldRecord{RecordID: newID(), PlayerID: newID(), FinishTime: 60_000},
	}
	b.tell(fact)
	fact.RecordID = newID() // which its owner does not know
	b.tell(fact)
	public := func(path string) servicetest.Answer {
		return servicetest.Do(t, http.MethodGet, b.URL+"/api/v1/moderation"+path, nil)
	}
	a := public("/records/" + recordID)
	if !servicetest.Data[struct{ BeingLookedAt bool }](t, a).BeingLookedAt {
		t.Errorf("a flagged record is not being looked at: %s", a.Raw)
	}
	caseID := pgtest.Value[string](t, b.Pool, "select id::text from cases")
	view := b.getCase(mod, caseID)
	if len(view.Flags) != 1 || view.Flags[0].Kind != "large_lead" || view.Priority != 25 || len(view.Reports) != 0 {
		t.Errorf("the case: %+v", view)
	}
	b.claim(mod, caseID)
	b.decide(mod, caseID, decisionOf("dismiss"))
	got := dataOf[[]httpapi.FlagPrecision](b, mod, http.MethodGet, "/desk/flags/precision", nil, http.StatusOK)
	if len(got) != len(moderation.FlagKinds) || got[0].Judged != 1 || got[0].Confirmed != 0 {
		t.Errorf("precision: %+v", got)
	}
	a = public("")
	summary := servicetest.Data[struct {
		OpenCases, ClosedCases int
		Decisions              []struct{ Count int }
	}](t, a)
	if summary.ClosedCases != 1 || len(summary.Decisions) != 1 || strings.Contains(string(a.Raw), `"mod"`) {
		t.Errorf("summary: %s", a.Raw)
	}
}

// The audit log has the rows of all services, in pages and as NDJSON.
func TestDesk_audit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	eventually.WaitFor(t, "readiness", func() bool {
		return servicetest.Do(t, http.MethodGet, b.OpsURL+"/readyz", nil).Status == http.StatusOK
	})
	mod := b.moderator("mod")
	target := newID()
	at := time.Date(2026, 5, 11, 18, 0, 0, 0, time.UTC)
	for i := range 5 {
		require.NoError(t, b.PublishFact(t.Context(), newID(), event.AuditWritten{
			Attribution: access.Attribution{Actor: access.Operator("root"), Reason: "a test"}, Action: access.RemoveRecord,
			TargetID: target, Before: json.RawMessage(`{"removed": false}`), After: json.RawMessage(`{"removed": true}`),
			At: at.Add(time.Duration(i) * time.Minute),
		}))
	}
	rows := b.awaitAudit(mod, "subject="+target+"&actor=root", 5)
	if r := rows[0]; r.Actor.Kind != "operator" || r.Reason != "a test" || r.Before["removed"] != false ||
		r.After["removed"] != true {
		t.Errorf("a row: %+v", r)
	}
	page := b.awaitAudit(mod, "subject="+target+"&limit=2&before="+rows[1].UnderscoreId, 2)
	require.Equal(t, "the second page", rows[2:4], page)
	a := b.want(mod, http.MethodGet, "/desk/audit/export?subject="+target, nil, http.StatusOK, "")
	lines := bytes.Split(bytes.TrimSpace(a.Raw), []byte("\n"))
	if len(lines) != 5 || a.Header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("%d lines, %s:\n%s", len(lines), a.Header.Get("Content-Type"), a.Raw)
	}
	for i, line := range lines {
		var row auditView
		require.NoError(t, json.Unmarshal(line, &row))
		if row.UnderscoreId != rows[i].UnderscoreId {
			t.Errorf("line %d has row %s, want %s", i, row.UnderscoreId, rows[i].UnderscoreId)
		}
	}
}

func TestCommands_rebuild(t *testing.T) {
	b := setup(t)
	ann := b.newPlayer("ann")
	b.newMap("Skyline Run", ann)
	pgtest.Exec(t, b.Pool, "truncate players, maps")
	out, err := b.Command(app.Commands, "rebuild")
	require.NoError(t, err)
	if out != "Rebuilt from 2 states.\n" || b.count("select count(*) from players") != 1 ||
		b.count("select count(*) from maps") != 1 {
		t.Errorf("printed %q", out)
	}
}
