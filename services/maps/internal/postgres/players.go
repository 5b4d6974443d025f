package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

const playerColumns = `
	id, version, removed, coalesce(merged_into::text, ''), name, former_names, skin_image_url, skin_color, roles,
	banned, deleted`

const playerSQL = `select ` + playerColumns + ` from players where id = @id`

// Player implements replica.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (parkourmap.Player, error) {
	return scanPlayer(s.db.QueryRow(ctx, playerSQL, pgx.NamedArgs{"id": id}))
}

const playerNamedSQL = `
	select ` + playerColumns + ` from players
	where name_key = @key and not removed
	order by version desc limit 1`

// PlayerNamed implements parkourmap.PlayerCopies.
func (s *Store) PlayerNamed(ctx context.Context, key string) (parkourmap.Player, error) {
	return scanPlayer(s.db.QueryRow(ctx, playerNamedSQL, pgx.NamedArgs{"key": key}))
}

func scanPlayer(row pgx.Row) (p parkourmap.Player, err error) {
	err = row.Scan(&p.ID, &p.Version, &p.Removed, &p.MergedInto, &p.Name, &p.FormerNames, &p.SkinImageURL, &p.SkinColor,
		&p.Roles, &p.Banned, &p.Deleted)
	if err != nil {
		return parkourmap.Player{}, postgres.ReadError(err, parkourmap.ErrPlayerUnknown, "copy of a player")
	}
	return p, nil
}

// A tombstone keeps the name, which the player's maps still show.
const applyPlayerSQL = `
	insert into players as c
		(id, version, removed, merged_into, name, name_key, search_key, former_names, skin_image_url, skin_color,
			roles, banned, deleted)
	values (@id, @version, @removed, nullif(@merged_into, '')::uuid, @name, @name_key, @search_key, @former_names,
		@skin_image_url, @skin_color, @roles, @banned, @deleted)
	on conflict (id) do update set
		version = excluded.version, removed = excluded.removed, merged_into = excluded.merged_into,
		name = case when excluded.removed then c.name else excluded.name end,
		name_key = case when excluded.removed then c.name_key else excluded.name_key end,
		search_key = case when excluded.removed then c.search_key else excluded.search_key end,
		former_names = excluded.former_names,
		skin_image_url = excluded.skin_image_url, skin_color = excluded.skin_color, roles = excluded.roles,
		banned = excluded.banned, deleted = excluded.deleted
	where c.version < excluded.version`

// ApplyPlayer implements replica.PlayerCopies. The maps of a player who was merged become those of
// the player whom they were merged into. Those of a player whose account was deleted lose their descriptions.
func (s *Store) ApplyPlayer(ctx context.Context, p parkourmap.Player) error {
	if p.Deleted {
		return s.applyDeleted(ctx, p)
	}
	if err := s.applyCopy(ctx, p, playername.Key(p.Name)); err != nil || p.MergedInto == "" {
		return err
	}
	// Also where the copy was up to date: an earlier attempt may have been interrupted.
	return s.transferMaps(ctx, p.ID)
}

// applyCopy stores the copy of a player, who is found by the nameKey, where it is newer.
func (s *Store) applyCopy(ctx context.Context, p parkourmap.Player, nameKey string) error {
	_, err := s.db.Exec(ctx, applyPlayerSQL, pgx.NamedArgs{
		"id": p.ID, "version": p.Version, "removed": p.Removed, "merged_into": p.MergedInto,
		"name": p.Name, "name_key": nameKey, "search_key": search.Key(p.Name),
		"former_names": p.FormerNames, "skin_image_url": p.SkinImageURL, "skin_color": p.SkinColor,
		"roles": append([]string{}, p.Roles...), "banned": p.Banned, "deleted": p.Deleted,
	})
	if err != nil {
		return fmt.Errorf("apply player %s: %w", p.ID, err)
	}
	return nil
}

const (
	playerMergedSQL     = `select merged_into from players where id = @id`
	lockPlayerMergedSQL = playerMergedSQL + ` for share`
	// maxMerges bounds a circle of merges, which would be a mistake of the players service.
	maxMerges = 16
)

// lockMergedInto returns the player whom a player was merged into, across several merges, or the
// player itself. The answer holds until the end of tx. Players are locked before game maps.
func lockMergedInto(ctx context.Context, tx pgx.Tx, player string) (string, error) {
	return mergedInto(ctx, tx, player, lockPlayerMergedSQL)
}

// mergedInto follows merges by a statement that selects merged_into. A player without a copy is not
// known to be merged.
func mergedInto(ctx context.Context, tx pgx.Tx, player, sql string) (string, error) {
	for range maxMerges {
		var into *string
		err := tx.QueryRow(ctx, sql, pgx.NamedArgs{"id": player}).Scan(&into)
		switch {
		case err != nil && !errors.Is(err, pgx.ErrNoRows):
			return "", fmt.Errorf("player that %s was merged into: %w", player, err)
		case into == nil:
			return player, nil
		}
		player = *into
	}
	return "", fmt.Errorf("player %s was merged more than %d times", player, maxMerges)
}
