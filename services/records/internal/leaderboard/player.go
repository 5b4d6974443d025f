package leaderboard

import (
	"context"
	"time"

	"capzone.dev/services/records/internal/record"
)

// PlayerQueries reads the records of players.
type PlayerQueries interface {
	// CommonMaps returns the maps on which two players have personal bests, with the id, the name and the mode of each.
	CommonMaps(ctx context.Context, firstID, secondID string) ([]CommonMap, error)
	// Progress returns where a player stands on maps, in the order of the ids, without removed and unknown maps.
	Progress(ctx context.Context, playerID string, mapIDs []string) ([]Progress, error)
	// PlayerRecords returns what the statistics of a player at a time are made from, with the records by month that
	// were accepted since another time.
	PlayerRecords(ctx context.Context, playerID string, since, now time.Time) (PlayerRecords, error)
	// ImprovedMaps returns a page of the maps on which a player has improved, newest personal best first.
	ImprovedMaps(ctx context.Context, playerID string, page Page) (ImprovedMaps, error)
	// Improvements returns the improvements of a player on a map in the order of acceptance, of more than
	// MaxImprovements the newest.
	Improvements(ctx context.Context, playerID, mapID string) ([]Improvement, error)
}

// PlayerReader reads what is told of a player: statistics, improvements, progress, and the comparison with another.
type PlayerReader struct {
	Queries PlayerQueries
	Maps    *record.Maps
	Players record.Players
	Now     func() time.Time
}
