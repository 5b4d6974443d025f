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

// applyPlayer is ApplyPlayer in a transaction, and leaves the copy locked. Nobody follows a merged player: who proves
// the old name is another player.
func applyPlayer(ctx context.Context, tx pgx.Tx, p event.PlayerState) error {
	stored := p
	stored.MergedInto = ""
	newer, err := copies.UpsertPlayer(ctx, tx, stored)
	if err != nil || !newer {
		return err
	}
	return revokeAll(ctx, tx, p, postgres.Now())
}

const lockPlayerSQL = `select ` + copies.PlayerColumns + ` from players where id = $1 for update`

// lockPlayer locks and returns the copy of a player.
func lockPlayer(ctx context.Context, tx pgx.Tx, id string) (event.PlayerState, error) {
	p, err := postgres.CollectOne(ctx, tx, copies.ScanPlayer, lockPlayerSQL, id)
	return p, postgres.Wrap(err, "lock the copy of player %s", id)
}
