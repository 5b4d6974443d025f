// Package postgres stores maps and their versions in PostgreSQL, with the copies of players and
// of record counts that it shows.
//
// Lock order. A transaction that writes for a player first takes the lock of merges (package copies), shared, and
// finds whom the player was merged into. A submission then takes the advisory lock of the game's map, which may have no
// version yet. After that a transaction locks the versions of the game's map, the first one before the others. One that
// applies the copy of a merged or deleted player takes the lock of merges alone, then locks all maps of the player, in
// the order of the game's maps and their versions.
package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
)

// Store is the service's database.
type Store struct {
	db   postgres.DB
	pool *postgres.Pool
}

// NewStore returns the store of a migrated database.
func NewStore(pool *postgres.Pool) *Store { return &Store{postgres.NewDB(pool), pool} }

// In returns a store that changes maps in a transaction.
func (s *Store) In(tx pgx.Tx) *Store { return &Store{s.db.In(tx), s.pool} }

const isReferencedSQL = `
	select exists (select from maps where image_key = @key)
	    or exists (select from maps where thumbnail_key = @key)
	    or exists (select from maps where replay_key = @key)
	    or exists (select from update_replays where replay_key = @key)
	    or exists (select from maps where drawing_key = @key)
	    or exists (select from maps where picture_key = @key)
	    or exists (select from maps where picture_thumbnail_key = @key)
	    or exists (select from map_edits where before_image_key = @key)
	    or exists (select from map_edits where before_thumbnail_key = @key)`

// IsReferenced reports whether a map, or an edit that can be undone, names the file under key. It decides which files
// the sweeper of package objectstore removes. Files of removed maps are kept.
func (s *Store) IsReferenced(ctx context.Context, tx pgx.Tx, key string) (referenced bool, err error) {
	err = tx.QueryRow(ctx, isReferencedSQL, pgx.NamedArgs{"key": key}).Scan(&referenced)
	return referenced, postgres.Wrap(err, "references to file %s", key)
}

const isPublicSQL = `
	with named as (
		select removed_at from maps where image_key = @key
		union all
		select removed_at from maps where thumbnail_key = @key
		union all
		select removed_at from maps where drawing_key = @key
		union all
		select removed_at from maps where picture_key = @key
		union all
		select removed_at from maps where picture_thumbnail_key = @key
		union all
		select at from map_edits where before_image_key = @key
		union all
		select at from map_edits where before_thumbnail_key = @key)
	select not exists (select from named) or exists (select from named where removed_at is null)`

// IsPublic reports whether the site shows the picture under a key. It does not where only removed maps name it, and
// edits, which have replaced it.
func (s *Store) IsPublic(ctx context.Context, key string) (public bool, err error) {
	err = s.db.QueryRow(ctx, isPublicSQL, pgx.NamedArgs{"key": key}).Scan(&public)
	return public, postgres.Wrap(err, "maps with picture %s", key)
}

// republishSQL also selects removed maps, which are tombstones.
const republishSQL = `
	select ` + mapColumns + ` from maps m
	where m.id > @after
	order by m.id limit @limit
	for share`

// Republish appends the state of every map to the outbox. It returns the number of maps.
func (s *Store) Republish(ctx context.Context) (int, error) {
	return outbox.Republish(ctx, s.db, republishSQL, func(row pgx.CollectableRow) (event.MapState, error) {
		m, err := scanMap(row)
		if err != nil {
			return event.MapState{}, err
		}
		return m.State(), nil
	})
}
