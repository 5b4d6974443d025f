// Package postgres stores reports, cases, decisions, appeals, flags, the audit log of all services and the copies of
// players and maps in PostgreSQL.
//
// Lock order. A transaction that adds something of a player first takes the advisory lock of merges, shared, so that
// whom it resolves is not merged meanwhile. One that applies the copy of a merged player takes it alone. Then a report
// takes the advisory lock of its reporter, and a decision that of its subject. After that a transaction locks the
// decision that it settles, the bans that hide the player in their order, the decision that it undoes, its case,
// another open case about the same, and its appeal.
package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

// Store implements the interfaces of package moderation.
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

// resolve returns a subject with the player whom its player was merged into.
func resolve(ctx context.Context, tx pgx.Tx, subject moderation.Subject) (_ moderation.Subject, err error) {
	if subject.PlayerID, err = copies.Current(ctx, tx, subject.PlayerID); err != nil {
		return moderation.Subject{}, err
	}
	if subject.Kind == moderation.OfPlayer {
		subject.ID = subject.PlayerID
	}
	return subject, nil
}
