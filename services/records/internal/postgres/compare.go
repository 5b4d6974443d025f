package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// commonMapsSQL finds the maps of the first player by their records, because leaderboards have no index by player.
const commonMapsSQL = `
	with played as materialized (
		select distinct map_id from records where player_id = @first and removed_at is null
	)
	select m.id, m.name, coalesce(m.game_mode, ''), a.record_id, a.finish_time, b.record_id, b.finish_time
	from played
		join personal_bests a on a.map_id = played.map_id and a.player_id = @first
		join personal_bests b on b.map_id = played.map_id and b.player_id = @second
		join maps m on m.id = played.map_id and not m.removed`

// CommonMaps implements record.Queries.
func (s *Store) CommonMaps(ctx context.Context, firstID, secondID string) ([]record.CommonMap, error) {
	common, err := postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (m record.CommonMap, err error) {
		err = row.Scan(&m.Map.ID, &m.Map.Name, &m.Map.Mode,
			&m.First.ID, &m.First.FinishTime, &m.Second.ID, &m.Second.FinishTime)
		return m, err
	}, commonMapsSQL, pgx.NamedArgs{"first": firstID, "second": secondID})
	if err != nil {
		return nil, fmt.Errorf("common maps of players %s and %s: %w", firstID, secondID, err)
	}
	return common, nil
}
