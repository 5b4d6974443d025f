package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
)

const deletePutAsideSQL = `delete from goals_put_aside where player_id = @player`

// forget deletes what a player whose account was deleted has put aside. Records and points stay. Nothing is added
// meanwhile: the lock of merges is held, or the player is deleted already.
func forget(ctx context.Context, tx pgx.Tx, playerID string) error {
	_, err := tx.Exec(ctx, deletePutAsideSQL, pgx.NamedArgs{"player": playerID})
	return postgres.Wrap(err, "forget player %s", playerID)
}
