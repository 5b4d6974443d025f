package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	setForgottenSQL = `update players set forgotten = true where id = @player and not forgotten`
	// forgetTombstonesSQL empties the names that release 1.0.0 kept of players who were merged into a player.
	forgetTombstonesSQL = `
		update players set name = '', name_key = '', search_key = '', former_names = null
		where merged_into = @player and name <> ''`
)

// forget deletes the descriptions that a player whose account was deleted has written, and the player's names among the
// contributors of the own maps. It deletes the descriptions once, because others may write some for the player's maps
// afterwards. The lock of merges is held.
func forget(ctx context.Context, tx pgx.Tx, playerID string, names []string) error {
	args := pgx.NamedArgs{"player": playerID}
	if _, err := tx.Exec(ctx, forgetTombstonesSQL, args); err != nil {
		return fmt.Errorf("forget those merged into player %s: %w", playerID, err)
	}
	forgotten, err := tx.Exec(ctx, setForgottenSQL, args)
	if err != nil {
		return fmt.Errorf("forget player %s: %w", playerID, err)
	}
	if forgotten.RowsAffected() == 0 {
		return changeMapsOf(ctx, tx, playerID, func(before parkourmap.Versions) parkourmap.Versions {
			return before.WithoutNamesOf(playerID, names, postgres.Now())
		})
	}
	if err := emptyEdits(ctx, tx, playerID); err != nil {
		return err
	}
	return changeMapsOf(ctx, tx, playerID, func(before parkourmap.Versions) parkourmap.Versions {
		return before.WithoutTextsOf(playerID, names, postgres.Now())
	})
}

const emptyEditsSQL = `
	update map_edits set before = before || '{"description": ""}', after = after || '{"description": ""}'
	where map_id in (select id from maps where author_id = @player)
		and (before->>'description' <> '' or after->>'description' <> '')`

// emptyEdits empties the descriptions in the edits of a player's maps.
func emptyEdits(ctx context.Context, tx pgx.Tx, playerID string) error {
	_, err := tx.Exec(ctx, emptyEditsSQL, pgx.NamedArgs{"player": playerID})
	return postgres.Wrap(err, "empty the edits of the maps of player %s", playerID)
}
