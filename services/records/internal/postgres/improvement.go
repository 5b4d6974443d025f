package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
)

// improvedMapsSQL selects one row without a map for a page past the end. A personal best is an improvement if a slower
// record was accepted before it.
const improvedMapsSQL = `
	with improved as materialized (
		select b.map_id, b.record_id, b.finish_time, b.created_at
		from personal_bests b
			join maps m on m.id = b.map_id and not m.removed
			join records best on best.id = b.record_id
		where b.player_id = @player and exists (
			select from records r
			where r.map_id = b.map_id and r.player_id = @player and r.removed_at is null
				and r.finish_time > b.finish_time and r.seq < best.seq)
	), page as materialized (
		select * from improved order by created_at desc, record_id desc limit @limit offset @offset
	)
	select total.maps, coalesce(m.id::text, ''), coalesce(m.name, ''), coalesce(m.game_mode, ''),
		coalesce(m.map_version, 0),
		coalesce(page.record_id::text, ''), coalesce(page.finish_time, 0), coalesce(page.created_at, 'epoch'),
		coalesce(series.first_time, 0), coalesce(series.improvements, 0)
	from (select count(*) as maps from improved) total left join page on true left join maps m on m.id = page.map_id
		left join lateral (
			select max(finish_time) as first_time, count(*) - 1 as improvements
			from (
				select finish_time, min(finish_time) over (
					order by seq rows between unbounded preceding and 1 preceding) as best_before
				from records
				where map_id = page.map_id and player_id = @player and removed_at is null
			) accepted
			where best_before is null or finish_time < best_before
		) series on page.map_id is not null
	order by page.created_at desc, page.record_id desc`

// ImprovedMaps implements leaderboard.Queries.
func (s *Store) ImprovedMaps(
	ctx context.Context, playerID string, page leaderboard.Page,
) (improved leaderboard.ImprovedMaps, err error) {
	improved.Maps, err = postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (m leaderboard.ImprovedMap, err error) {
		err = row.Scan(&improved.Total, &m.Map.ID, &m.Map.Name, &m.Map.Mode, &m.Map.MapVersion,
			&m.Best.ID, &m.Best.FinishTime, &m.Best.CreatedAt, &m.FirstTime, &m.Improvements)
		return m, err
	}, improvedMapsSQL, pgx.NamedArgs{"player": playerID, "limit": page.Limit, "offset": page.Offset})
	improved.Maps = slices.DeleteFunc(improved.Maps, func(m leaderboard.ImprovedMap) bool { return m.Map.ID == "" })
	return improved, postgres.Wrap(err, "improvements of player %s", playerID)
}

const improvementsSQL = `
	select id, finish_time, created_at, coalesce(best_before, 0)
	from (
		select id, finish_time, created_at, seq, min(finish_time) over (
			order by seq rows between unbounded preceding and 1 preceding) as best_before
		from records r
		where map_id = @map and player_id = @player and ` + isActive + `
	) accepted
	where best_before is null or finish_time < best_before
	order by seq desc
	limit @limit`

// Improvements implements leaderboard.Queries.
func (s *Store) Improvements(ctx context.Context, playerID, mapID string) ([]leaderboard.Improvement, error) {
	newest, err := postgres.Collect(ctx, s.db, pgx.RowToStructByPos[leaderboard.Improvement], improvementsSQL,
		pgx.NamedArgs{"map": mapID, "player": playerID, "limit": leaderboard.MaxImprovements})
	slices.Reverse(newest)
	return newest, postgres.Wrap(err, "improvements of player %s on map %s", playerID, mapID)
}
