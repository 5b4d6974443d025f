package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/auth/internal/personaltoken"
	"capzone.dev/services/auth/internal/session"
)

// PlayerColumns says of each column that holds a player's id what a merge does with it. A test compares the columns
// with the database's.
var PlayerColumns = map[string]string{
	"players.id":         "the row stays as a tombstone",
	"families.player_id": "stays: all families of the player are revoked, and expire",

	"personal_tokens.player_id": "stays: all tokens of the player are revoked, and deleted after 30 days",
}

const playerSQL = `
	select id, version, name, level, skin_image_url, skin_color, roles, banned, removed,
		ban_until, ban_public_reason, ban_decision_id
	from players where id = @id`

// Player returns the copy of a player, also a tombstone, or session.ErrPlayerUnknown.
func (s *Store) Player(ctx context.Context, id string) (event.PlayerState, error) {
	var p event.PlayerState
	var ban event.Ban
	err := s.pool.QueryRow(ctx, playerSQL, pgx.NamedArgs{"id": id}).
		Scan(&p.ID, &p.Version, &p.Name, &p.Level, &p.SkinImageURL, &p.SkinColor, &p.Roles, &p.Banned, &p.Removed,
			(*zeronull.Timestamptz)(&ban.Until), &ban.PublicReason, &ban.DecisionID)
	if err != nil {
		return event.PlayerState{}, postgres.ReadError(err, session.ErrPlayerUnknown, "copy of player %s", id)
	}
	if p.Banned {
		ban.Until = ban.Until.UTC()
		p.Ban = &ban
	}
	return p, nil
}

const revokeAllSQL = `
	update families set revoked_at = now(), revoked_by = @cause
	where player_id = @player_id and revoked_at is null`

// ApplyPlayer stores a state of a player that is newer than the copy. Names, roles and bans reach access
// tokens at the next refresh. All sessions of a player who is removed end in the same transaction. A player whose
// account was deleted is removed here: who proves the old name is another player.
func (s *Store) ApplyPlayer(ctx context.Context, p event.PlayerState) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		removed, newer, err := upsertPlayer(ctx, tx, p)
		if err != nil || !removed || !newer {
			return err
		}
		cause := session.ByMerge
		if p.Deleted {
			cause = session.ByDeletion
		}
		_, err = tx.Exec(ctx, revokeAllSQL, pgx.NamedArgs{"player_id": p.ID, "cause": string(cause)})
		if err != nil {
			return fmt.Errorf("revoke the families of player %s: %w", p.ID, err)
		}
		return nil
	})
}

const upsertSQL = `
	insert into players (id, version, name, level, skin_image_url, skin_color, roles, banned, removed,
		ban_until, ban_public_reason, ban_decision_id)
	values (@id, @version, @name, @level, @image, @color, coalesce(@roles::text[], '{}'), @banned, @removed,
		@ban_until, @ban_public_reason, @ban_decision_id)
	on conflict (id) do update set
		version = excluded.version, name = excluded.name, level = excluded.level,
		skin_image_url = excluded.skin_image_url, skin_color = excluded.skin_color,
		roles = excluded.roles, banned = excluded.banned, removed = excluded.removed,
		ban_until = excluded.ban_until, ban_public_reason = excluded.ban_public_reason,
		ban_decision_id = excluded.ban_decision_id
		where players.version < excluded.version`

const removedSQL = `select removed from players where id = @id for update`

// upsertPlayer stores a state that is newer than the copy and leaves the player's row locked. With a newer state that
// is banned, removed or deleted it revokes the player's personal tokens. It reports whether the player, by the newest
// state, is removed, and whether p was newer.
func upsertPlayer(ctx context.Context, tx pgx.Tx, p event.PlayerState) (removed, newer bool, err error) {
	var ban event.Ban
	if p.Ban != nil {
		ban = *p.Ban
	}
	tag, err := tx.Exec(ctx, upsertSQL, pgx.NamedArgs{
		"id": p.ID, "version": p.Version, "name": p.Name, "level": p.Level,
		"image": p.SkinImageURL, "color": p.SkinColor, "roles": p.Roles, "banned": p.Banned,
		"removed":   p.Removed || p.Deleted,
		"ban_until": zeronull.Timestamptz(ban.Until), "ban_public_reason": ban.PublicReason,
		"ban_decision_id": ban.DecisionID,
	})
	if err == nil {
		err = tx.QueryRow(ctx, removedSQL, pgx.NamedArgs{"id": p.ID}).Scan(&removed)
	}
	if err != nil {
		return false, false, fmt.Errorf("copy player %s: %w", p.ID, err)
	}
	newer = tag.RowsAffected() == 1
	if newer && (p.Banned || p.Removed || p.Deleted) {
		cause := personaltoken.ByBan
		switch {
		case p.Removed:
			cause = personaltoken.ByMerge
		case p.Deleted:
			cause = personaltoken.ByDeletion
		}
		_, err = revokeTokens(ctx, tx, revokeTokensOfSQL, cause, time.Now(), pgx.NamedArgs{"player_id": p.ID})
	}
	return removed, newer, err
}
