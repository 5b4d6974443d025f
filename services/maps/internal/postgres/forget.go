package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	isForgottenSQL  = `select exists (select from players where id = @id and forgotten)`
	setForgottenSQL = `update players set forgotten = true where id = @id`
)

// applyDeleted stores the copy of a player whose account was deleted, and deletes what the player has written. It does
// the latter once, because others may write for the player's maps afterwards. Where an earlier attempt was interrupted,
// it continues, also where the copy was up to date.
func (s *Store) applyDeleted(ctx context.Context, p parkourmap.Player) error {
	nameKey := "deleted:" + p.ID // an account of the game may have the name
	var forgotten bool
	if err := s.db.QueryRow(ctx, isForgottenSQL, pgx.NamedArgs{"id": p.ID}).Scan(&forgotten); err != nil {
		return fmt.Errorf("deletion of player %s: %w", p.ID, err)
	}
	if forgotten {
		return s.applyCopy(ctx, p, nameKey)
	}
	// The copy has the names until it is replaced below.
	names, err := s.namesOf(ctx, p.ID)
	if err != nil {
		return err
	}
	if err := s.forget(ctx, p.ID, p.Name, names); err != nil {
		return err
	}
	if err := s.applyCopy(ctx, p, nameKey); err != nil {
		return err
	}
	// The player may have written something until the copy was stored.
	if err := s.forget(ctx, p.ID, p.Name, names); err != nil {
		return err
	}
	_, err = s.db.Exec(ctx, setForgottenSQL, pgx.NamedArgs{"id": p.ID})
	return postgres.Wrap(err, "deletion of player %s", p.ID)
}

// namesOf returns the names that a player has, or had, by the copy. A player without a copy has none.
func (s *Store) namesOf(ctx context.Context, playerID string) ([]string, error) {
	p, err := s.Player(ctx, playerID)
	if errors.Is(err, parkourmap.ErrPlayerUnknown) {
		return nil, nil
	}
	return append([]string{p.Name}, p.FormerNames...), err
}

// forget deletes what the author of maps, whose account was deleted, has written, and the oldNames under which the
// author was known. Repeating the call continues where an earlier one was interrupted. The author writes nothing
// meanwhile, because Submit and Edit find that the copy is deleted.
func (s *Store) forget(ctx context.Context, playerID, name string, oldNames []string) error {
	if err := s.renameMerged(ctx, playerID, name); err != nil {
		return err
	}
	return s.changeMaps(ctx, mapsMadeBySQL, playerID,
		func(tx pgx.Tx, before parkourmap.Versions) (parkourmap.Versions, error) {
			return withoutTextsOf(ctx, tx, before, playerID, oldNames)
		})
}

// mapsMadeBySQL selects also the maps of those who were merged into a player. A transaction that transfers one may have
// begun before the player was deleted.
const mapsMadeBySQL = `
	select distinct game_map_id from maps
	where author_id = any (array(select @player::uuid union all select id from players where merged_into = @player))
	order by game_map_id`

// changeMaps stores what change returns for the versions of each game map of a player that a statement selects. Each
// game map is a transaction of its own, in which no players are merged.
func (s *Store) changeMaps(
	ctx context.Context, mapsSQL, playerID string,
	change func(tx pgx.Tx, before parkourmap.Versions) (parkourmap.Versions, error),
) error {
	gameMapIDs, err := postgres.Collect(ctx, s.db, pgx.RowTo[int64], mapsSQL, pgx.NamedArgs{"player": playerID})
	if err != nil {
		return fmt.Errorf("maps of player %s: %w", playerID, err)
	}
	for _, id := range gameMapIDs {
		err := s.db.InTx(ctx, func(tx pgx.Tx) error {
			if err := copies.ShareMerges(ctx, tx); err != nil {
				return err
			}
			before, err := lockGameMap(ctx, tx, id)
			if err != nil {
				return err
			}
			after, err := change(tx, before)
			if err != nil {
				return err
			}
			return saveVersions(ctx, tx, before, after)
		})
		if err != nil {
			return fmt.Errorf("game map %d of player %s: %w", id, playerID, err)
		}
	}
	return nil
}

// renameMergedSQL gives the tombstones of players who were merged into a player that player's name.
const renameMergedSQL = `
	update players set name = @name, name_key = 'deleted:' || id, search_key = @search_key, former_names = null
	where merged_into = @player`

// renameMerged gives those who were merged into a deleted player the player's name.
func (s *Store) renameMerged(ctx context.Context, playerID, name string) error {
	args := pgx.NamedArgs{"player": playerID, "name": name, "search_key": search.Key(name)}
	_, err := s.db.Exec(ctx, renameMergedSQL, args)
	return postgres.Wrap(err, "rename those merged into player %s", playerID)
}

// emptyEditsSQL empties the descriptions in the edits of the versions of a game map that a player made.
const emptyEditsSQL = `
	update map_edits set before = before || '{"description": ""}', after = after || '{"description": ""}'
	where map_id = any (array(select id from maps where game_map_id = @game_map_id and author_id = @player))
		and (before->>'description' <> '' or after->>'description' <> '')`

// withoutTextsOf returns the versions of a locked game map without what their author has written, and without the names
// of the author. It deletes what the edits have of it.
func withoutTextsOf(
	ctx context.Context, tx pgx.Tx, versions parkourmap.Versions, playerID string, names []string,
) (parkourmap.Versions, error) {
	// A validator can edit the map until it is locked, and an edit has all values of the map.
	args := pgx.NamedArgs{"game_map_id": versions[0].GameMapID, "player": playerID}
	if _, err := tx.Exec(ctx, emptyEditsSQL, args); err != nil {
		return nil, fmt.Errorf("texts of edits: %w", err)
	}
	return versions.WithoutTextsOf(playerID, names, postgres.Now()), nil
}

// forgetNames deletes the names of a player who was merged into another, if that one's account was deleted: the states
// of the two may have come in another order. Texts stay, because others may have written them after the deletion.
func (s *Store) forgetNames(ctx context.Context, from string) error {
	into, err := copies.Current(ctx, s.db, from)
	if err != nil {
		return err
	}
	p, err := s.Player(ctx, into)
	switch {
	case errors.Is(err, parkourmap.ErrPlayerUnknown) || err == nil && !p.Deleted:
		return nil
	case err != nil:
		return err
	}
	names, err := s.namesOf(ctx, from)
	if err != nil {
		return err
	}
	err = s.changeMaps(ctx, mapsMadeBySQL, p.ID, func(_ pgx.Tx, before parkourmap.Versions) (parkourmap.Versions, error) {
		return before.WithoutNamesOf(p.ID, names, postgres.Now()), nil
	})
	if err != nil {
		return err
	}
	// The tombstone has the names until now, for the case that the call is interrupted.
	return s.renameMerged(ctx, p.ID, p.Name)
}
