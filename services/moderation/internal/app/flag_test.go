package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/services/moderation/internal/httpapi"
	"capzone.dev/services/moderation/internal/moderation"
)

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
