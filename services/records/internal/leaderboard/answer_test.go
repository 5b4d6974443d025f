package leaderboard_test

import (
	"errors"
	"slices"
	"testing"

	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// What the requests of other services say is checked before it is looked for.
func TestAnswers_invalid(t *testing.T) {
	t.Parallel()
	b := setup()
	answers := leaderboard.Answers{Maps: b.reader.Maps}
	b.copies.maps[gardenID] = record.Map{ID: gardenID, Version: 2, Removed: true}
	passed := func(record string, players ...string) error {
		_, err := answers.FindPassed(t.Context(), event.FindPassed{RecordID: record, PlayerIDs: players})
		return err
	}
	players := func(mapID, after string) error {
		_, err := answers.ListPlayers(t.Context(), event.ListPlayers{MapID: mapID, After: after})
		return err
	}
	_, inspected := answers.InspectRecord(t.Context(), event.InspectRecord{RecordID: "r1"})
	_, verified := (&leaderboard.EvidenceReader{}).Find(t.Context(), "r1")
	for name, tt := range map[string]struct{ got, want error }{
		"passed by what is no record":  {passed("r1", annID), record.ErrRecordUnknown},
		"passed players without an id": {passed(noID, annID, "bob"), leaderboard.ErrPlayersInvalid},
		"too many passed players": {
			passed(noID, slices.Repeat([]string{annID}, event.MaxRequestedPlayers+1)...), leaderboard.ErrPlayersInvalid,
		},
		"the players of what is no map":   {players("m1", ""), record.ErrMapUnknown},
		"the players of a removed map":    {players(gardenID, ""), record.ErrMapRemoved},
		"the players after what is no id": {players(skylineID, "Ann"), leaderboard.ErrPlayersInvalid},
		"what is no record":               {inspected, record.ErrRecordUnknown},
		"the checks of what is no record": {verified, record.ErrRecordUnknown},
	} {
		if !errors.Is(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
		}
	}
}
