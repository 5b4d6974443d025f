package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
)

// refreshPersonalBestsSQL prefers, of equally fast records, the one that was accepted first. It returns the changes of
// the numbers of records that count. Players are looked up one by one: a map may have a million records.
const refreshPersonalBestsSQL = `
	with wanted as materialized (
		select p.player_id, best.*
		from unnest(@players::uuid[]) as p (player_id) cross join lateral (
			select id, finish_time, finished_at, created_at, count(*) over () as records
			from records
			where map_id = @map and player_id = p.player_id and removed_at is null
			order by finish_time, seq
			limit 1
		) best
		where p.player_id not in (select player_id from player_totals where hidden)
			and not exists (select from maps where id = @map and removed and not restoring)
	), present as materialized (
		select p.player_id, b.row, b.records
		from unnest(@players::uuid[]) as p (player_id) cross join lateral (
			select ctid as row, records from personal_bests where map_id = @map and player_id = p.player_id limit 1
		) b
	), deleted as (
		delete from personal_bests
		where ctid = any (array(select row from present where player_id not in (select player_id from wanted)))
	), written as (
		insert into personal_bests as p (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
		select @map, player_id, id, finish_time, finished_at, created_at, records from wanted
		on conflict (map_id, player_id) do update set
			record_id = excluded.record_id, finish_time = excluded.finish_time, finished_at = excluded.finished_at,
			created_at = excluded.created_at, records = excluded.records
		where (p.record_id, p.records) is distinct from (excluded.record_id, excluded.records)
	)
	select player_id, coalesce(w.records, 0) - coalesce(p.records, 0)
	from wanted w full join present p using (player_id)
	where w.records is distinct from p.records`

// refreshWorldRecordsSQL computes the world records of a map if one of the players' records is one or becomes one:
// if no world record before it was as fast. Only a record that was faster than the player's own before it can be one.
const refreshWorldRecordsSQL = `
	select rebuild_world_records(@map)
	where exists (
		select from unnest(@players::uuid[]) as p (player_id) cross join lateral (
			select finish_time, seq, min(finish_time) over (
				order by seq rows between unbounded preceding and 1 preceding) as best_before
			from records
			where map_id = @map and player_id = p.player_id and removed_at is null
		) r
		where (r.best_before is null or r.finish_time < r.best_before) and not exists (
			select from world_records w where w.map_id = @map and w.finish_time <= r.finish_time and w.seq < r.seq))`

// lockPlayerTotalsSQL locks the totals in the order of the players' ids, also of players without one.
const lockPlayerTotalsSQL = `
	insert into player_totals as t (player_id, version, records)
	select distinct player_id, 0, 0 from unnest(@players::uuid[]) as p (player_id) order by player_id
	on conflict (player_id) do update set version = t.version`

// recount makes the personal bests of players on maps what the records say, and with them the world records and all
// totals, whose new states it appends. tx holds the locks of the maps. The totals are locked before it is read who is
// hidden, so that hiding and showing wait for the maps that a player gets here, or this for them. Submissions on all
// maps wait meanwhile, so the statements of thousands of maps take two round trips.
func recount(ctx context.Context, tx pgx.Tx, mapIDs, players []string) error {
	if _, err := tx.Exec(ctx, lockPlayerTotalsSQL, pgx.NamedArgs{"players": players}); err != nil {
		return fmt.Errorf("lock the totals of players: %w", err)
	}
	ofMaps, ofPlayers := make([]int64, len(mapIDs)), map[string]int64{} // changes of the totals
	batch := &pgx.Batch{}
	for i, mapID := range mapIDs {
		args := pgx.NamedArgs{"map": mapID, "players": players}
		batch.Queue(refreshPersonalBestsSQL, args).Query(func(rows pgx.Rows) error {
			var player string
			var n int64
			_, err := pgx.ForEachRow(rows, []any{&player, &n}, func() error {
				ofMaps[i] += n
				ofPlayers[player] += n
				return nil
			})
			return err
		})
		batch.Queue(refreshWorldRecordsSQL, args)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("recount maps: %w", err)
	}
	mapTotals, err := addMapRecords(ctx, tx, mapIDs, ofMaps)
	if err != nil {
		return err
	}
	playerTotals, err := addPlayerRecords(ctx, tx, ofPlayers)
	if err != nil {
		return err
	}
	events := postgres.Column(mapTotals, func(total event.MapStats) outbox.Event { return total })
	return outbox.Append(ctx, tx, append(events, playerTotals...)...)
}

// addMapRecordsSQL locks the total of a map and adds records to it. A total from which records are subtracted exists.
const addMapRecordsSQL = `
	insert into map_totals as t (map_id, version, records, players) values (@map, 1, greatest(@change::bigint, 0), 0)
	on conflict (map_id) do update set version = t.version + 1, records = t.records + @change
	returning version, records`

// addMapRecords adds records to the totals of maps, and returns the new totals with the maps' world records.
func addMapRecords(ctx context.Context, tx pgx.Tx, mapIDs []string, changes []int64) ([]event.MapStats, error) {
	totals := make([]event.MapStats, len(mapIDs))
	batch := &pgx.Batch{}
	for i, mapID := range mapIDs {
		stats := &totals[i]
		stats.MapID = mapID
		args := pgx.NamedArgs{"map": mapID, "change": changes[i]}
		postgres.QueueRow(batch, addMapRecordsSQL, args, &stats.Version, &stats.Records)
		queueWorldRecord(batch, args, &stats.WorldRecord)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("totals of maps: %w", err)
	}
	return totals, nil
}

// addPlayerRecordsSQL locks the totals in the order of the players' ids.
const addPlayerRecordsSQL = `
	insert into player_totals as t (player_id, version, records)
	select player_id, 1, greatest(change, 0)
	from unnest(@players::uuid[], @changes::bigint[]) as c (player_id, change)
	order by player_id
	on conflict (player_id) do update set
		version = t.version + 1,
		records = t.records + (@changes::bigint[])[array_position(@players::uuid[], t.player_id)]
	returning player_id, version, records`

// addPlayerRecords adds records to the totals of players, and returns the totals that have changed.
func addPlayerRecords(ctx context.Context, tx pgx.Tx, changes map[string]int64) (totals []outbox.Event, err error) {
	maps.DeleteFunc(changes, func(_ string, change int64) bool { return change == 0 })
	if len(changes) == 0 {
		return nil, nil
	}
	players := slices.Sorted(maps.Keys(changes))
	totals, err = postgres.Collect(ctx, tx, func(row pgx.CollectableRow) (outbox.Event, error) {
		return pgx.RowToStructByPos[event.PlayerStats](row)
	}, addPlayerRecordsSQL, pgx.NamedArgs{
		"players": players,
		"changes": postgres.Column(players, func(player string) int64 { return changes[player] }),
	})
	return totals, postgres.Wrap(err, "totals of players")
}
