package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

const (
	// followedSQL looks the players' rows up one by one ("limit 1"), of which the planner expects too many.
	followedSQL = `
	with followed as materialized (
		select b.*, first_value(b.finish_time) over best_first as first_time, lag(b.finish_time) over best_first as above_time
		from (select distinct id from unnest(@players::uuid[]) as listed (id)) asked cross join lateral (
			select ` + bestColumns + ` from personal_bests
			where map_id = @map and player_id = asked.id
			limit 1
		) b
		window best_first as (order by b.finish_time, b.finished_at, b.record_id)
	), page as materialized (
		select * from followed order by finish_time, finished_at, record_id limit @limit offset @offset
	)
	select ` + rowColumns + `, leaderboard_rank(@map, b.finish_time, b.finished_at, b.record_id),
		b.first_time, b.above_time, (select count(*) from followed)
	from page` + rowSource
	// countFollowedSQL is for a page past the end.
	countFollowedSQL = `select count(*) from personal_bests where map_id = @map and player_id = any (@players::uuid[])`
)

// FollowedLeaderboard implements leaderboard.Queries.
func (s *Store) FollowedLeaderboard(
	ctx context.Context, mapID string, playerIDs []string, page leaderboard.Page,
) (list leaderboard.RankedList, err error) {
	args := pgx.NamedArgs{"map": mapID, "players": playerIDs, "limit": page.Limit, "offset": page.Offset}
	first, above := []int{}, []*int{}
	_, list.Records, err = s.rows(ctx, followedSQL, args, page.Limit, func() []any {
		first, above = append(first, 0), append(above, nil)
		return []any{&first[len(first)-1], &above[len(above)-1], &list.Total}
	})
	if err != nil {
		return leaderboard.RankedList{}, err
	}
	for i := range list.Records {
		if r := &list.Records[i]; above[i] != nil {
			r.Gap = &record.Gap{ToAbove: r.FinishTime - *above[i], ToFirst: r.FinishTime - first[i]}
		}
	}
	if len(list.Records) > 0 {
		return list, nil
	}
	err = s.db.QueryRow(ctx, countFollowedSQL, args).Scan(&list.Total)
	return list, postgres.Wrap(err, "players' rows on map %s", mapID)
}
