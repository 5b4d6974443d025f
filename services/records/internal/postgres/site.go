package postgres

import (
	"context"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
)

// statsSQL counts, which the gateway's cache makes cheap.
const statsSQL = `
	select
		(select count(*) from maps where not removed and not superseded),
		(select count(*) from players where registered),
		(select coalesce(sum(records), 0) from map_totals)`

// Stats implements leaderboard.SiteQueries.
func (s *Store) Stats(ctx context.Context) (stats leaderboard.Stats, err error) {
	err = s.db.QueryRow(ctx, statsSQL).Scan(&stats.Maps, &stats.Players, &stats.Records)
	return stats, postgres.Wrap(err, "totals of the site")
}
