package app_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/notifications/internal/httpapi"
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
	about := event.DecidedSubject{Kind: "record", ID: record, MapID: m.ID, PlayerID: ann.ID}
	for range 2 {
		b.publishFact(event.ModerationDecided{
			DecisionID: decision, PlayerID: ann.ID, Decided: about, Kind: "remove_record", PublicReason: "edited", At: now,
		})
		b.publishFact(event.ReportClosed{
			DecisionID: decision, ReporterIDs: []string{bob.ID, cid.ID}, Decided: about, Kind: "remove_record",
			PublicReason: "edited", Confirmed: true, At: now,
		})
	}
	b.publishFact(event.RecordRemoved{RecordID: record, MapID: m.ID, PlayerID: ann.ID, At: now})
	b.publishFact(event.AppealAnswered{AppealID: newID(), DecisionID: decision, PlayerID: ann.ID, Decided: about, At: now})
	removed, edited := httpapi.DecideRemoveRecord, httpapi.PublicEdited
	for _, p := range []event.PlayerState{bob, cid} { // the reporters are led to the leaderboard, since the record is gone
		want := httpapi.InboxGroup{
			UnderscoreId: "1", Kind: httpapi.ReportDecided, Map: mapRef(m), Player: new(playerRef(ann)), RecordId: &record,
			Decision: &removed, PublicReason: &edited, Link: &httpapi.InboxLink{Kind: httpapi.LinkLeaderboard, Id: &m.ID},
			Count: 1, Actors: []httpapi.PlayerRef{}, At: httpserve.TimeText(now),
		}
		if diff := cmp.Diff(want, b.only(p)); diff != "" {
			t.Errorf("the inbox of %s (-want +got):\n%s", p.Name, diff)
		}
	}
	ann.Banned, ann.Version = false, 2
	b.publish(ann) // who reads the inbox when the ban has ended
	link := &httpapi.InboxLink{Kind: httpapi.LinkDecision, Id: &decision}
	want := []httpapi.InboxGroup{
		{UnderscoreId: "2", Kind: httpapi.AppealAnswered, Appeal: new(httpapi.InboxAppealKept)},
		{UnderscoreId: "1", Kind: httpapi.Moderated, Decision: &removed, PublicReason: &edited},
	}
	for i := range want {
		want[i].Map, want[i].RecordId, want[i].DecisionId, want[i].Link = mapRef(m), &record, &decision, link
		want[i].Count, want[i].Actors, want[i].At = 1, []httpapi.PlayerRef{}, httpserve.TimeText(now)
	}
	require.Equal(t, "the inbox of ann", want, b.inbox(ann, ""))
}
