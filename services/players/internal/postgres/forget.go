package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/players/internal/player"
)

const (
	// renameMergedSQL deletes the names of the players who were merged into a player, and of those before them.
	renameMergedSQL = `
		with recursive merged (id) as (
			select p.id from players p where p.merged_into = @player
			union
			select p.id from players p join merged m on p.merged_into = m.id
		)
		update players set name = @name, search_key = @search_key where id in (select id from merged)`
	insertBannedNamesSQL = `
		insert into banned_names (name_hash, player_id) select unnest(@hashes::bytea[]), @player
		on conflict do nothing`
)

// forget deletes what there is of a deleted account beside the player: the deletion that was asked for and the names of
// merged players. Of the names of a banned player it stores hashes.
func forget(ctx context.Context, tx pgx.Tx, before, deleted player.Player) error {
	err := postgres.ExecBatch(ctx, tx, pgx.NamedArgs{
		"player": deleted.ID, "name": deleted.Name, "search_key": search.Key(deleted.Name), "hashes": before.BannedNames(),
	}, cancelDeletionSQL, renameMergedSQL, insertBannedNamesSQL)
	return postgres.Wrap(err, "forget player %s", deleted.ID)
}
