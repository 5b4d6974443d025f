package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

// PlayerColumns says of each column that holds a player's id what a merge does with it. A test compares the columns
// with the database's.
var PlayerColumns = map[string]string{
	"players.id":                       "the row stays as a tombstone",
	"players.merged_into":              "becomes the id of the player merged into, also of players merged before",
	"maps.author_id":                   "becomes the id of the player merged into, also of removed maps",
	"maps.submitted_by_id":             "becomes the id of the player merged into, also of removed maps",
	"map_edits.editor_id":              "becomes the id of the player merged into",
	"map_stats.world_record_player_id": "follows by the states of the totals",
}

const transferEditsSQL = `update map_edits set editor_id = @into where editor_id = @from`

// merge gives all maps of a player whose copy is a tombstone, as author and as submitter, removed ones included, and
// the player's edits to whom the player was merged into. Where that one was deleted before, the maps lose the
// descriptions that the merged player wrote.
func merge(ctx context.Context, tx pgx.Tx, from, into string) error {
	deleted, err := copies.IsDeleted(ctx, tx, into)
	if err != nil {
		return err
	}
	if deleted {
		if err := emptyEdits(ctx, tx, from); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, transferEditsSQL, pgx.NamedArgs{"from": from, "into": into}); err != nil {
		return fmt.Errorf("transfer edits of player %s: %w", from, err)
	}
	return changeMapsOf(ctx, tx, from, func(before parkourmap.Versions) parkourmap.Versions {
		if deleted {
			return before.WithoutTextsOf(from, nil, postgres.Now()).Merge(from, into)
		}
		return before.Merge(from, into)
	})
}

// lockMapsOfSQL locks the maps in the order of lockGameMap.
const lockMapsOfSQL = `
	select ` + mapColumns + ` from maps m
	where m.author_id = @player or m.submitted_by_id = @player
	order by m.game_map_id, m.map_version
	for update`

// changeMapsOf stores what change returns for the maps of a player, as author and as submitter. No map is made for the
// player meanwhile, because Submit and Moderate take the lock of merges.
func changeMapsOf(
	ctx context.Context, tx pgx.Tx, playerID string, change func(before parkourmap.Versions) parkourmap.Versions,
) error {
	before, err := postgres.Collect(ctx, tx, scanMap, lockMapsOfSQL, pgx.NamedArgs{"player": playerID})
	if err != nil {
		return fmt.Errorf("maps of player %s: %w", playerID, err)
	}
	return updateMaps(ctx, tx, before, change(before))
}
