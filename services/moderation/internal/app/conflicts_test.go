package app_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
)

// An admin who merges a player into the own account overrules a conflict of interest, and the audit log says so.
func TestDesk_merge_into_the_own_account(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ hasCase, isFormerID bool }{
		"without a case": {},
		"with a case":    {hasCase: true},
		"by the id of a player who was merged into it": {isFormerID: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			ann, bob, admin := b.newPlayer("ann"), b.newPlayer("bob"), b.admin("admin")
			merge := decisionOf("merge")
			merge["intoId"] = admin.ID
			if tt.isFormerID {
				former := b.newPlayer("former")
				b.publish(event.PlayerState{ID: former.ID, Version: 2, Removed: true, MergedInto: admin.ID})
				merge["intoId"] = former.ID
			}
			path := "/desk/decisions"
			if tt.hasCase {
				caseID := b.reportPlayer(bob, ann.ID)
				b.claim(admin, caseID)
				path = "/desk/cases/" + caseID + "/decisions"
			} else {
				merge["subject"] = map[string]any{"kind": "player", "id": ann.ID}
			}
			refusal := b.want(admin, http.MethodPost, path, merge, http.StatusUnprocessableEntity, "conflict_of_interest")
			if got := conflictOf(t, refusal); got != "own" {
				t.Errorf("the conflict is %q, want own", got)
			}
			if n := b.count("select count(*) from decisions where subject_id = $1", ann.ID); n != 0 {
				t.Errorf("%d decisions are stored", n)
			}
			merge["override"] = true
			made := dataOf[decisionView](b, admin, http.MethodPost, path, merge, http.StatusCreated)
			if made.State != "carried_out" {
				t.Errorf("merged: %+v", made)
			}
			row := b.awaitAudit(admin, "subject="+ann.ID+"&action=decide", 1)[0]
			if row.Actor.ID != admin.ID || row.After["conflictOverruled"] != "own" || row.After["intoId"] != admin.ID {
				t.Errorf("the audit log says %+v", row)
			}
		})
	}
}

// conflictOf returns the conflict of interest that a refusal names.
func conflictOf(t *testing.T, refusal servicetest.Answer) string {
	t.Helper()
	var answer struct{ Data struct{ Conflict string } }
	if err := json.Unmarshal(refusal.Raw, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Data.Conflict
}

// reportPlayer reports a player and returns the id of the case.
func (b *bundle) reportPlayer(by event.PlayerState, playerID string) string {
	b.t.Helper()
	dataOf[ref](b, by, http.MethodPost, "/reports", reportOf("player", playerID, "alt_account"), http.StatusCreated)
	return pgtest.Value[string](b.t, b.Pool, "select id::text from cases where subject_id = $1 and open", playerID)
}

// A moderator whose report was dismissed neither claims nor decides the next case about the same thing.
func TestDesk_reporter_of_an_earlier_case(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod, reporter := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod"), b.moderator("reporter")
	recordID := b.newRecord(ann, b.newMap("Skyline Run", bob))
	first := b.report(reporter, recordID)
	b.claim(mod, first)
	b.decide(mod, first, decisionOf("dismiss"))
	path := "/desk/cases/" + b.report(bob, recordID)

	refusal := b.want(reporter, http.MethodPost, path+"/claim", noOverride, http.StatusUnprocessableEntity,
		"conflict_of_interest")
	if got := conflictOf(t, refusal); got != "reporter" {
		t.Errorf("the conflict is %q, want reporter", got)
	}
	b.want(reporter, http.MethodPost, path+"/decisions", decisionOf("remove_record"), http.StatusUnprocessableEntity,
		"conflict_of_interest")
	view := dataOf[caseView](b, reporter, http.MethodGet, path, nil, http.StatusOK)
	if view.Conflict == nil || *view.Conflict != "reporter" {
		t.Errorf("the case shows the conflict %v, want reporter", view.Conflict)
	}
	if view := dataOf[caseView](b, mod, http.MethodGet, path, nil, http.StatusOK); view.Conflict != nil {
		t.Errorf("who has decided the earlier case sees the conflict %q", *view.Conflict)
	}
}
