package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/notification"
)

const playerSQL = `
	select id, version, removed, coalesce(merged_into::text, ''), name, skin_image_url, skin_color, roles, registered,
		banned, deleted
	from players where id = $1`

// Player implements replica.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (p notification.Player, err error) {
	err = s.db.QueryRow(ctx, playerSQL, id).Scan(&p.ID, &p.Version, &p.Removed, &p.MergedInto, &p.Name, &p.SkinImageURL,
		&p.SkinColor, &p.Roles, &p.Registered, &p.Banned, &p.Deleted)
	if err != nil {
		return notification.Player{}, postgres.ReadError(err, notification.ErrPlayerUnknown, "copy of player %s", id)
	}
	return p, nil
}

// applyPlayerSQL stores whom the player was merged into at the end of all merges.
const applyPlayerSQL = `
	insert into players as p (id, version, removed, merged_into, name, skin_image_url, skin_color, roles, registered,
		banned, deleted)
	values (@id, @version, @removed,
		coalesce((select merged_into from players where id = nullif(@merged_into, '')::uuid), nullif(@merged_into, '')::uuid),
		@name, @skin_image_url, @skin_color, coalesce(@roles::text[], '{}'), @registered, @banned, @deleted)
	on conflict (id) do update set
		version = excluded.version, removed = excluded.removed, merged_into = excluded.merged_into, name = excluded.name,
		skin_image_url = excluded.skin_image_url, skin_color = excluded.skin_color, roles = excluded.roles,
		registered = excluded.registered, banned = excluded.banned, deleted = excluded.deleted
	where p.version < excluded.version`

// ApplyPlayer implements replica.PlayerCopies. What belongs to a player who was merged is transferred in the same
// transaction, and that of a player whose account was deleted is deleted.
func (s *Store) ApplyPlayer(ctx context.Context, p notification.Player) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if p.MergedInto != "" || p.Deleted {
			if _, err := tx.Exec(ctx, lockMergesSQL); err != nil {
				return err
			}
		}
		applied, err := tx.Exec(ctx, applyPlayerSQL, pgx.NamedArgs{
			"id": p.ID, "version": p.Version, "removed": p.Removed, "merged_into": p.MergedInto, "name": p.Name,
			"skin_image_url": p.SkinImageURL, "skin_color": p.SkinColor, "roles": p.Roles,
			"registered": p.Registered, "banned": p.Banned, "deleted": p.Deleted,
		})
		switch {
		case err != nil || applied.RowsAffected() == 0:
			return err
		case p.MergedInto != "":
			return merge(ctx, tx, p.ID)
		case p.Deleted:
			return forget(ctx, tx, p.ID)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("apply player %s: %w", p.ID, err)
	}
	return nil
}

const mapColumns = `id, version, removed, name, game_map_id, coalesce(author_id::text, ''), superseded`

const mapSQL = `select ` + mapColumns + ` from maps where id = $1`

// Map implements notification.MapCopies.
func (s *Store) Map(ctx context.Context, id string) (m notification.Map, err error) {
	err = s.db.QueryRow(ctx, mapSQL, id).Scan(mapTargets(&m)...)
	if err != nil {
		return notification.Map{}, postgres.ReadError(err, notification.ErrMapUnknown, "copy of map %s", id)
	}
	return m, nil
}

// mapTargets returns where a row of mapColumns is scanned to.
func mapTargets(m *notification.Map) []any {
	return []any{&m.ID, &m.Version, &m.Removed, &m.Name, &m.GameMapID, &m.AuthorID, &m.Superseded}
}

const (
	applyMapSQL = `
		insert into maps as m (id, version, removed, name, game_map_id, author_id, superseded)
		values (@id, @version, false, @name, @game_map_id, nullif(@author, '')::uuid, @superseded)
		on conflict (id) do update set
			version = excluded.version, removed = false, name = excluded.name, game_map_id = excluded.game_map_id,
			author_id = excluded.author_id, superseded = excluded.superseded
		where m.version < excluded.version`
	// applyTombstoneSQL keeps what is known of the map.
	applyTombstoneSQL = `
		insert into maps as m (id, version, removed, name, game_map_id, superseded) values (@id, @version, true, '', 0, false)
		on conflict (id) do update set version = excluded.version, removed = true
		where m.version < excluded.version`
)

// ApplyMap implements notification.MapCopies.
func (s *Store) ApplyMap(ctx context.Context, m notification.Map) error {
	applySQL := applyMapSQL
	if m.Removed {
		applySQL = applyTombstoneSQL
	}
	_, err := s.db.Exec(ctx, applySQL, pgx.NamedArgs{
		"id": m.ID, "version": m.Version, "name": m.Name, "game_map_id": m.GameMapID, "author": m.AuthorID,
		"superseded": m.Superseded,
	})
	if err != nil {
		return fmt.Errorf("apply map %s: %w", m.ID, err)
	}
	return nil
}
