// Package postgres keeps the catalogue of maps in PostgreSQL, with the copies of
// players and of record counts that it shows.
package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/platform/tally"
)

// Store is the service's database.
type Store struct {
	pool *postgres.Pool
	// seen are the totals of searches.
	seen tally.Totals
}

// New returns the store of a migrated database.
func New(pool *postgres.Pool) *Store { return &Store{pool: pool} }

const namedSQL = `
	select exists (select from maps where image_key = $1)
	    or exists (select from maps where thumbnail_key = $1)
	    or exists (select from maps where replay_key = $1)`

// Named tells the sweeper whether any map names a file. The replay and the data of a removed map stay.
func (s *Store) Named(ctx context.Context, tx pgx.Tx, key string) (bool, error) {
	var named bool
	if err := tx.QueryRow(ctx, namedSQL, key).Scan(&named); err != nil {
		return false, fmt.Errorf("who names file %s: %w", key, err)
	}
	return named, nil
}
