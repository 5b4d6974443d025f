package points

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"capzone.dev/game/racetime"
)

// Kind is what a ranking is by.
type Kind string

// The kinds of rankings.
const (
	ByPoints       Kind = "points"
	ByWorldRecords Kind = "worldRecords"
	ByAuthorMedals Kind = "authorMedals"
	ByGoldMedals   Kind = "goldMedals"
	BySilverMedals Kind = "silverMedals"
	ByBronzeMedals Kind = "bronzeMedals"
	ByFinished     Kind = "finished"
)

// AllTime is the period of the rankings of all time.
const AllTime = "all"

// RetainedDays is for how many days it is kept what points were.
const RetainedDays = 9

// Ranking names a ranking.
type Ranking struct {
	// Period is AllTime, or a month (UTC) as MonthName writes it.
	Period string
	// Mode is empty for the maps of all modes.
	Mode string
	Kind Kind
}

// Entry is the row of a player in a ranking.
type Entry struct {
	Ranking

	PlayerID string
}

// Finish is a personal best on a map that gives points, of a player that counts.
type Finish struct {
	PlayerID string
	// Mode is that of the map, and empty where it is not known.
	Mode          string
	Points        Tenths
	IsWorldRecord bool
	Medal         racetime.Medal
	CreatedAt     time.Time
}

// Entries returns what players have reached, of all time and in the month of now: only values above 0. Finishes are all
// of these players.
func Entries(finishes []Finish, now time.Time) map[Entry]int64 {
	from, until := Month(now)
	month := MonthName(now)
	values := map[Entry]int64{}
	earned := map[Entry][]Tenths{} // of the entries by points
	add := func(period, mode string, f Finish) {
		entry := func(kind Kind) Entry { return Entry{Ranking{period, mode, kind}, f.PlayerID} }
		values[entry(ByFinished)]++
		if f.IsWorldRecord {
			values[entry(ByWorldRecords)]++
		}
		if kind, ok := medalKinds[f.Medal]; ok {
			values[entry(kind)]++
		}
		if f.Points > 0 {
			earned[entry(ByPoints)] = append(earned[entry(ByPoints)], f.Points)
		}
	}
	for _, f := range finishes {
		modes := []string{""}
		if f.Mode != "" {
			modes = append(modes, f.Mode)
		}
		for _, mode := range modes {
			add(AllTime, mode, f)
			if !f.CreatedAt.Before(from) && f.CreatedAt.Before(until) {
				add(month, mode, f)
			}
		}
	}
	for entry, of := range earned {
		slices.SortFunc(of, func(a, b Tenths) int { return cmp.Compare(b, a) })
		if total := Total(of); total > 0 {
			values[entry] = int64(total)
		}
	}
	return values
}

var medalKinds = map[racetime.Medal]Kind{
	racetime.Author: ByAuthorMedals, racetime.Gold: ByGoldMedals,
	racetime.Silver: BySilverMedals, racetime.Bronze: ByBronzeMedals,
}

// EntryChange is a difference of an entry. Without the entry the value is 0.
type EntryChange struct {
	Entry

	Before, After int64
}

// CompareEntries returns how entries differ from those before.
func CompareEntries(before, after map[Entry]int64) (changes []EntryChange) {
	either := map[Entry]int64{}
	maps.Copy(either, before)
	maps.Copy(either, after)
	for entry := range either {
		if before[entry] != after[entry] {
			changes = append(changes, EntryChange{entry, before[entry], after[entry]})
		}
	}
	return changes
}

// Month returns the calendar month (UTC) of a time.
func Month(at time.Time) (from, until time.Time) {
	year, month, _ := at.UTC().Date()
	from = time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return from, from.AddDate(0, 1, 0)
}

// MonthName returns the period of the month (UTC) of a time.
func MonthName(at time.Time) string { return at.UTC().Format("2006-01") }
