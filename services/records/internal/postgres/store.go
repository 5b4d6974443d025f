// Package postgres stores records, leaderboards, totals and the copies of maps and players in PostgreSQL.
//
// Lock order. A transaction that adds or transfers what belongs to a player first takes the lock of merges (package
// copies), shared. A submission then takes an advisory lock of the game's map, whose versions share finishes. A
// transaction that changes what belongs to a map then locks the map's row in map_totals, and those of several maps in
// the order of their ids. The lock covers the map's records, personal_bests, rank_counts and world_records, and the
// map's copy. Then it locks rows of player_totals in the order of their ids. A transaction that applies the copy of a
// player takes the lock of merges alone where the player was merged or deleted, and locks that copy and what forget
// deletes. So records of one map are accepted one after the other, those of different maps concurrently, and no two
// transactions wait for each other in a cycle.
//
// Whatever removes, restores, hides or transfers records changes them first and then calls recount,
// which makes personal bests, world records and totals what the records say.
//
// Ranks and deep pages are computed by the functions leaderboard_rank and leaderboard_start from rank_counts, which a
// trigger on personal_bests keeps. Triggers on records keep world_records.
package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// Store implements the interfaces of the packages record and leaderboard.
type Store struct {
	db   postgres.DB
	pool *postgres.Pool
}

// NewStore returns the store in the database of pool.
func NewStore(pool *postgres.Pool) *Store { return &Store{postgres.NewDB(pool), pool} }

// In returns the store whose changes are part of tx.
func (s *Store) In(tx pgx.Tx) *Store { return &Store{s.db.In(tx), s.pool} }

const (
	insertMapTotalsSQL = `
		insert into map_totals (map_id, version, records, players)
		select map_id, 0, 0, 0 from unnest(@maps::uuid[]) as m (map_id) order by map_id
		on conflict do nothing`
	lockMapTotalsSQL = `select from map_totals where map_id = any (@maps) order by map_id for update`
)

// lockMaps locks maps by their rows in map_totals, in the order of their ids. It inserts the rows that are not there.
func lockMaps(ctx context.Context, tx pgx.Tx, maps ...string) error {
	args := pgx.NamedArgs{"maps": maps}
	return postgres.Wrap(postgres.ExecBatch(ctx, tx, args, insertMapTotalsSQL, lockMapTotalsSQL), "lock maps")
}

const isReferencedSQL = `
	select exists (select from records where replay_hash = @replay_hash and replay_purged_at is null)
	    or exists (select from dumps where starts_with(@key, folder))`

// IsReferenced reports whether a record or a dump names the file under key. It decides which files the sweeper of
// package objectstore removes. A removed record names its replay until that is purged.
func (s *Store) IsReferenced(ctx context.Context, tx pgx.Tx, key string) (referenced bool, err error) {
	args := pgx.NamedArgs{"key": key, "replay_hash": record.ReplayHash(key)}
	err = tx.QueryRow(ctx, isReferencedSQL, args).Scan(&referenced)
	return referenced, postgres.Wrap(err, "references to file %s", key)
}

const (
	republishMapsSQL = `
		select map_id from map_totals where map_id > @after and version > 0 order by map_id limit @limit`
	republishPlayersSQL = `
		select player_id, version, records from player_totals
		where player_id > @after and version > 0 order by player_id limit @limit for share`
)

// Republish appends the totals of every map and player to the outbox, and returns how many
// there are. It raises the versions of those of maps.
func (s *Store) Republish(ctx context.Context) (int, error) {
	maps, err := outbox.RepublishPages(ctx, s.db, selectMapStats)
	if err != nil {
		return maps, err
	}
	players, err := outbox.Republish(ctx, s.db, republishPlayersSQL, pgx.RowToStructByPos[event.PlayerStats])
	return maps + players, err
}

// selectMapStats returns the totals of a page of maps. They are read like totals that change by nothing.
func selectMapStats(ctx context.Context, tx pgx.Tx, page pgx.NamedArgs) ([]event.MapStats, error) {
	maps, err := postgres.Collect(ctx, tx, pgx.RowTo[string], republishMapsSQL, page)
	if err != nil {
		return nil, err
	}
	return addMapRecords(ctx, tx, maps, make([]int64, len(maps)))
}

// noID is lower than all ids.
const noID = "00000000-0000-0000-0000-000000000000"
