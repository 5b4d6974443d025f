package leaderboard

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// Standing is a player's row on the leaderboard of a map's newest version.
type Standing struct {
	// Map has the id, the name, the mode and the medals.
	Map        record.Map
	RecordID   string
	FinishTime int
	// Rank is counted from 1. It is 0 beyond MaxPlacement.
	Rank int64
	// Players counts the rows of the leaderboard.
	Players int64
}

// MaxPlacement is the lowest place on a leaderboard that is one of a player's best.
const MaxPlacement = 100

const (
	maxBestPlacements = 10
	// MaxLostWorldRecords is the largest number of lost world records that are shown.
	MaxLostWorldRecords = 20
	// activeMonths is how many months the activity of a player has.
	activeMonths = 24
)

// PlayerRecords is what the statistics of a player are made from.
type PlayerRecords struct {
	Standings []Standing
	// Maps counts the maps of the site by mode. The mode is empty where it is not known.
	Maps         map[string]int
	WorldRecords WorldRecordStatistics
	// Lost are the newest lost world records, at most MaxLostWorldRecords.
	Lost []LostWorldRecord
	// Months counts the records by month, as in "2026-01". It leaves out months without records.
	Months map[string]int
}

// WorldRecordStatistics counts the leaderboards whose world record a player holds, or holds or once held.
type WorldRecordStatistics struct {
	Now, Ever int
	// LongestReign is the zero value for a player who never held a world record.
	LongestReign Reign
}

// Reign is the time for which a player held the world record of a map, by one or more records.
type Reign struct {
	// Map has the id and the name.
	Map record.Map
	// RecordID is the record with which the reign began.
	RecordID string
	// From and Until are when the player and the next one took the world record. Until is the zero time where the
	// player still holds it.
	From, Until time.Time
}

// Duration returns how long the reign has lasted at a time.
func (r Reign) Duration(now time.Time) time.Duration {
	if r.Until.IsZero() {
		return max(now.Sub(r.From), 0)
	}
	return r.Until.Sub(r.From)
}

// LostWorldRecord is the end of a reign.
type LostWorldRecord struct {
	// Reign has the last record of the reign, which was broken, as its RecordID.
	Reign
	// FinishTime is that record's, in milliseconds.
	FinishTime int
	// BrokenBy is the world record of the next holder.
	BrokenBy WorldRecord
}

// Statistics is what a player has reached.
type Statistics struct {
	// Finished counts the maps whose newest version the player has finished, Maps those of the site.
	Finished, Maps int
	// Modes are in the order of their names.
	Modes        []ModeStatistics
	WorldRecords WorldRecordStatistics
	// Lost are the newest lost world records, newest first.
	Lost []LostWorldRecord
	// BestPlacements are in the order of their ranks.
	BestPlacements []Standing
	// Activity has each of the last activeMonths months, oldest first.
	Activity []MonthRecords
	// At is the time of the statistics.
	At time.Time
}

// ModeStatistics counts the maps of a mode. Mode is empty for maps whose mode is not known.
type ModeStatistics struct {
	Mode           string
	Finished, Maps int
	// Medals counts the finished maps by medal, also by racetime.NoMedal.
	Medals map[racetime.Medal]int
}

// MonthRecords counts the records that a player submitted in a month, as in "2026-01".
type MonthRecords struct {
	Month   string
	Records int
}

const monthLayout = "2006-01"

// NewStatistics counts what a player has reached at a time.
func NewStatistics(of PlayerRecords, now time.Time) Statistics {
	statistics := Statistics{WorldRecords: of.WorldRecords, Lost: of.Lost, At: now}
	modes := map[string]*ModeStatistics{}
	add := func(mode string) *ModeStatistics {
		if modes[mode] == nil {
			modes[mode] = &ModeStatistics{Mode: mode, Medals: map[racetime.Medal]int{}}
		}
		return modes[mode]
	}
	for mode, count := range of.Maps {
		add(mode).Maps = count
		statistics.Maps += count
	}
	for _, s := range of.Standings {
		mode := add(s.Map.Mode)
		mode.Finished++
		mode.Medals[s.Map.Medals.Of(s.FinishTime)]++
		statistics.Finished++
	}
	for _, mode := range slices.Sorted(maps.Keys(modes)) {
		statistics.Modes = append(statistics.Modes, *modes[mode])
	}
	statistics.BestPlacements = bestPlacements(of.Standings)
	for month := firstActiveMonth(now); !month.After(now); month = month.AddDate(0, 1, 0) {
		name := month.Format(monthLayout)
		statistics.Activity = append(statistics.Activity, MonthRecords{Month: name, Records: of.Months[name]})
	}
	return statistics
}

// bestPlacements returns the standings with the highest ranks. Of equal ranks that among the most players is the first.
func bestPlacements(standings []Standing) []Standing {
	placed := slices.DeleteFunc(slices.Clone(standings), func(s Standing) bool { return s.Rank == 0 })
	slices.SortFunc(placed, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(b.Players, a.Players), strings.Compare(a.Map.ID, b.Map.ID))
	})
	return placed[:min(len(placed), maxBestPlacements)]
}

// firstActiveMonth returns the beginning of the first of the last activeMonths months, in UTC.
func firstActiveMonth(now time.Time) time.Time {
	year, month, _ := now.UTC().Date()
	return time.Date(year, month+1-activeMonths, 1, 0, 0, 0, 0, time.UTC)
}

// Statistics returns the player with what the player has reached.
func (r *Reader) Statistics(ctx context.Context, playerID string) (record.Player, Statistics, error) {
	player, err := r.Players.Get(ctx, playerID)
	if err != nil {
		return record.Player{}, Statistics{}, err
	}
	now := event.InMillis(r.Now())
	records, err := r.Queries.PlayerRecords(ctx, player.ID, firstActiveMonth(now), now)
	return player, NewStatistics(records, now), err
}

// Stats are the totals of the whole site.
type Stats struct {
	// Maps counts the maps that are not removed, Players the registered ones, and Records the active ones.
	Maps, Players, Records int64
}

// Stats returns the totals of the whole site.
func (r *Reader) Stats(ctx context.Context) (Stats, error) { return r.Queries.Stats(ctx) }
