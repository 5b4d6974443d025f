package app_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/records/internal/record"
)

// ask asks the service as other services do.
func ask[Q, A any](b *bundle, subject string, q Q) (A, error) {
	return eventbus.Call[A](b.t.Context(), b.NATS, subject, q)
}

// Other services ask for what records know.
func TestRequests(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	ofBob := b.submitted(bob, m, 46_000).Record.UnderscoreId
	ofAnn := b.submitted(ann, m, 45_000).Record
	id := ofAnn.UnderscoreId

	passed, err := ask[event.FindPassed, event.PassedPlayers](b, event.FindPassedSubject,
		event.FindPassed{RecordID: id, PlayerIDs: []string{bob.ID, ann.ID, newID()}})
	want := []event.MovedPlayer{{PlayerID: bob.ID, RecordID: ofBob, FinishTime: 46_000, From: 1, To: 2}}
	if diff := cmp.Diff(want, passed.Passed); diff != "" || err != nil {
		t.Errorf("passed players: %v (-want +got):\n%s", err, diff)
	}
	listed, err := ask[event.ListPlayers, event.ListedPlayers](b, event.ListPlayersSubject, event.ListPlayers{MapID: m.ID})
	if diff := cmp.Diff([]string{ann.ID, bob.ID}, listed.PlayerIDs); diff != "" || err != nil {
		t.Errorf("players of a map: %v (-want +got):\n%s", err, diff)
	}
	inspected, err := ask[event.InspectRecord, event.InspectedRecord](b, event.InspectRecordSubject,
		event.InspectRecord{RecordID: id})
	if err != nil || inspected.RecordID != id || inspected.Rank != 1 || inspected.Replay.Mod != "1.3.0" {
		t.Errorf("an inspected record: %+v, %v", inspected, err)
	}
	played, err := ask[event.FindPlayed, event.PlayedMaps](b, event.FindPlayedSubject,
		event.FindPlayed{PlayerID: bob.ID, Filter: event.NotFirst, Order: event.ByRank, Descending: true})
	if mapID := uuid.MustParse(m.ID); err != nil || string(played.MapIDs) != string(mapID[:]) {
		t.Errorf("played maps: %v, %v", played, err)
	}
	counts, err := ask[event.CountMedals, event.MedalCounts](b, event.CountMedalsSubject, event.CountMedals{
		MapID: m.ID, WithoutPlayerID: ann.ID,
		Medals: event.Medals{Author: 10_000, Gold: 20_000, Silver: 30_000, Bronze: 60_000},
	})
	if err != nil || counts != (event.MedalCounts{Bronze: 1}) {
		t.Errorf("medals: %+v, %v", counts, err)
	}
	if _, err := ask[event.InspectRecord, event.InspectedRecord](b, event.InspectRecordSubject,
		event.InspectRecord{RecordID: newID()}); !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("an unknown record: %v", err)
	}
}
