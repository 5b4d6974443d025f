package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

const playerColumns = `
	id, version, removed, coalesce(merged_into::text, ''), name, former_names, skin_image_url, skin_color, banned`

const playerSQL = `select ` + playerColumns + ` from players where id = @id`

// Player implements replica.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (parkourmap.Player, error) {
	return scanPlayer(s.pool.QueryRow(ctx, playerSQL, pgx.NamedArgs{"id": id}))
}

const playerNamedSQL = `
	select ` + playerColumns + ` from players
	where name_key = @key and not removed
	order by version desc limit 1`

// PlayerNamed implements parkourmap.PlayerCopies.
func (s *Store) PlayerNamed(ctx context.Context, key string) (parkourmap.Player, error) {
	return scanPlayer(s.pool.QueryRow(ctx, playerNamedSQL, pgx.NamedArgs{"key": key}))
}

func scanPlayer(row pgx.Row) (p parkourmap.Player, err error) {
	err = row.Scan(&p.ID, &p.Version, &p.Removed, &p.MergedInto, &p.Name, &p.FormerNames, &p.SkinImageURL, &p.SkinColor,
		&p.Banned)
	if errors.Is(err, pgx.ErrNoRows) {
		return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
	}
	if err != nil {
		return parkourmap.Player{}, fmt.Errorf("copy of a player: %w", err)
	}
	return p, nil
}

// A tombstone keeps the name, which the player's maps still show. A copy can have the newest
// version and lack merged_into where a release without merges has written it.
const applyPlayerSQL = `
	insert into players as c
		(id, version, removed, merged_into, name, name_key, search_key, former_names, skin_image_url, skin_color, banned)
	values (@id, @version, @removed, nullif(@merged_into, '')::uuid, @name, @name_key, @search_key, @former_names,
		@skin_image_url, @skin_color, @banned)
	on conflict (id) do update set
		version = excluded.version, removed = excluded.removed, merged_into = excluded.merged_into,
		name = case when excluded.removed then c.name else excluded.name end,
		name_key = case when excluded.removed then c.name_key else excluded.name_key end,
		search_key = case when excluded.removed then c.search_key else excluded.search_key end,
		former_names = excluded.former_names,
		skin_image_url = excluded.skin_image_url, skin_color = excluded.skin_color, banned = excluded.banned
	where c.version < excluded.version or c.merged_into is null and excluded.merged_into is not null`

// ApplyPlayer implements replica.PlayerCopies. The maps of a player who was merged become those of
// the player whom they were merged into.
func (s *Store) ApplyPlayer(ctx context.Context, p parkourmap.Player) error {
	_, err := s.pool.Exec(ctx, applyPlayerSQL, pgx.NamedArgs{
		"id": p.ID, "version": p.Version, "removed": p.Removed, "merged_into": p.MergedInto,
		"name": p.Name, "name_key": playername.Key(p.Name), "search_key": search.Key(p.Name),
		"former_names": p.FormerNames, "skin_image_url": p.SkinImageURL, "skin_color": p.SkinColor, "banned": p.Banned,
	})
	if err != nil {
		return fmt.Errorf("apply player %s: %w", p.ID, err)
	}
	if p.MergedInto == "" {
		return nil
	}
	// Also where the copy was up to date: an earlier attempt may have been interrupted.
	return s.transferMaps(ctx, p.ID)
}

const lockPlayerSQL = `select merged_into from players where id = @id for share`

// lockPlayers keeps players from being merged until the end of tx. A player without a copy is
// not locked. It returns event.ErrPlayerMerged for one who was merged.
func lockPlayers(ctx context.Context, tx pgx.Tx, ids ...string) error {
	slices.Sort(ids)
	for _, id := range ids {
		var into *string
		err := tx.QueryRow(ctx, lockPlayerSQL, pgx.NamedArgs{"id": id}).Scan(&into)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
		case err != nil:
			return fmt.Errorf("lock player %s: %w", id, err)
		case into != nil:
			return event.ErrPlayerMerged
		}
	}
	return nil
}
