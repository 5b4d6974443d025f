package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// followedSQL selects one row without a record for a page past the end. It looks the players' rows up one by one
// ("limit 1"), of which the planner expects too many.
const followedSQL = `
	with followed as materialized (
		select b.*, first_value(b.finish_time) over best_first as first_time, lag(b.finish_time) over best_first as above_time
		from (select distinct id from unnest(@players::uuid[]) as listed (id)) asked cross join lateral (
			select record_id, player_id, finish_time, finished_at, created_at from personal_bests
			where map_id = @map and player_id = asked.id
			limit 1
		) b
		window best_first as (order by b.finish_time, b.finished_at, b.record_id)
	), page as materialized (
		select * from followed order by finish_time, finished_at, record_id limit @limit offset @offset
	)
	select total.rows, coalesce(b.record_id::text, ''), coalesce(b.player_id::text, ''), coalesce(b.finish_time, 0),
		coalesce(b.finished_at, 'epoch'), coalesce(b.created_at, 'epoch'),
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, ''),
		(select points from record_points where map_id = @map and player_id = b.player_id),
		coalesce(leaderboard_rank(@map, b.finish_time, b.finished_at, b.record_id), 0),
		coalesce(b.first_time, 0), b.above_time
	from (select count(*) as rows from followed) total left join page b on true left join lateral (
		select name, skin_image_url, skin_color from players where id = b.player_id limit 1
	) p on true
	order by b.finish_time, b.finished_at, b.record_id`

// FollowedLeaderboard implements leaderboard.Queries. The map and the page are read in one round trip,
// and are of one moment.
func (s *Store) FollowedLeaderboard(
	ctx context.Context, q leaderboard.FollowedLeaderboard,
) (list leaderboard.RankedList, err error) {
	var m leaderboardMap
	args := pgx.NamedArgs{"map": q.MapID, "players": q.PlayerIDs, "limit": q.Limit, "offset": q.Offset}
	batch := &pgx.Batch{}
	batch.Queue(leaderboardMapSQL, args).QueryRow(m.scan)
	batch.Queue(followedSQL, args).Query(func(rows pgx.Rows) error {
		list.Records, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (record.RankedRecord, error) {
			return scanFollowed(row, &list.Total)
		})
		return err
	})
	err = s.readSnapshot(ctx, batch)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return leaderboard.RankedList{}, record.ErrMapUnknown
	case err != nil:
		return leaderboard.RankedList{}, fmt.Errorf("players' rows on map %s: %w", q.MapID, err)
	case m.Removed:
		return leaderboard.RankedList{}, record.ErrMapRemoved
	}
	if len(list.Records) == 1 && list.Records[0].ID == "" {
		list.Records = nil
	}
	for i := range list.Records {
		m.complete(&list.Records[i])
	}
	return list, nil
}

// scanFollowed scans a row of followedSQL.
func scanFollowed(row pgx.CollectableRow, total *int64) (record.RankedRecord, error) {
	r := record.RankedRecord{PersonalBest: true}
	var first int
	var above *int
	err := row.Scan(total, &r.ID, &r.PlayerID, &r.FinishTime, &r.FinishTimeStamp, &r.CreatedAt,
		&r.Player.Name, &r.Player.SkinImageURL, &r.Player.SkinColor, &r.Points, &r.Rank, &first, &above)
	r.FinishTimeStamp, r.CreatedAt, r.Player.ID = r.FinishTimeStamp.UTC(), r.CreatedAt.UTC(), r.PlayerID
	if above != nil {
		r.Gap = &record.Gap{ToAbove: r.FinishTime - *above, ToFirst: r.FinishTime - first}
	}
	return r, err
}
