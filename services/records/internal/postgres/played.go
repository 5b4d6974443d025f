package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
)

const (
	playedMapsSQL = `
		select coalesce(string_agg(uuid_send(map_id), '' order by map_id), '')
		from (select map_id from personal_bests where player_id = @player limit @limit) played`
	playedColumns  = `m.id, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze, b.finish_time`
	playedTimesSQL = `
		select ` + playedColumns + `, 0
		from personal_bests b join maps m on m.id = b.map_id and not m.removed
		where b.player_id = @player
		limit @limit`
	// playedFirstSQL looks for a row above only where the time is the fastest of the leaderboard.
	playedFirstSQL = `
		select ` + playedColumns + `,
			case when b.finish_time > t.fastest or exists (
				select from personal_bests a
				where a.map_id = b.map_id
					and (a.finish_time, a.finished_at, a.record_id) < (b.finish_time, b.finished_at, b.record_id)
			) then 0 else 1 end
		from personal_bests b
			join maps m on m.id = b.map_id and not m.removed
			join map_totals t on t.map_id = b.map_id
		where b.player_id = @player
		limit @limit`
	// playedRanksSQL counts at most 200 rows above a personal best one by one, which costs less than leaderboard_rank.
	playedRanksSQL = `
		select ` + playedColumns + `,
			case when above.players < 200 then above.players + 1
				else leaderboard_rank(b.map_id, b.finish_time, b.finished_at, b.record_id) end
		from personal_bests b
			join maps m on m.id = b.map_id and not m.removed
			cross join lateral (
				select count(*) as players
				from (
					select from personal_bests a
					where a.map_id = b.map_id
						and (a.finish_time, a.finished_at, a.record_id) < (b.finish_time, b.finished_at, b.record_id)
					order by a.finish_time, a.finished_at, a.record_id
					limit 200
				) faster
			) above
		where b.player_id = @player
		limit @limit`
)

// PlayedMaps implements leaderboard.AnswerQueries.
func (s *Store) PlayedMaps(ctx context.Context, playerID string, limit int) (ids event.IDs, err error) {
	err = s.db.QueryRow(ctx, playedMapsSQL, pgx.NamedArgs{"player": playerID, "limit": limit}).Scan((*[]byte)(&ids))
	return ids, postgres.Wrap(err, "maps that player %s has played", playerID)
}

var playedSQL = map[leaderboard.Ranks]string{
	leaderboard.NoRanks: playedTimesSQL, leaderboard.FirstRank: playedFirstSQL, leaderboard.AllRanks: playedRanksSQL,
}

// Played implements leaderboard.AnswerQueries.
func (s *Store) Played(
	ctx context.Context, playerID string, ranks leaderboard.Ranks, limit int,
) ([]leaderboard.Progress, error) {
	played, err := postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (p leaderboard.Progress, err error) {
		err = row.Scan(&p.MapID, &p.Medals.Author, &p.Medals.Gold, &p.Medals.Silver, &p.Medals.Bronze,
			&p.FinishTime, &p.Rank)
		return p, err
	}, playedSQL[ranks], pgx.NamedArgs{"player": playerID, "limit": limit})
	return played, postgres.Wrap(err, "personal bests of player %s", playerID)
}
