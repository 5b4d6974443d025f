package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	isDeletedSQL  = `select deleted from players where id = @id`
	mapsMadeBySQL = `select distinct game_map_id from maps where author_id = @player order by game_map_id`
	// emptyEditsSQL empties the descriptions in the edits of the versions of a game map that a player made.
	emptyEditsSQL = `
		update map_edits set before = before || '{"description": ""}', after = after || '{"description": ""}'
		where map_id = any (array(select id from maps where game_map_id = @game_map_id and author_id = @player))
			and (before->>'description' <> '' or after->>'description' <> '')`
	// renameMergedSQL gives the tombstones of players who were merged into a player that player's name.
	renameMergedSQL = `
		with recursive merged (id) as (
			select p.id from players p where p.merged_into = @player
			union
			select p.id from players p join merged m on p.merged_into = m.id
		)
		update players set name = @name, name_key = 'deleted:' || id, search_key = @search_key, former_names = null
		where id in (select id from merged)`
)

// forget deletes what the author of maps, whose account was deleted, has written, and the oldNames under which the
// author was known. Each game map is a transaction of its own; repeating the call continues where an earlier one was
// interrupted. The author writes nothing meanwhile, because Submit and Edit find that the copy is deleted.
func (s *Store) forget(ctx context.Context, playerID, name string, oldNames []string) error {
	args := pgx.NamedArgs{"player": playerID, "name": name, "search_key": search.Key(name)}
	if _, err := s.db.Exec(ctx, renameMergedSQL, args); err != nil {
		return fmt.Errorf("rename those merged into player %s: %w", playerID, err)
	}
	gameMapIDs, err := postgres.Collect(ctx, s.db, pgx.RowTo[int64], mapsMadeBySQL, args)
	if err != nil {
		return fmt.Errorf("maps of player %s: %w", playerID, err)
	}
	at := time.Now().UTC().Truncate(time.Millisecond)
	for _, id := range gameMapIDs {
		err := s.db.InTx(ctx, func(tx pgx.Tx) error {
			before, err := lockGameMap(ctx, tx, id)
			if err != nil {
				return err
			}
			// A validator can edit the map until it is locked, and an edit has all values of the map.
			_, err = tx.Exec(ctx, emptyEditsSQL, pgx.NamedArgs{"game_map_id": id, "player": playerID})
			if err != nil {
				return err
			}
			return saveVersions(ctx, tx, before, before.WithoutTextsOf(playerID, oldNames, at))
		})
		if err != nil {
			return fmt.Errorf("texts of game map %d of player %s: %w", id, playerID, err)
		}
	}
	return nil
}

// namesOf returns the names that a player has, or had, by the copy. A player without a copy has none.
func (s *Store) namesOf(ctx context.Context, playerID string) ([]string, error) {
	p, err := s.Player(ctx, playerID)
	if errors.Is(err, parkourmap.ErrPlayerUnknown) {
		return nil, nil
	}
	return append([]string{p.Name}, p.FormerNames...), err
}

const deletedSuccessorSQL = `
	with recursive successors (id, merged_into, name, deleted) as (
		select id, merged_into, name, deleted from players where id = @player
		union
		select p.id, p.merged_into, p.name, p.deleted from players p join successors s on p.id = s.merged_into
	)
	select id, name from successors where deleted`

// forgetSuccessor calls forget for the player whom a player was merged into, if that one's account was deleted: the
// states of the two may have come in another order.
func (s *Store) forgetSuccessor(ctx context.Context, from string) error {
	type successor struct{ ID, Name string }
	deleted, err := postgres.Collect(ctx, s.db, pgx.RowToStructByPos[successor], deletedSuccessorSQL,
		pgx.NamedArgs{"player": from})
	if err != nil {
		return fmt.Errorf("player whom %s was merged into: %w", from, err)
	}
	if len(deleted) == 0 {
		return nil
	}
	oldNames, err := s.namesOf(ctx, from)
	if err != nil {
		return err
	}
	for _, p := range deleted {
		if err := s.forget(ctx, p.ID, p.Name, oldNames); err != nil {
			return err
		}
	}
	return nil
}

// lockWriter is lockMergedInto for a player who writes something. It returns event.ErrPlayerDeleted for one whose
// account was deleted.
func lockWriter(ctx context.Context, tx pgx.Tx, player string) (string, error) {
	id, err := lockMergedInto(ctx, tx, player)
	if err != nil {
		return "", err
	}
	deleted, err := postgres.Collect(ctx, tx, pgx.RowTo[bool], isDeletedSQL, pgx.NamedArgs{"id": id})
	switch {
	case err != nil:
		return "", fmt.Errorf("deletion of player %s: %w", id, err)
	case len(deleted) == 1 && deleted[0]:
		return "", event.ErrPlayerDeleted
	}
	return id, nil
}
