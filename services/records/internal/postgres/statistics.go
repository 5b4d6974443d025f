package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
)

const (
	// standingsSQL counts at most as many rows above a player's as a rank that is shown has.
	standingsSQL = `
		select m.id, m.name, m.game_mode, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze,
			b.record_id, b.finish_time, case when above.players < @max_rank then above.players + 1 else 0 end, t.players
		from personal_bests b
			join maps m on m.id = b.map_id and not m.removed and not m.superseded
			join map_totals t on t.map_id = b.map_id
			cross join lateral (
				select count(*) as players
				from (
					select from personal_bests a
					where a.map_id = b.map_id
						and (a.finish_time, a.finished_at, a.record_id) < (b.finish_time, b.finished_at, b.record_id)
					order by a.finish_time, a.finished_at, a.record_id
					limit @max_rank
				) faster
			) above
		where b.player_id = @player`
	listedMapsSQL = `
		select game_mode, count(*) from maps where not removed and not superseded group by 1`
	// reignsSQL selects the player's longest reign with both numbers of leaderboards. A reign begins with
	// a world record of a map that is another player's than the one before.
	reignsSQL = `
		with steps as (
			select map_id, finish_time, record_id, player_id, since,
				player_id is distinct from lag(player_id) over (partition by map_id order by finish_time desc) as begins
			from world_records
			where map_id in (select map_id from world_records where player_id = @player)
				and map_id not in (select id from maps where removed)
		), reigns as (
			select map_id, record_id, player_id, since,
				lead(since) over (partition by map_id order by finish_time desc) as until
			from steps
			where begins
		), own as materialized (
			select map_id, record_id, since, until from reigns where player_id = @player
		)
		select (select count(*) from own where until is null), (select count(distinct map_id) from own),
			map_id, coalesce((select name from maps where id = own.map_id), ''), record_id, since, until
		from own
		order by coalesce(until, @now) - since desc, since, record_id
		limit 1`
	// lostWorldRecordsSQL selects the world records of a player that are followed by another player's, newest loss first,
	// with the beginnings of their reigns. World records of a map are since later times, the faster they are.
	lostWorldRecordsSQL = `
		with steps as (
			select map_id, finish_time, record_id, player_id, since,
				lag(player_id) over best_last as player_before,
				lead(player_id) over best_last as next_player, lead(record_id) over best_last as next_record,
				lead(finish_time) over best_last as next_time, lead(since) over best_last as next_since
			from world_records
			where map_id in (select map_id from world_records where player_id = @player)
				and map_id not in (select id from maps where removed)
			window best_last as (partition by map_id order by finish_time desc)
		), reigns as (
			select *, max(since) filter (where player_id is distinct from player_before) over (
				partition by map_id order by finish_time desc) as begun
			from steps
		), lost as materialized (
			select * from reigns
			where player_id = @player and next_player <> @player
			order by next_since desc, next_record desc
			limit @limit
		)
		select lost.map_id, coalesce((select name from maps where id = lost.map_id), ''), lost.record_id,
			lost.finish_time, lost.begun, lost.next_since, lost.next_record, lost.next_time, lost.next_player,
			coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, '')
		from lost left join lateral (
			select name, skin_image_url, skin_color from players where id = lost.next_player limit 1
		) p on true
		order by lost.next_since desc, lost.next_record desc`
	monthsSQL = `
		select to_char(month, 'YYYY-MM'), records
		from (
			select date_trunc('month', created_at at time zone 'UTC') as month, count(*) as records
			from records r
			where player_id = @player and created_at >= @since and ` + isActive + `
			group by 1
		) months`
)

// PlayerRecords implements leaderboard.Queries. All of it is read in one round trip.
func (s *Store) PlayerRecords(
	ctx context.Context, playerID string, since, now time.Time,
) (leaderboard.PlayerRecords, error) {
	var records leaderboard.PlayerRecords
	var reigns []leaderboard.WorldRecordStatistics // none for a player who never held a world record
	args := pgx.NamedArgs{
		"player": playerID, "since": since, "now": now, "max_rank": leaderboard.MaxPlacement,
		"limit": leaderboard.MaxLostWorldRecords,
	}
	batch := &pgx.Batch{}
	postgres.QueueRows(batch, &records.Standings, scanStanding, standingsSQL, args)
	postgres.QueueMap(batch, &records.Maps, listedMapsSQL, args)
	postgres.QueueRows(batch, &reigns, scanReigns, reignsSQL, args)
	postgres.QueueRows(batch, &records.Lost, scanLost, lostWorldRecordsSQL, args)
	postgres.QueueMap(batch, &records.Months, monthsSQL, args)
	err := s.db.SendBatch(ctx, batch).Close()
	if len(reigns) > 0 {
		records.WorldRecords = reigns[0]
	}
	return records, postgres.Wrap(err, "statistics of player %s", playerID)
}

func scanStanding(row pgx.CollectableRow) (s leaderboard.Standing, err error) {
	m := &s.Map
	err = row.Scan(&m.ID, &m.Name, &m.Mode, &m.Medals.Author, &m.Medals.Gold, &m.Medals.Silver, &m.Medals.Bronze,
		&s.RecordID, &s.FinishTime, &s.Rank, &s.Players)
	return s, err
}

func scanReigns(row pgx.CollectableRow) (w leaderboard.WorldRecordStatistics, err error) {
	reign := &w.LongestReign
	err = row.Scan(&w.Now, &w.Ever, &reign.Map.ID, &reign.Map.Name, &reign.RecordID, &reign.From,
		(*zeronull.Timestamptz)(&reign.Until))
	return w, err
}

func scanLost(row pgx.CollectableRow) (lost leaderboard.LostWorldRecord, err error) {
	by := &lost.BrokenBy
	err = row.Scan(&lost.Map.ID, &lost.Map.Name, &lost.RecordID, &lost.FinishTime, &lost.From, &lost.Until,
		&by.ID, &by.FinishTime, &by.Player.ID, &by.Player.Name, &by.Player.SkinImageURL, &by.Player.SkinColor)
	by.Since = lost.Until
	return lost, err
}

// statsSQL counts, which the gateway's cache makes cheap.
const statsSQL = `
	select
		(select count(*) from maps where not removed and not superseded),
		(select count(*) from players where registered),
		(select coalesce(sum(records), 0) from map_totals)`

// Stats implements leaderboard.Queries.
func (s *Store) Stats(ctx context.Context) (stats leaderboard.Stats, err error) {
	err = s.db.QueryRow(ctx, statsSQL).Scan(&stats.Maps, &stats.Players, &stats.Records)
	return stats, postgres.Wrap(err, "totals of the site")
}
