package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
)

// progressSQL looks personal bests up one by one ("limit 1"): a player may have thousands.
const progressSQL = `
	select m.id, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze,
		coalesce(b.record_id::text, ''), coalesce(b.finish_time, 0),
		case when b.record_id is null then 0
			else leaderboard_rank(m.id, b.finish_time, b.finished_at, b.record_id) end,
		coalesce(w.finish_time, 0),
		b.record_id is null and exists (
			select from maps o cross join lateral (
				select from personal_bests where map_id = o.id and player_id = @player limit 1
			) older
			where o.game_map_id = m.game_map_id and o.map_version < m.map_version and not o.removed
		)
	from unnest(@maps::uuid[]) with ordinality as asked (id, position)
		join maps m on m.id = asked.id and not m.removed
		left join lateral (
			select record_id, finish_time, finished_at from personal_bests
			where map_id = m.id and player_id = @player
			limit 1
		) b on true
		left join lateral (
			select finish_time from world_records where map_id = m.id order by finish_time limit 1
		) w on true
	order by asked.position`

// Progress implements leaderboard.Queries.
func (s *Store) Progress(ctx context.Context, playerID string, mapIDs []string) ([]leaderboard.Progress, error) {
	list, err := postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (p leaderboard.Progress, err error) {
		err = row.Scan(&p.MapID, &p.Medals.Author, &p.Medals.Gold, &p.Medals.Silver, &p.Medals.Bronze,
			&p.RecordID, &p.FinishTime, &p.Rank, &p.WorldRecord, &p.PlayedOlderVersion)
		return p, err
	}, progressSQL, pgx.NamedArgs{"player": playerID, "maps": mapIDs})
	return list, postgres.Wrap(err, "progress of player %s", playerID)
}
