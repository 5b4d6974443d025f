package e2e_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/platform/access"
)

// A record is reported, removed and, after an appeal, restored. Everybody is told, and the audit log has it all.
func TestDesk(t *testing.T) {
	t.Parallel()
	m, entry, _ := submitted(t)
	awaitRecord(t, entry.ID)
	holder, cheater := newPlayer(t), newPlayer(t)
	moderator, admin := withRole(t, access.Moderator), withRole(t, access.Admin)
	finished(t, holder, m, 39_000)
	recordID := finished(t, cheater, m, 38_000).Record.ID
	awaitWorldRecord(t, entry.ID, cheater)

	posted[api.OwnReport](t, holder, "/reports", map[string]any{
		"subject": map[string]any{"kind": "record", "id": recordID}, "reason": "edited", "text": "The timer jumps.",
	})
	caseID := awaitCase(t, moderator, recordID)
	posted[api.Claim](t, moderator, "/desk/cases/"+caseID+"/claim", map[string]any{})
	removal := posted[api.Decision](t, moderator, "/desk/cases/"+caseID+"/decisions", map[string]any{
		"kind": "remove_record", "publicReason": "edited", "text": "The replay was edited.",
	})
	if removal.State != api.DecisionCarriedOut {
		t.Fatalf("the decision is %s", removal.State)
	}
	awaitWorldRecord(t, entry.ID, holder)
	lost := group{api.RecordLost, entry.Name, []string{cheater.Player.Name}, 1, false, true}
	regained := group{api.RecordRegained, entry.Name, nil, 1, false, false}
	reported := group{api.ReportDecided, entry.Name, nil, 1, false, false}
	awaitGroups(t, holder, lost, regained, reported)
	moderated := group{api.Moderated, entry.Name, nil, 1, false, false}
	awaitGroups(t, cheater, moderated)

	appeal := posted[api.Appeal](t, cheater, "/appeals", map[string]any{
		"decisionId": removal.ID, "text": "I have a video of the finish.",
	})
	answered := posted[api.DeskAppeal](t, admin, "/desk/appeals/"+appeal.ID+"/answer", map[string]any{
		"outcome": "granted", "text": "The video shows it.",
	})
	if answered.State != api.AppealGranted {
		t.Errorf("the appeal is %s", answered.State)
	}
	awaitWorldRecord(t, entry.ID, cheater)
	lost.RemovedSince, regained.RemovedSince = false, true
	awaitGroups(t, holder, lost, regained, reported)

	want := []string{
		"report", "claim case", "decide", "remove record", "appeal", "undo decision", "answer appeal", "restore record",
	}
	var got []string
	eventually.WaitFor(t, "eight rows of the audit log", func() bool {
		var page api.AuditPage
		decode(t, ask(t, admin, site.Request{Path: "/desk/audit", Query: map[string][]string{"subject": {recordID}}}), &page)
		got = nil
		for i := len(page.Data) - 1; i >= 0; i-- {
			got = append(got, page.Data[i].Action)
		}
		return len(got) >= len(want)
	})
	assert.Equal(t, "audit", want, got)
}

// posted sends a request that succeeds and returns the data of the answer.
func posted[T any](t *testing.T, by *site.Visitor, path string, body any) T {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	answer := ask(t, by, site.Request{
		Method: http.MethodPost, Path: path, Body: strings.NewReader(string(text)),
		Header: http.Header{"Content-Type": {"application/json"}},
	})
	if answer.Status >= http.StatusMultipleChoices {
		t.Fatalf("POST %s: %d %s", path, answer.Status, answer.Body)
	}
	var wire struct{ Data T }
	require.NoError(t, json.Unmarshal(answer.Body, &wire))
	return wire.Data
}

// awaitCase waits until a moderator, whose role has arrived, finds the case of a record and returns its id.
func awaitCase(t *testing.T, moderator *site.Visitor, recordID string) (id string) {
	t.Helper()
	eventually.WaitFor(t, "the case of the record", func() bool {
		answer := ask(t, moderator, site.Request{Path: "/desk/cases", Query: map[string][]string{
			"kind": {"record"}, "assigned": {"free"}, "limit": {"100"},
		}})
		var page api.CasePage
		if answer.Status != http.StatusOK || json.Unmarshal(answer.Body, &page) != nil {
			return false
		}
		for _, c := range page.Data {
			if c.Subject.ID == recordID {
				id = c.ID
			}
		}
		return id != ""
	})
	return id
}

// awaitWorldRecord waits until a player leads a leaderboard.
func awaitWorldRecord(t *testing.T, mapID string, player *site.Visitor) {
	t.Helper()
	eventually.WaitFor(t, player.Player.Name+" to hold the world record", func() bool {
		page, err := newVisitor().Leaderboard(t.Context(), mapID, 0, 1)
		return err == nil && len(page.Data) == 1 && page.Data[0].Player.ID == player.Player.ID
	})
}

// awaitGroups waits until an inbox has groups, among others and in any order.
func awaitGroups(t *testing.T, player *site.Visitor, want ...group) {
	t.Helper()
	var got []group
	if eventually.Poll(func() bool {
		got = inbox(t, player)
		for _, w := range want {
			found := false
			for _, g := range got {
				found = found || cmp.Equal(w, g)
			}
			if !found {
				return false
			}
		}
		return true
	}) {
		return
	}
	t.Fatalf("the inbox of %s has %+v, want also %+v", player.Player.Name, got, want)
}
