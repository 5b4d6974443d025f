package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
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

// Progress implements leaderboard.PlayerQueries.
func (s *Store) Progress(ctx context.Context, playerID string, mapIDs []string) ([]leaderboard.Progress, error) {
	list, err := postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (p leaderboard.Progress, err error) {
		err = row.Scan(&p.MapID, &p.Medals.Author, &p.Medals.Gold, &p.Medals.Silver, &p.Medals.Bronze,
			&p.RecordID, &p.FinishTime, &p.Rank, &p.WorldRecord, &p.PlayedOlderVersion)
		return p, err
	}, progressSQL, pgx.NamedArgs{"player": playerID, "maps": mapIDs})
	return list, postgres.Wrap(err, "progress of player %s", playerID)
}

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
