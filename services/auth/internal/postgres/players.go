package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/auth/internal/session"
)

// PlayerColumns says of each column that holds a player's id what a merge does with it. A test compares the columns
// with the database's.
var PlayerColumns = map[string]string{
	"players.id":         "the row stays as a tombstone",
	"families.player_id": "stays: all families of the player are revoked, and expire",
}

const playerSQL = `
	select id, version, name, level, skin_image_url, skin_color, roles, banned, removed
	from players where id = @id`

// Player returns the copy of a player, also a tombstone, or session.ErrPlayerUnknown.
func (s *Store) Player(ctx context.Context, id string) (event.PlayerState, error) {
	var p event.PlayerState
	err := s.pool.QueryRow(ctx, playerSQL, pgx.NamedArgs{"id": id}).
		Scan(&p.ID, &p.Version, &p.Name, &p.Level, &p.SkinImageURL, &p.SkinColor, &p.Roles, &p.Banned, &p.Removed)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return event.PlayerState{}, session.ErrPlayerUnknown
	case err != nil:
		return event.PlayerState{}, fmt.Errorf("copy of player %s: %w", id, err)
	}
	return p, nil
}

const revokeAllSQL = `
	update families set revoked_at = now(), revoked_by = @cause
	where player_id = @player_id and revoked_at is null`

// ApplyPlayer stores a state of a player that is newer than the copy. Names and roles reach access
// tokens at the next refresh. All sessions of a player who is banned or removed end in the same
// transaction.
func (s *Store) ApplyPlayer(ctx context.Context, p event.PlayerState) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		barred, newer, err := upsertPlayer(ctx, tx, p)
		if err != nil || !barred || !newer {
			return err
		}
		cause := session.ByBan
		if p.MergedInto != "" {
			cause = session.ByMerge
		}
		_, err = tx.Exec(ctx, revokeAllSQL, pgx.NamedArgs{"player_id": p.ID, "cause": string(cause)})
		if err != nil {
			return fmt.Errorf("revoke the families of player %s: %w", p.ID, err)
		}
		return nil
	})
}

const upsertSQL = `
	insert into players (id, version, name, level, skin_image_url, skin_color, roles, banned, removed)
	values (@id, @version, @name, @level, @image, @color, coalesce(@roles::text[], '{}'), @banned, @removed)
	on conflict (id) do update set
		version = excluded.version, name = excluded.name, level = excluded.level,
		skin_image_url = excluded.skin_image_url, skin_color = excluded.skin_color,
		roles = excluded.roles, banned = excluded.banned, removed = excluded.removed
		where players.version < excluded.version`

const barredSQL = `select banned or removed from players where id = @id for update`

// upsertPlayer stores a state that is newer than the copy and leaves the player's row locked. It
// reports whether the player, by the newest state, may not be logged in, and whether p was newer.
func upsertPlayer(ctx context.Context, tx pgx.Tx, p event.PlayerState) (barred, newer bool, err error) {
	tag, err := tx.Exec(ctx, upsertSQL, pgx.NamedArgs{
		"id": p.ID, "version": p.Version, "name": p.Name, "level": p.Level,
		"image": p.SkinImageURL, "color": p.SkinColor, "roles": p.Roles, "banned": p.Banned, "removed": p.Removed,
	})
	if err == nil {
		err = tx.QueryRow(ctx, barredSQL, pgx.NamedArgs{"id": p.ID}).Scan(&barred)
	}
	if err != nil {
		return false, false, fmt.Errorf("copy player %s: %w", p.ID, err)
	}
	return barred, tag.RowsAffected() == 1, nil
}
