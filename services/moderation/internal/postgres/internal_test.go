package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/moderation/internal/moderation"
)

// ReadUndecided is what Decide reads.
func (s *Store) ReadUndecided(
	ctx context.Context, tx pgx.Tx, d moderation.Decision,
) (moderation.Undecided, error) {
	return s.readUndecided(ctx, tx, d)
}

// ReadUndoable is what Undo reads.
func (s *Store) ReadUndoable(ctx context.Context, tx pgx.Tx, d moderation.Decision) (moderation.Undoable, error) {
	return s.readUndoable(ctx, tx, d)
}
