package postgres

import (
	"github.com/jackc/pgx/v5"

	"capzone.dev/services/records/internal/record"
)

const DeepPageSQL = deepPageSQL

// ScanRow returns what scans the rows of one leaderboard.
func ScanRow() pgx.RowToFunc[record.RankedRecord] { return new(leaderboardMap).scanRow(nil) }
