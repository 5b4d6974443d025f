// Package postgres stores players, deletions of accounts, what players are searched by, and how many maps and records
// they have.
//
// Lock order. A transaction that changes players locks their rows in the order of their ids. One that takes an admin
// away then takes the advisory lock of admins. One that applies a map's state locks the map's row in map_authors, then
// the totals of its authors.
package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
)

// Store implements the interfaces of package player.
type Store struct{ db postgres.DB }

// NewStore returns the store in the database of pool.
func NewStore(pool *postgres.Pool) *Store { return &Store{postgres.NewDB(pool)} }

// In returns the store whose changes are part of tx.
func (s *Store) In(tx pgx.Tx) *Store { return &Store{s.db.In(tx)} }

const isReferencedSQL = `select exists (select from players where avatar_key = @key)`

// IsReferenced is IsPublic in a transaction.
func (s *Store) IsReferenced(ctx context.Context, tx pgx.Tx, key string) (bool, error) {
	return s.In(tx).IsPublic(ctx, key)
}

// IsPublic reports whether a player has the avatar with the key.
func (s *Store) IsPublic(ctx context.Context, key string) (is bool, err error) {
	err = s.db.QueryRow(ctx, isReferencedSQL, pgx.NamedArgs{"key": key}).Scan(&is)
	return is, postgres.Wrap(err, "avatar %s", key)
}

const republishSQL = `select ` + playerColumns + ` from players where id > @after order by id limit @limit for share`

// Republish appends the state of every player to the outbox and returns how many there are.
func (s *Store) Republish(ctx context.Context) (int, error) {
	return outbox.Republish(ctx, s.db, republishSQL, func(row pgx.CollectableRow) (event.PlayerState, error) {
		p, err := scanPlayer(row)
		if err != nil {
			return event.PlayerState{}, err
		}
		return p.State(), nil
	})
}
