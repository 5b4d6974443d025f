package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
)

// Player returns the copy of a player, also a tombstone, or session.ErrPlayerUnknown.
func (s *Store) Player(ctx context.Context, id string) (event.PlayerState, error) {
	return copies.Player(ctx, s.db, id)
}

// ApplyPlayer stores a state of a player that is newer than the copy. Names, roles and bans reach access
// tokens at the next refresh.
func (s *Store) ApplyPlayer(ctx context.Context, p event.PlayerState) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error { return applyPlayer(ctx, tx, p) })
}

// applyPlayer is ApplyPlayer in a transaction, and leaves the copy locked. A player whose account was deleted is
// removed here, and nobody follows a merged one: who proves the old name is another player.
func applyPlayer(ctx context.Context, tx pgx.Tx, p event.PlayerState) error {
	stored := p
	stored.Removed, stored.MergedInto = p.Removed || p.Deleted, ""
	newer, err := copies.UpsertPlayer(ctx, tx, stored)
	if err != nil || !newer {
		return err
	}
	return revokeAll(ctx, tx, p, postgres.Now())
}

const lockPlayerSQL = `select banned, removed from players where id = @player for update`

// lockPlayer locks the copy of a player, and reports whether the player is banned, and removed.
func lockPlayer(ctx context.Context, tx pgx.Tx, id string) (banned, removed bool, err error) {
	err = tx.QueryRow(ctx, lockPlayerSQL, pgx.NamedArgs{"player": id}).Scan(&banned, &removed)
	return banned, removed, postgres.Wrap(err, "lock the copy of player %s", id)
}
