package postgres

import (
	"context"
	"fmt"

	"capzone.dev/services/records/internal/record"
)

// statsSQL counts, which the gateway's cache makes cheap.
const statsSQL = `
	select
		(select count(*) from maps where not removed),
		(select count(*) from players where registered),
		(select coalesce(sum(records), 0) from map_totals)`

// Stats implements record.StatsQuery.
func (s *Store) Stats(ctx context.Context) (stats record.Stats, err error) {
	if err := s.pool.QueryRow(ctx, statsSQL).Scan(&stats.Maps, &stats.Players, &stats.Records); err != nil {
		return record.Stats{}, fmt.Errorf("totals of the site: %w", err)
	}
	return stats, nil
}
