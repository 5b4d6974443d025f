package postgres

import (
	"context"

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

const mapsOfPlayerSQL = `
	select distinct game_map_id from (
		select game_map_id from maps where author_id = @player
		union all
		select game_map_id from maps where submitted_by_id = @player) of_player
	order by game_map_id`

// transferMaps gives all maps of a merged player, as author and as submitter, removed ones included, to the player
// whom they were merged into. Where that one was deleted before, the maps lose the texts that the merged player wrote.
// Each game map is a transaction of its own; repeating the call continues where an earlier one was interrupted. No map
// is made for the merged player meanwhile, because Submit and Reassign take the lock of merges.
func (s *Store) transferMaps(ctx context.Context, from string) error {
	if err := s.transferEdits(ctx, from); err != nil {
		return err
	}
	transfer := func(tx pgx.Tx, versions parkourmap.Versions) (parkourmap.Versions, error) {
		into, err := copies.Current(ctx, tx, from)
		if err != nil {
			return nil, err
		}
		deleted, err := copies.IsDeleted(ctx, tx, into)
		if err == nil && deleted {
			versions, err = withoutTextsOf(ctx, tx, versions, from, nil)
		}
		return versions.Merge(from, into), err
	}
	if err := s.changeMaps(ctx, mapsOfPlayerSQL, from, transfer); err != nil {
		return err
	}
	return s.forgetNames(ctx, from)
}

const transferEditsSQL = `update map_edits set editor_id = @into where editor_id = @from`

// transferEdits gives the edits of a merged player to the player whom they were merged into. No edit is stored for the
// merged player meanwhile, because Edit takes the lock of merges.
func (s *Store) transferEdits(ctx context.Context, from string) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		into, err := copies.LockCurrent(ctx, tx, from)
		if err != nil || into == from {
			return err
		}
		_, err = tx.Exec(ctx, transferEditsSQL, pgx.NamedArgs{"from": from, "into": into})
		return postgres.Wrap(err, "transfer edits of player %s", from)
	})
}
