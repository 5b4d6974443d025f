package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const playerColumns = `id, version, removed, coalesce(merged_into::text, ''), name, skin_image_url, skin_color, roles,
	registered, banned, banned_until, coalesce(banned_by::text, ''), deleted, created_at`

const playerSQL = `select ` + playerColumns + ` from players where id = $1`

func scanPlayer(row pgx.CollectableRow) (p moderation.Player, err error) {
	var until *time.Time
	var bannedBy string
	err = row.Scan(&p.ID, &p.Version, &p.Removed, &p.MergedInto, &p.Name, &p.SkinImageURL, &p.SkinColor, &p.Roles,
		&p.Registered, &p.Banned, &until, &bannedBy, &p.Deleted, &p.CreatedAt)
	if p.Banned {
		p.Ban = &event.Ban{Until: timeOrZero(until), DecisionID: bannedBy}
	}
	p.CreatedAt = p.CreatedAt.UTC()
	return p, err
}

// Player implements replica.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (moderation.Player, error) {
	p, err := postgres.CollectOne(ctx, s.db, scanPlayer, playerSQL, id)
	if err != nil {
		return moderation.Player{}, postgres.ReadError(err, moderation.ErrPlayerUnknown, "copy of player %s", id)
	}
	return p, nil
}

// applyPlayerSQL stores whom the player was merged into at the end of all merges.
const applyPlayerSQL = `
	insert into players as p (id, version, removed, merged_into, name, skin_image_url, skin_color, roles, registered,
		banned, banned_until, banned_by, deleted, created_at)
	values (@id, @version, @removed,
		coalesce((select merged_into from players where id = nullif(@merged_into, '')::uuid), nullif(@merged_into, '')::uuid),
		@name, @skin_image_url, @skin_color, coalesce(@roles::text[], '{}'), @registered, @banned, @banned_until, @banned_by,
		@deleted, @created_at)
	on conflict (id) do update set
		version = excluded.version, removed = excluded.removed, merged_into = excluded.merged_into, name = excluded.name,
		skin_image_url = excluded.skin_image_url, skin_color = excluded.skin_color, roles = excluded.roles,
		registered = excluded.registered, banned = excluded.banned, banned_until = excluded.banned_until,
		banned_by = excluded.banned_by, deleted = excluded.deleted, created_at = excluded.created_at
	where p.version < excluded.version`

// ApplyPlayer implements replica.PlayerCopies. What belongs to a player who was merged is transferred in the same
// transaction, and the texts of a player whose account was deleted are emptied.
func (s *Store) ApplyPlayer(ctx context.Context, p moderation.Player) error {
	var ban event.Ban
	if p.Ban != nil {
		ban = *p.Ban
	}
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if p.MergedInto != "" || p.Deleted {
			if _, err := tx.Exec(ctx, lockMergesSQL); err != nil {
				return err
			}
		}
		applied, err := tx.Exec(ctx, applyPlayerSQL, pgx.NamedArgs{
			"id": p.ID, "version": p.Version, "removed": p.Removed, "merged_into": p.MergedInto, "name": p.Name,
			"skin_image_url": p.SkinImageURL, "skin_color": p.SkinColor, "roles": p.Roles,
			"registered": p.Registered, "banned": p.Banned, "banned_until": zeronull.Timestamptz(ban.Until),
			"banned_by": zeronull.Text(ban.DecisionID), "deleted": p.Deleted, "created_at": p.CreatedAt,
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

const playersSQL = `select ` + playerColumns + ` from players where id = any (@ids)`

// Players returns the copies of players by their ids.
func (s *Store) Players(ctx context.Context, ids []string) (map[string]moderation.Player, error) {
	players, err := postgres.Collect(ctx, s.db, scanPlayer, playersSQL, pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, fmt.Errorf("copies of players: %w", err)
	}
	byID := map[string]moderation.Player{}
	for _, p := range players {
		byID[p.ID] = p
	}
	return byID, nil
}

const moderatorsSQL = `
	select id from players
	where roles <> '{}' and roles && '{moderator, admin}' and not banned and not removed
	order by id
	limit @limit`

// Moderators implements moderation.AppealStore.
func (s *Store) Moderators(ctx context.Context, limit int) ([]string, error) {
	ids, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], moderatorsSQL, pgx.NamedArgs{"limit": limit})
	if err != nil {
		return nil, fmt.Errorf("moderators: %w", err)
	}
	return ids, nil
}

const mapColumns = `id, version, removed, name, game_map_id, coalesce(author_id::text, ''), superseded, unranked`

const (
	mapSQL  = `select ` + mapColumns + ` from maps where id = $1`
	mapsSQL = `select ` + mapColumns + ` from maps where id = any (@ids)`
)

func scanMap(row pgx.CollectableRow) (m moderation.Map, err error) {
	err = row.Scan(&m.ID, &m.Version, &m.Removed, &m.Name, &m.GameMapID, &m.AuthorID, &m.Superseded, &m.Unranked)
	return m, err
}

// Map implements moderation.MapCopies.
func (s *Store) Map(ctx context.Context, id string) (moderation.Map, error) {
	m, err := postgres.CollectOne(ctx, s.db, scanMap, mapSQL, id)
	if err != nil {
		return moderation.Map{}, postgres.ReadError(err, moderation.ErrSubjectUnknown, "copy of map %s", id)
	}
	return m, nil
}

// Maps returns the copies of maps by their ids.
func (s *Store) Maps(ctx context.Context, ids []string) (map[string]moderation.Map, error) {
	maps, err := postgres.Collect(ctx, s.db, scanMap, mapsSQL, pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, fmt.Errorf("copies of maps: %w", err)
	}
	byID := map[string]moderation.Map{}
	for _, m := range maps {
		byID[m.ID] = m
	}
	return byID, nil
}

const (
	applyMapSQL = `
		insert into maps as m (id, version, removed, name, game_map_id, author_id, superseded, unranked)
		values (@id, @version, false, @name, @game_map_id,
			coalesce((select merged_into from players where id = nullif(@author, '')::uuid), nullif(@author, '')::uuid),
			@superseded, @unranked)
		on conflict (id) do update set
			version = excluded.version, removed = false, name = excluded.name, game_map_id = excluded.game_map_id,
			author_id = excluded.author_id, superseded = excluded.superseded, unranked = excluded.unranked
		where m.version < excluded.version`
	// applyTombstoneSQL keeps what is known of the map.
	applyTombstoneSQL = `
		insert into maps as m (id, version, removed, name, game_map_id, superseded, unranked)
		values (@id, @version, true, '', 0, false, false)
		on conflict (id) do update set version = excluded.version, removed = true
		where m.version < excluded.version`
)

// ApplyMap implements moderation.MapCopies.
func (s *Store) ApplyMap(ctx context.Context, m moderation.Map) error {
	applySQL := applyMapSQL
	if m.Removed {
		applySQL = applyTombstoneSQL
	}
	_, err := s.db.Exec(ctx, applySQL, pgx.NamedArgs{
		"id": m.ID, "version": m.Version, "name": m.Name, "game_map_id": m.GameMapID, "author": m.AuthorID,
		"superseded": m.Superseded, "unranked": m.Unranked,
	})
	if err != nil {
		return fmt.Errorf("apply map %s: %w", m.ID, err)
	}
	return nil
}
