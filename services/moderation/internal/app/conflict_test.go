package app_test

import (
	"net/http"
	"strings"
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
)

// An admin who merges a player into the own account, also by a former id of it, overrules a conflict of interest, and
// the audit log says so.
func TestDesk_merge_into_the_own_account(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, admin, former := b.newPlayer("ann"), b.newPlayer("bob"), b.admin("admin"), b.newPlayer("former")
	b.publish(event.PlayerState{ID: former.ID, Version: 2, Removed: true, MergedInto: admin.ID})
	merge := decisionOf("merge")
	merge["intoId"] = former.ID
	caseID := b.reportPlayer(bob, ann.ID)
	b.claim(admin, caseID)
	path := "/desk/cases/" + caseID + "/decisions"
	b.want(admin, http.MethodPost, path, merge, http.StatusUnprocessableEntity, "conflict_of_interest")
	merge["override"] = true
	made := dataOf[decisionView](b, admin, http.MethodPost, path, merge, http.StatusCreated)
	if made.State != "carried_out" || made.Undoable {
		t.Errorf("merged: %+v", made)
	}
	row := b.awaitAudit(admin, "subject="+ann.ID+"&action=decide", 1)[0]
	if row.Actor.Id != admin.ID || row.After["conflictOverruled"] != "own" || row.After["intoId"] != admin.ID {
		t.Errorf("the audit log says %+v", row)
	}
	b.want(admin, http.MethodPost, "/desk/decisions/"+made.UnderscoreId+"/undo", mistake, http.StatusUnprocessableEntity,
		"decision_final")
}

// reportPlayer reports a player and returns the id of the case.
func (b *bundle) reportPlayer(by event.PlayerState, playerID string) string {
	b.t.Helper()
	dataOf[ref](b, by, http.MethodPost, "/reports", reportOf("player", playerID, "alt_account"), http.StatusCreated)
	return pgtest.Value[string](b.t, b.Pool, "select id::text from cases where subject_id = $1 and open", playerID)
}

// Who has reported something, or stands next to it, neither undoes a decision about it nor answers an appeal, nor
// decides about it without the case. Admins do, and the audit log says so.
func TestDesk_conflicts_of_interest_after_a_case(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod, admin := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod"), b.admin("admin")
	neighbour, reporter := b.moderator("neighbour"), b.moderator("reporter")
	id := b.newRecord(ann, b.newMap("Skyline Run", bob), neighbour, admin)
	refused := func(by event.PlayerState, path string, body map[string]any) {
		t.Helper()
		b.want(by, http.MethodPost, path, body, http.StatusUnprocessableEntity, "conflict_of_interest")
	}
	caseID := b.report(reporter, id)
	b.claim(mod, caseID)
	dismissed := b.decide(mod, caseID, decisionOf("dismiss"))
	refused(reporter, "/desk/decisions/"+dismissed.UnderscoreId+"/undo", mistake)
	refused(reporter, "/desk/decisions", decisionAbout("remove_record", "record", id))
	caseID = b.report(bob, id) // the next case about the same
	refused(reporter, "/desk/cases/"+caseID+"/claim", noOverride)
	b.claim(mod, caseID)
	removed := b.decide(mod, caseID, decisionOf("remove_record"))
	appeal := b.appeal(ann, removed.UnderscoreId)
	refused(neighbour, "/desk/appeals/"+appeal.ID+"/answer", answerOf("kept"))
	b.undo(admin, removed.UnderscoreId)
	overruled := b.awaitAudit(admin, "subject="+id+"&action=undo+decision", 1)[0]
	if overruled.Actor.Id != admin.ID || overruled.After["conflictOverruled"] != "neighbour" {
		t.Errorf("the log says %+v", overruled)
	}
}

// A moderator who is reported sees neither by whom nor the texts, in the case and in the audit log.
func TestDesk_reports_about_the_own(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, mod, other := b.newPlayer("ann"), b.moderator("mod"), b.moderator("other")
	caseID := b.reportPlayer(ann, mod.ID)
	b.awaitAudit(other, "action=report", 1)
	b.awaitAudit(mod, "action=report", 0)
	for _, tt := range []struct {
		by      event.PlayerState
		reports int
	}{{other, 1}, {mod, 0}} {
		a := b.want(tt.by, http.MethodGet, "/desk/cases/"+caseID, nil, http.StatusOK, "")
		if view := b.getCase(tt.by, caseID); len(view.Reports) != tt.reports ||
			strings.Contains(string(a.Raw), ann.ID) != (tt.reports > 0) {
			t.Errorf("%s sees %s", tt.by.Name, a.Raw)
		}
		export := b.want(tt.by, http.MethodGet, "/desk/audit/export", nil, http.StatusOK, "")
		if strings.Contains(string(export.Raw), ann.ID) != (tt.reports > 0) {
			t.Errorf("%s exports %s", tt.by.Name, export.Raw)
		}
	}
	caseID = b.report(ann, b.newRecord(mod, b.newMap("Skyline Run", ann)))
	b.owners.stopRecords() // whose the record is, the case says too
	if view := b.getCase(mod, caseID); len(view.Reports) > 0 || !view.RecordUnavailable {
		t.Errorf("of a record: %+v", view)
	}
}
