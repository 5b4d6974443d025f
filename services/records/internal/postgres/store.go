// Package postgres stores records, leaderboards, totals and the copies of maps and players
// in PostgreSQL.
//
// Lock order. A transaction that changes what belongs to a map first locks the map's row in
// map_totals. The lock covers the map's records, personal_bests, rank_counts and world_records,
// and the map's tombstone. Then it locks copies of players (for share), then rows of player_totals
// in the order of their ids. A transaction that applies the copy of a player locks only
// that copy. So records of one map are accepted one after the other, those of different
// maps concurrently, and no two transactions wait for each other in a cycle.
//
// Ranks and deep pages are computed by the functions leaderboard_rank and leaderboard_start
// from rank_counts, which a trigger on personal_bests keeps (see migrations/00005_records.sql).
// Triggers on records keep world_records (see migrations/00006_history.sql).
package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// Store implements the interfaces of package record.
type Store struct {
	pool *postgres.Pool
}

// NewStore returns the store in the database of pool.
func NewStore(pool *postgres.Pool) *Store { return &Store{pool} }

// recordColumns are the columns of recordRow.
const recordColumns = `id, map_id, player_id, finish_time, finished_at, undated, replay_hash, created_at`

// recordRow is a row of the table records.
type recordRow struct {
	ID         string
	MapID      string
	PlayerID   string
	FinishTime int
	FinishedAt time.Time
	Undated    bool
	ReplayHash string
	CreatedAt  time.Time
}

func (r recordRow) record() record.Record {
	return record.Record{
		ID: r.ID, MapID: r.MapID, PlayerID: r.PlayerID,
		FinishTime: r.FinishTime, FinishTimeStamp: r.FinishedAt.UTC(), Undated: r.Undated,
		ReplayHash: r.ReplayHash, CreatedAt: r.CreatedAt.UTC(),
	}
}

// collectRecord reads one record. It returns record.ErrRecordUnknown where there is none.
func collectRecord(rows pgx.Rows) (record.Record, error) {
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[recordRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return record.Record{}, record.ErrRecordUnknown
	}
	if err != nil {
		return record.Record{}, fmt.Errorf("read a record: %w", err)
	}
	return row.record(), nil
}

// addMapRecordsSQL locks the total of a map and adds records to it. A total from which
// records are subtracted exists.
const addMapRecordsSQL = `
	insert into map_totals as t (map_id, version, records, players) values (@map, 1, greatest(@change::bigint, 0), 0)
	on conflict (map_id) do update set version = t.version + 1, records = t.records + @change
	returning version, records`

// addPlayerRecordsSQL is addMapRecordsSQL for a player.
const addPlayerRecordsSQL = `
	insert into player_totals as t (player_id, version, records) values (@player, 1, greatest(@change::bigint, 0))
	on conflict (player_id) do update set version = t.version + 1, records = t.records + @change
	returning version, records`

// addMapRecords locks the map, adds records to its total and returns the new total with the map's world record.
func addMapRecords(ctx context.Context, tx pgx.Tx, mapID string, change int) (event.MapStats, error) {
	stats := event.MapStats{MapID: mapID}
	args := pgx.NamedArgs{"map": mapID, "change": change}
	batch := &pgx.Batch{}
	batch.Queue(addMapRecordsSQL, args).QueryRow(func(row pgx.Row) error {
		return row.Scan(&stats.Version, &stats.Records)
	})
	batch.Queue(worldRecordSQL, args).QueryRow(func(row pgx.Row) (err error) {
		stats.WorldRecord, err = scanWorldRecord(row)
		return err
	})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return event.MapStats{}, fmt.Errorf("total of map %s: %w", mapID, err)
	}
	return stats, nil
}

// addPlayerRecords adds records to a player's total and returns the new total.
func addPlayerRecords(ctx context.Context, tx pgx.Tx, playerID string, change int) (event.PlayerStats, error) {
	stats := event.PlayerStats{PlayerID: playerID}
	args := pgx.NamedArgs{"player": playerID, "change": change}
	if err := tx.QueryRow(ctx, addPlayerRecordsSQL, args).Scan(&stats.Version, &stats.Records); err != nil {
		return event.PlayerStats{}, fmt.Errorf("total of player %s: %w", playerID, err)
	}
	return stats, nil
}

const (
	insertMapTotalSQL = `
		insert into map_totals (map_id, version, records, players) values ($1, 0, 0, 0) on conflict do nothing`
	lockMapTotalSQL = `select from map_totals where map_id = $1 for update`
)

