// Package postgres stores the catalogue of maps in PostgreSQL, with the copies of players and
// of record counts that it shows.
package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
)

// Store is the service's database.
type Store struct{ pool *postgres.Pool }

// NewStore returns the store of a migrated database.
func NewStore(pool *postgres.Pool) *Store { return &Store{pool} }

const isReferencedSQL = `
	select exists (select from maps where image_key = @key)
	    or exists (select from maps where thumbnail_key = @key)
	    or exists (select from maps where replay_key = @key)
	    or exists (select from maps where drawing_key = @key)
	    or exists (select from maps where picture_key = @key)
	    or exists (select from maps where picture_thumbnail_key = @key)`

// IsReferenced reports whether a map names the file under key. It decides which files the
// sweeper of package objectstore removes. Replays of removed maps are kept.
func (s *Store) IsReferenced(ctx context.Context, tx pgx.Tx, key string) (referenced bool, err error) {
	err = tx.QueryRow(ctx, isReferencedSQL, pgx.NamedArgs{"key": key}).Scan(&referenced)
	if err != nil {
		return false, fmt.Errorf("references to file %s: %w", key, err)
	}
	return referenced, nil
}

// republishSQL also selects removed maps, which are tombstones.
const republishSQL = `
	select ` + mapColumns + ` from maps m
	where m.id > @after
	order by m.id limit @limit
	for share`

// Republish appends the state of every map to the outbox. It returns the number of maps.
func (s *Store) Republish(ctx context.Context) (int, error) {
	return outbox.Republish(ctx, s.pool, republishSQL, func(row pgx.CollectableRow) (event.MapState, error) {
		r, err := pgx.RowToStructByName[mapRow](row)
		return r.toMap().State(), err
	})
}
