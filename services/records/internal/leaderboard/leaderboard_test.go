package leaderboard_test

import (
	"errors"
	"testing"

	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

func TestReader_Leaderboard(t *testing.T) {
	t.Parallel()
	b := setup()
	b.owner.maps[noID] = recordtest.Copy(noID, recordtest.Map(3_001, "Fresh", 500))
	b.copies.maps[gardenID] = record.Map{ID: gardenID, Version: 2, Removed: true}
	for _, tt := range []struct {
		name        string
		id          string
		unavailable bool
		asked       int
		want        error
	}{
		{"a map that is known", skylineID, false, 0, nil},
		{"a removed map", gardenID, false, 0, record.ErrMapRemoved},
		{"an unknown map", annID, false, 1, record.ErrMapUnknown},
		{"what is no id", "skyline", false, 0, record.ErrMapUnknown},
		{"what could be SQL", "' or true; --", false, 0, record.ErrMapUnknown},
		{"a new map while its owner is away", noID, true, 1, errAway},
		{"a new map", noID, false, 1, nil},
		{"a map that is known by now", noID, false, 0, nil},
	} {
		b.owner.asked, b.owner.isAway = 0, tt.unavailable
		_, err := b.reader.Leaderboard(t.Context(), leaderboard.Leaderboard{MapID: tt.id, Page: firstPage})
		if !errors.Is(err, tt.want) || b.owner.asked != tt.asked {
			t.Errorf("%s: %v after %d questions, want %v after %d", tt.name, err, b.owner.asked, tt.want, tt.asked)
		}
	}
}

func TestReader_invalid_ids(t *testing.T) {
	t.Parallel()
	b := setup()
	b.list = leaderboard.RankedList{Total: 1, Records: make([]record.RankedRecord, 1)}
	for _, id := range []string{"", "1", "submit", "01970000-0000-7000-8000-00000000000g",
		"{01970000-0000-7000-8000-000000000001}", "\x00"} {
		if _, err := b.reader.Details(t.Context(), id); !errors.Is(err, record.ErrRecordUnknown) {
			t.Errorf("Details(%q): %v", id, err)
		}
	}
	page, err := b.reader.List(t.Context(),
		leaderboard.List{PlayerID: "nobody", Sort: leaderboard.Newest, Page: firstPage})
	if err != nil || page.Total != 0 || len(page.Records) != 0 {
		t.Errorf("records of no player: %+v, %v", page, err)
	}
	page, err = b.reader.Leaderboard(t.Context(),
		leaderboard.Leaderboard{MapID: skylineID, PlayerID: "nobody", Page: firstPage})
	if err != nil || page.Total != 0 || len(page.Records) != 0 {
		t.Errorf("row of no player: %+v, %v", page, err)
	}
}
