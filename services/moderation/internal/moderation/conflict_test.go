package moderation

import (
	"errors"
	"testing"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

func TestCheckConflict(t *testing.T) {
	t.Parallel()
	record := Parties{
		Thing: Thing{
			Subject: Subject{Kind: OfRecord, PlayerID: "ann"},
			Record:  &event.InspectedRecord{Neighbours: []event.RankedFinish{{PlayerID: "cid"}, {PlayerID: "dan"}}},
		},
		Reporters: []string{"eve", "bob"},
	}
	unknown := Parties{Thing: Thing{Subject: Subject{Kind: OfMap}}, Reporters: []string{"bob"}}
	undone := record
	undone.Others, undone.IsReview = []string{"fay"}, true
	appeal := undone
	appeal.BarredModerator = "mod"
	for _, tt := range []struct {
		name, playerID string
		parties        Parties
		want           Conflict
		// may and mayAdmin are what a moderator and an admin may who overrule it.
		may, mayAdmin bool
	}{
		{"nobody", "mod", record, "", true, true},
		{"the player", "ann", record, OwnCase, false, true},
		{"a reporter", "bob", record, OwnReport, false, true},
		{"the row above", "cid", record, Neighbour, false, true},
		{"the row below", "dan", record, Neighbour, false, true},
		{"a map without an author", "mod", unknown, "", true, true},
		{"a reporter of a map", "bob", unknown, OwnReport, false, true},
		{"the player of what was decided", "ann", undone, OwnCase, false, false},
		{"whom the decision has concerned", "fay", undone, OwnCase, false, false},
		{"a reporter of what was decided", "bob", undone, OwnReport, false, true},
		{"an appeal, by who has decided", "mod", appeal, "", false, false},
		{"an appeal, by another", "other", appeal, "", true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			moderator := access.Player(tt.playerID, "m", []string{access.Moderator})
			admin := access.Player(tt.playerID, "a", []string{access.Admin})
			for _, by := range []struct {
				actor         access.Actor
				override, may bool
			}{
				{moderator, false, tt.may}, {moderator, true, tt.may},
				{admin, false, tt.may}, {admin, true, tt.mayAdmin},
			} {
				got, err := checkConflict(by.actor, tt.parties, by.override)
				if got != tt.want || (err == nil) != by.may || err != nil && !errors.Is(err, ErrConflict) {
					t.Errorf("%v, override %v: %q, %v", by.actor.Roles, by.override, got, err)
				}
			}
		})
	}
}
