package points_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/points"
)

func TestEntries(t *testing.T) {
	t.Parallel()
	may := time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)
	april := may.AddDate(0, -1, 0)
	entry := func(period, mode string, kind points.Kind, player string) points.Entry {
		return points.Entry{Ranking: points.Ranking{Period: period, Mode: mode, Kind: kind}, PlayerID: player}
	}
	got := points.Entries([]points.Finish{
		{PlayerID: "a", Mode: "Classic", Points: 4000, IsWorldRecord: true, Medal: racetime.Author, CreatedAt: april},
		{PlayerID: "a", Mode: "Grapple", Points: 6000, Medal: racetime.Bronze, CreatedAt: may},
		{PlayerID: "b", Points: 0, CreatedAt: april},
	}, may)
	want := map[points.Entry]int64{
		entry("all", "", points.ByPoints, "a"):       9800, // 6000 and 95 % of 4000
		entry("all", "", points.ByWorldRecords, "a"): 1, entry("all", "", points.ByAuthorMedals, "a"): 1,
		entry("all", "", points.ByBronzeMedals, "a"): 1, entry("all", "", points.ByFinished, "a"): 2,

		entry("all", "Classic", points.ByPoints, "a"): 4000, entry("all", "Classic", points.ByWorldRecords, "a"): 1,
		entry("all", "Classic", points.ByAuthorMedals, "a"): 1, entry("all", "Classic", points.ByFinished, "a"): 1,

		entry("all", "Grapple", points.ByPoints, "a"): 6000, entry("all", "Grapple", points.ByBronzeMedals, "a"): 1,
		entry("all", "Grapple", points.ByFinished, "a"): 1,

		entry("2026-05", "", points.ByPoints, "a"): 6000, entry("2026-05", "", points.ByBronzeMedals, "a"): 1,
		entry("2026-05", "", points.ByFinished, "a"): 1,

		entry("2026-05", "Grapple", points.ByPoints, "a"): 6000, entry("2026-05", "Grapple", points.ByBronzeMedals, "a"): 1,
		entry("2026-05", "Grapple", points.ByFinished, "a"): 1,

		entry("all", "", points.ByFinished, "b"): 1,
	}
	assert.Equal(t, "entries", want, got)
}

func TestEntries_month(t *testing.T) {
	t.Parallel()
	june := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name      string
		createdAt time.Time
		inMonth   bool
	}{
		{"the last moment of the month before", june.Add(-time.Millisecond), false},
		{"the first moment", june, true},
		{"the last moment", june.AddDate(0, 1, 0).Add(-time.Millisecond), true},
		{"the month after", june.AddDate(0, 1, 0), false},
	} {
		finish := points.Finish{PlayerID: "a", CreatedAt: tt.createdAt}
		entries := points.Entries([]points.Finish{finish}, june.AddDate(0, 0, 14))
		if got := len(entries) == 2; got != tt.inMonth {
			t.Errorf("%s: %v", tt.name, entries)
		}
	}
}

func TestCompareEntries(t *testing.T) {
	t.Parallel()
	entry := func(player string) points.Entry { return points.Entry{PlayerID: player} }
	got := points.CompareEntries(
		map[points.Entry]int64{entry("same"): 1, entry("more"): 1, entry("gone"): 1},
		map[points.Entry]int64{entry("same"): 1, entry("more"): 2, entry("new"): 3})
	slices.SortFunc(got, func(a, b points.EntryChange) int { return strings.Compare(a.PlayerID, b.PlayerID) })
	want := []points.EntryChange{{entry("gone"), 1, 0}, {entry("more"), 1, 2}, {entry("new"), 0, 3}}
	assert.Equal(t, "changes", want, got)
}
