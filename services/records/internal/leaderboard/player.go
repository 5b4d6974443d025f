package leaderboard

import (
	"time"

	"capzone.dev/services/records/internal/record"
)

// PlayerQueries reads the records of players.
type PlayerQueries interface {
	ComparisonQueries
	ProgressQueries
	StatisticsQueries
	ImprovementQueries
}

// PlayerReader reads what is told of a player: statistics, improvements, progress, and the comparison with another.
type PlayerReader struct {
	Queries PlayerQueries
	Maps    *record.Maps
	Players record.Players
	Now     func() time.Time
}
