package leaderboard

import (
	"context"
	"time"

	"capzone.dev/services/records/internal/record"
)

// Improvement is a record that was faster than all active records of its player on its map that were accepted before
// it.
type Improvement struct {
	BestRecord
	// PreviousBest is the finish time of the player's best before it, in milliseconds, and 0 where there was none.
	PreviousBest int
}

// BestRecord is a record that is, or was, a player's best on a map.
type BestRecord struct {
	ID         string
	FinishTime int
	CreatedAt  time.Time
}

// ImprovedMap is a map on which a player's personal best is not their first record.
type ImprovedMap struct {
	// Map has the id, the name, the mode and the version.
	Map record.Map
	// FirstTime is the finish time of the first record, in milliseconds.
	FirstTime int
	Best      BestRecord
	// Improvements counts the improvements, without the first record.
	Improvements int
}

// ImprovedMaps is a page of the maps on which a player has improved.
type ImprovedMaps struct {
	Maps []ImprovedMap
	// Total counts the maps of all pages.
	Total int64
}

// MaxImprovements is the largest number of a player's improvements on one map that are shown.
const MaxImprovements = 100

// ImprovedMaps returns the player with a page of the maps on which the player has improved, newest personal best first.
func (r *Reader) ImprovedMaps(ctx context.Context, playerID string, page Page) (record.Player, ImprovedMaps, error) {
	player, err := r.Players.Get(ctx, playerID)
	if err != nil {
		return record.Player{}, ImprovedMaps{}, err
	}
	improved, err := r.Queries.ImprovedMaps(ctx, player.ID, page)
	return player, improved, err
}

// Improvements returns the player with the improvements on a map in the order of acceptance, of more than
// MaxImprovements the newest.
func (r *Reader) Improvements(ctx context.Context, playerID, mapID string) (record.Player, []Improvement, error) {
	player, err := r.Players.Get(ctx, playerID)
	if err != nil {
		return record.Player{}, nil, err
	}
	if _, err := r.Maps.Get(ctx, mapID); err != nil {
		return record.Player{}, nil, err
	}
	improvements, err := r.Queries.Improvements(ctx, player.ID, mapID)
	return player, improvements, err
}
