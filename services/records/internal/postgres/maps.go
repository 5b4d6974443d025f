package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

const mapColumns = `
	id, version, removed, name, game_map_id, map_version, superseded, fingerprint,
	medal_author, medal_gold, medal_silver, medal_bronze, picture_bucket, picture_key`

const (
	mapSQL = `select ` + mapColumns + ` from maps where id = $1`
	// While events are on their way two copies may have one fingerprint; the newer one is right.
	mapVersionSQL = `
		select ` + mapColumns + ` from maps
		where game_map_id = @game_map_id and fingerprint = @fingerprint and not removed
		order by id desc
		limit 1`
)

// Map implements record.MapCopies.
func (s *Store) Map(ctx context.Context, id string) (record.Map, error) {
	return scanMap(s.pool.QueryRow(ctx, mapSQL, id))
}

// MapVersion implements record.MapCopies.
func (s *Store) MapVersion(ctx context.Context, gameMapID int64, fingerprint string) (record.Map, error) {
	args := pgx.NamedArgs{"game_map_id": gameMapID, "fingerprint": fingerprint}
	return scanMap(s.pool.QueryRow(ctx, mapVersionSQL, args))
}

func scanMap(row pgx.Row) (m record.Map, err error) {
	err = row.Scan(&m.ID, &m.Version, &m.Removed, &m.Name, &m.GameMapID, &m.MapVersion, &m.Superseded, &m.Fingerprint,
		&m.Medals.Author, &m.Medals.Gold, &m.Medals.Silver, &m.Medals.Bronze, &m.Picture.Bucket, &m.Picture.Key)
	if errors.Is(err, pgx.ErrNoRows) {
		return record.Map{}, record.ErrMapUnknown
	}
	if err != nil {
		return record.Map{}, fmt.Errorf("copy of a map: %w", err)
	}
	return m, nil
}

const applyMapSQL = `
	insert into maps as m (id, version, removed, name, game_map_id, map_version, superseded, fingerprint,
		medal_author, medal_gold, medal_silver, medal_bronze, picture_bucket, picture_key)
	values (@id, @version, @removed, @name, @game_map_id, @map_version, @superseded, @fingerprint,
		@author, @gold, @silver, @bronze, @picture_bucket, @picture_key)
	on conflict (id) do update set
		version = excluded.version, removed = excluded.removed, name = excluded.name, game_map_id = excluded.game_map_id,
		map_version = excluded.map_version, superseded = excluded.superseded, fingerprint = excluded.fingerprint,
		medal_author = excluded.medal_author, medal_gold = excluded.medal_gold, medal_silver = excluded.medal_silver,
		medal_bronze = excluded.medal_bronze, picture_bucket = excluded.picture_bucket, picture_key = excluded.picture_key
	where m.version < excluded.version and not m.removed`

// ApplyMap implements record.MapCopies.
func (s *Store) ApplyMap(ctx context.Context, m record.Map) error {
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if m.Removed { // no record is added while the map becomes a tombstone
			if err := lockMap(ctx, tx, m.ID); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, applyMapSQL, pgx.NamedArgs{
			"id": m.ID, "version": m.Version, "removed": m.Removed, "name": m.Name,
			"game_map_id": m.GameMapID, "map_version": m.MapVersion, "superseded": m.Superseded, "fingerprint": m.Fingerprint,
			"picture_bucket": m.Picture.Bucket, "picture_key": m.Picture.Key,
			"author": m.Medals.Author, "gold": m.Medals.Gold, "silver": m.Medals.Silver, "bronze": m.Medals.Bronze,
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("apply map %s: %w", m.ID, err)
	}
	if m.Removed {
		// Also for a copy that was a tombstone before: the process may have ended in between.
		return s.clearLeaderboard(ctx, m.ID)
	}
	return nil
}

// clearBatch is how many players' totals one transaction changes.
const clearBatch = 500

// clearLeaderboard deletes the leaderboard of a removed map and subtracts its records from
// all totals, clearBatch players in a transaction. It may be interrupted and repeated: what
// is left of the leaderboard is what is left to subtract.
func (s *Store) clearLeaderboard(ctx context.Context, mapID string) error {
	for deleted := clearBatch; deleted == clearBatch; {
		err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
			deleted, err = clearSome(ctx, tx, mapID)
			return err
		})
		if err != nil {
			return fmt.Errorf("clear the leaderboard of map %s: %w", mapID, err)
		}
	}
	return nil
}

const (
	resetMapTotalSQL = `
		update map_totals set version = version + 1, records = 0
		where map_id = $1 and records > 0
		returning version`
	deleteWorldRecordsSQL  = `delete from world_records where map_id = $1`
	deletePersonalBestsSQL = `
		delete from personal_bests
		where map_id = $1 and player_id in (
			select player_id from personal_bests where map_id = $1 order by player_id limit $2)
		returning player_id, records`
)

func clearSome(ctx context.Context, tx pgx.Tx, mapID string) (deleted int, err error) {
	if err := lockMap(ctx, tx, mapID); err != nil {
		return 0, err
	}
	var events []outbox.Event
	var players []string
	var records []int64
	batch := &pgx.Batch{}
	batch.Queue(resetMapTotalSQL, mapID).Query(func(rows pgx.Rows) error {
		stats := event.MapStats{MapID: mapID}
		_, err := pgx.ForEachRow(rows, []any{&stats.Version}, func() error {
			events = append(events, stats)
			return nil
		})
		return err
	})
	batch.Queue(deleteWorldRecordsSQL, mapID)
	batch.Queue(deletePersonalBestsSQL, mapID, clearBatch).Query(func(rows pgx.Rows) error {
		var player string
		var n int64
		_, err := pgx.ForEachRow(rows, []any{&player, &n}, func() error {
			players, records = append(players, player), append(records, n)
			return nil
		})
		return err
	})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return 0, err
	}
	ofPlayers, err := subtract(ctx, tx, players, records)
	if err != nil {
		return 0, err
	}
	return len(players), outbox.Append(ctx, tx, append(events, ofPlayers...)...)
}

const (
	lockPlayerTotalsSQL = `select from player_totals where player_id = any ($1) order by player_id for update`
	subtractSQL         = `
		update player_totals t set version = t.version + 1, records = t.records - removed.records
		from unnest($1::uuid[], $2::bigint[]) as removed (player_id, records)
		where t.player_id = removed.player_id
		returning t.player_id, t.version, t.records`
)

// subtract subtracts records from the totals of players, and returns the new totals.
func subtract(ctx context.Context, tx pgx.Tx, players []string, records []int64) (totals []outbox.Event, err error) {
	batch := &pgx.Batch{}
	batch.Queue(lockPlayerTotalsSQL, players)
	batch.Queue(subtractSQL, players, records).Query(func(rows pgx.Rows) error {
		var s event.PlayerStats
		_, err := pgx.ForEachRow(rows, []any{&s.PlayerID, &s.Version, &s.Records}, func() error {
			totals = append(totals, s)
			return nil
		})
		return err
	})
	return totals, tx.SendBatch(ctx, batch).Close()
}
