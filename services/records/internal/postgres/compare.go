package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
)

const commonMapsSQL = `
	select m.id, m.name, m.game_mode, a.record_id, a.finish_time, b.record_id, b.finish_time
	from personal_bests a
		join personal_bests b on b.map_id = a.map_id and b.player_id = @second
		join maps m on m.id = a.map_id and not m.removed and not m.superseded
	where a.player_id = @first`

// CommonMaps implements leaderboard.Queries.
func (s *Store) CommonMaps(ctx context.Context, firstID, secondID string) ([]leaderboard.CommonMap, error) {
	common, err := postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (m leaderboard.CommonMap, err error) {
		err = row.Scan(&m.Map.ID, &m.Map.Name, &m.Map.Mode,
			&m.First.ID, &m.First.FinishTime, &m.Second.ID, &m.Second.FinishTime)
		return m, err
	}, commonMapsSQL, pgx.NamedArgs{"first": firstID, "second": secondID})
	return common, postgres.Wrap(err, "common maps of players %s and %s", firstID, secondID)
}
