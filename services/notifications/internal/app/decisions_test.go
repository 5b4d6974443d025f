package app_test

import (
	"testing"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
)

// Decisions reach whom they concern, also a banned player, and the reporters. A fact that comes twice has one effect.
func TestConsumer_decisions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, cid := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("cid")
	m := b.newMap("Skyline Run", bob)
	ann.Banned = true
	b.publish(ann, bob, cid, m)
	decision, record := newID(), newID()
	about := event.DecidedSubject{Kind: "record", ID: record, MapID: m.ID}
	for range 2 {
		b.tell(event.ModerationDecided{
			DecisionID: decision, PlayerID: ann.ID, Decided: about, Kind: "remove_record", At: now,
		})
		b.tell(event.ReportClosed{
			DecisionID: decision, ReporterIDs: []string{bob.ID, cid.ID}, Decided: about, Confirmed: true, At: now,
		})
	}
	b.tell(event.AppealAnswered{AppealID: newID(), DecisionID: decision, PlayerID: ann.ID, Decided: about, At: now})
	for _, p := range []event.PlayerState{bob, cid} {
		group := b.only(p)
		if group.Kind != "report_decided" || group.Count != 1 || group.Map == nil || group.Map.UnderscoreId != m.ID {
			t.Errorf("the inbox of %s has %+v", p.Name, group)
		}
	}
	ann.Banned, ann.Version = false, 2
	b.publish(ann) // who reads the inbox when the ban has ended
	groups := b.inbox(ann, "")
	if len(groups) != 2 || groups[0].Kind != "appeal_answered" || groups[1].Kind != "moderated" || groups[1].Count != 1 {
		t.Fatalf("the inbox of ann has %+v", groups)
	}
	for _, g := range groups {
		if httpserve.OrZero(g.DecisionId) != decision {
			t.Errorf("%s leads to decision %q, want %q", g.Kind, httpserve.OrZero(g.DecisionId), decision)
		}
	}
}
