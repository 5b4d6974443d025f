package leaderboard

import (
	"cmp"
	"context"
	"slices"
	"time"

	"capzone.dev/services/records/internal/record"
)

// WorldRecord is a record that was faster than every active record of its map that was accepted before it. The
// fastest one of a map is its world record now. An equal time is no world record.
type WorldRecord struct {
	// ID is the record's.
	ID         string
	Player     record.Player
	FinishTime int
	// Since is when it became the world record.
	Since time.Time
}

// HistoryStep is a world record of a map's history.
type HistoryStep struct {
	WorldRecord
	// Until is when the next one replaced it, and the zero time for the world record now.
	Until time.Time
}

// Holder is a player who holds or held the world record of a map.
type Holder struct {
	Player record.Player
	// Reigns counts how often the player took the world record from another player, or was the first.
	Reigns int
	// HeldFor does not include the time since the world record now was accepted.
	HeldFor time.Duration
	// Current is true for the player who holds the world record now.
	Current bool
}

// History is the history of a map's world record.
type History struct {
	// Steps are in the order of acceptance, of more than maxSteps the newest.
	Steps []HistoryStep
	// Holders begins with the current holder. The others follow by HeldFor, longest first, at most maxHolders in all.
	Holders []Holder
	// Total counts the world records that the map had, at most MaxWorldRecords.
	Total int
}

// MaxWorldRecords is the largest number of world records from which a history is made.
const MaxWorldRecords = 10_000

const (
	maxSteps   = 1000
	maxHolders = 100
)

// NewHistory returns the history of a map's world records, which are in the order of their acceptance.
func NewHistory(worldRecords []WorldRecord) History {
	var steps []HistoryStep
	for i, w := range worldRecords {
		step := HistoryStep{WorldRecord: w}
		if i+1 < len(worldRecords) {
			step.Until = worldRecords[i+1].Since
		}
		steps = append(steps, step)
	}
	holders := holdersOf(steps)
	return History{
		Steps:   steps[max(0, len(steps)-maxSteps):],
		Holders: holders[:min(len(holders), maxHolders)],
		Total:   len(steps),
	}
}

// holdersOf returns the holders in the order of History.Holders.
func holdersOf(steps []HistoryStep) []Holder {
	var holders []Holder
	indexes := map[string]int{} // in holders, by the player's id
	for i, s := range steps {
		index, known := indexes[s.Player.ID]
		if !known {
			index = len(holders)
			indexes[s.Player.ID] = index
			holders = append(holders, Holder{Player: s.Player})
		}
		holder := &holders[index]
		if i == 0 || steps[i-1].Player.ID != s.Player.ID {
			holder.Reigns++
		}
		if s.Until.IsZero() {
			holder.Current = true
		} else {
			holder.HeldFor += s.Until.Sub(s.Since)
		}
	}
	slices.SortStableFunc(holders, func(a, b Holder) int {
		switch {
		case a.Current:
			return -1
		case b.Current:
			return 1
		default:
			return cmp.Compare(b.HeldFor, a.HeldFor)
		}
	})
	return holders
}

// History returns the history of a map's world record.
func (r *Reader) History(ctx context.Context, mapID string) (History, error) {
	if _, err := r.Maps.Get(ctx, mapID); err != nil {
		return History{}, err
	}
	worldRecords, err := r.Queries.WorldRecords(ctx, mapID)
	return NewHistory(worldRecords), err
}

// ListedWorldRecord is an active record that was its map's world record when it was accepted.
type ListedWorldRecord struct {
	record.RankedRecord
	// PreviousWorldRecord is the finish time of the one before it, in milliseconds, and 0 where there was none.
	PreviousWorldRecord int
}

// NewestWorldRecords returns at most limit world records of all maps, newest first.
func (r *Reader) NewestWorldRecords(ctx context.Context, limit int) ([]ListedWorldRecord, error) {
	return r.Queries.NewestWorldRecords(ctx, limit)
}
