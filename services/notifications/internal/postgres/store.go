// Package postgres stores follows, inboxes, webhooks and the copies of players and maps in PostgreSQL.
//
// Lock order. A transaction that changes something of a player first takes the advisory lock of merges, shared, so that
// whom it resolves is not merged meanwhile. One that changes webhooks or adds deliveries then locks the webhooks in the
// order of their ids. One that adds notifications, follows or webhooks then locks rows of inboxes in the order of the
// players' ids, so that numbers are consecutive and limits hold. One that applies the copy of a merged player takes the
// lock of merges alone, then locks that copy and the rows of inboxes of both players.
package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
)

// Store implements the interfaces of the packages notification and webhook.
type Store struct {
	copies.Store
	db postgres.DB
}

// NewStore returns the store in the database of pool.
func NewStore(pool *postgres.Pool) *Store { return newStore(postgres.NewDB(pool)) }

func newStore(db postgres.DB) *Store {
	return &Store{copies.Store{DB: db, Merge: merge, Forget: forget}, db}
}

// In returns the store whose changes are part of tx.
func (s *Store) In(tx pgx.Tx) *Store { return newStore(s.db.In(tx)) }

// change calls do in a transaction with the id of whom a player was merged into, or of the player. No merge or deletion
// changes that before the transaction ends. It returns access.ErrDeleted for a player whose account was deleted.
func (s *Store) change(ctx context.Context, by access.Attribution, do func(tx pgx.Tx, playerID string) error) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		current, err := copies.LockWriter(ctx, tx, by.Actor.ID)
		if err != nil {
			return err
		}
		return do(tx, current)
	})
}

const (
	insertInboxesSQL = `
		insert into inboxes (player_id, last)
		select player_id, 0 from unnest(@players::uuid[]) as p (player_id) order by player_id
		on conflict do nothing`
	lockInboxesSQL = `select from inboxes where player_id = any (@players) order by player_id for update`
)

// lockInboxes locks the inboxes of players, in the order of their ids. It inserts those that are not there.
func lockInboxes(ctx context.Context, tx pgx.Tx, players ...string) error {
	args := pgx.NamedArgs{"players": players}
	return postgres.Wrap(postgres.ExecBatch(ctx, tx, args, insertInboxesSQL, lockInboxesSQL), "lock inboxes")
}