// lockMap locks a map by its row in map_totals, which it inserts where there is none.
func lockMap(ctx context.Context, tx pgx.Tx, mapID string) error {
	batch := &pgx.Batch{}
	batch.Queue(insertMapTotalSQL, mapID)
	batch.Queue(lockMapTotalSQL, mapID)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("lock map %s: %w", mapID, err)
	}
	return nil
}

// isMapRemoved reports whether a map is removed. A map without a copy is not.
func isMapRemoved(ctx context.Context, tx pgx.Tx, mapID string) (removed bool, err error) {
	const removedSQL = `select coalesce((select removed from maps where id = $1), false)`
	if err := tx.QueryRow(ctx, removedSQL, mapID).Scan(&removed); err != nil {
		return false, fmt.Errorf("copy of map %s: %w", mapID, err)
	}
	return removed, nil
}

// refreshPersonalBest makes the best of a player's active records on a map their personal
// best, and counts these records. The transaction holds the map's lock.
func refreshPersonalBest(ctx context.Context, tx pgx.Tx, mapID, playerID string) error {
	args := pgx.NamedArgs{"map": mapID, "player": playerID}
	batch := &pgx.Batch{}
	batch.Queue(deletePersonalBestSQL, args)
	batch.Queue(refreshPersonalBestSQL, args)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("personal best of player %s on map %s: %w", playerID, mapID, err)
	}
	return nil
}

const (
	deletePersonalBestSQL = `
		delete from personal_bests
		where map_id = @map and player_id = @player and not exists (
			select from records where map_id = @map and player_id = @player and removed_at is null)`
	// refreshPersonalBestSQL prefers, of equally fast records, the one that was accepted first.
	refreshPersonalBestSQL = `
		insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
		select map_id, player_id, id, finish_time, finished_at, created_at, count(*) over ()
		from records
		where map_id = @map and player_id = @player and removed_at is null
		order by finish_time, seq
		limit 1
		on conflict (map_id, player_id) do update set
			record_id = excluded.record_id, finish_time = excluded.finish_time, finished_at = excluded.finished_at,
			created_at = excluded.created_at, records = excluded.records`
)

// now returns the time in the precision in which it is shown and published.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// statsSQL counts, which the gateway's cache makes cheap.
const statsSQL = `
	select
		(select count(*) from maps where not removed and not superseded),
		(select count(*) from players where registered),
		(select coalesce(sum(records), 0) from map_totals)`

// Stats implements record.StatsQuery.
func (s *Store) Stats(ctx context.Context) (stats record.Stats, err error) {
	if err := s.pool.QueryRow(ctx, statsSQL).Scan(&stats.Maps, &stats.Players, &stats.Records); err != nil {
		return record.Stats{}, fmt.Errorf("totals of the site: %w", err)
	}
	return stats, nil
}

const (
	republishMapsSQL = `
		select t.map_id, t.version, t.records, w.record_id, w.player_id, w.finish_time, w.since
		from map_totals t left join lateral (
			select b.record_id, r.player_id, b.finish_time, b.since
			from world_records b join records r on r.id = b.record_id
			where b.map_id = t.map_id
			order by b.finish_time
			limit 1
		) w on true
		where t.map_id > @after and t.version > 0 order by t.map_id limit @limit for share of t`
	republishPlayersSQL = `
		select player_id, version, records from player_totals
		where player_id > @after and version > 0 order by player_id limit @limit for share`
)

// Republish appends the totals of every map and player to the outbox, and returns how many
// there are.
func (s *Store) Republish(ctx context.Context) (int, error) {
	maps, err := outbox.Republish(ctx, s.pool, republishMapsSQL, scanMapStats)
	if err != nil {
		return maps, err
	}
	players, err := outbox.Republish(ctx, s.pool, republishPlayersSQL, pgx.RowToStructByPos[event.PlayerStats])
	return maps + players, err
}

// scanMapStats scans a row of republishMapsSQL.
func scanMapStats(row pgx.CollectableRow) (event.MapStats, error) {
	var stats event.MapStats
	var recordID, playerID *string
	var finishTime *int64
	var since *time.Time
	err := row.Scan(&stats.MapID, &stats.Version, &stats.Records, &recordID, &playerID, &finishTime, &since)
	if err != nil || recordID == nil {
		return stats, err
	}
	stats.WorldRecord = &event.WorldRecord{
		RecordID: *recordID, PlayerID: *playerID, FinishTime: *finishTime, At: since.UTC(),
	}
	return stats, nil
}
