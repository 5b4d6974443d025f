package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/services/maps/internal/parkourmap"
)

const versionsSQL = `
	select ` + entryColumns + ` from maps m ` + entryJoins + `
	where m.removed_at is null
		and m.game_map_id = (select game_map_id from maps where id = @id and removed_at is null)
	order by m.map_version desc`

// Versions implements parkourmap.Queries.
func (s *Store) Versions(ctx context.Context, id string) ([]parkourmap.Entry, error) {
	if !event.IsID(id) {
		return nil, parkourmap.ErrMapUnknown
	}
	rows, err := s.pool.Query(ctx, versionsSQL, pgx.NamedArgs{"id": id})
	if err != nil {
		return nil, fmt.Errorf("versions of map %s: %w", id, err)
	}
	versions, err := pgx.CollectRows(rows, scanEntry)
	if err != nil {
		return nil, fmt.Errorf("versions of map %s: %w", id, err)
	}
	if len(versions) == 0 {
		return nil, parkourmap.ErrMapUnknown
	}
	return versions, nil
}

const encodedMapSQL = `
	select d.encoded from map_data d join maps m on m.id = d.map_id
	where m.id = @id and m.removed_at is null`

// EncodedMap implements parkourmap.Queries.
func (s *Store) EncodedMap(ctx context.Context, id string) (encoded string, err error) {
	if !event.IsID(id) {
		return "", parkourmap.ErrMapUnknown
	}
	err = s.pool.QueryRow(ctx, encodedMapSQL, pgx.NamedArgs{"id": id}).Scan(&encoded)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", parkourmap.ErrMapUnknown
	}
	if err != nil {
		return "", fmt.Errorf("data of map %s: %w", id, err)
	}
	return encoded, nil
}

const (
	idsSQL      = `select id, updated_at from maps where listed order by id limit @limit offset @offset`
	countIDsSQL = `select count(*) from maps where listed`
)

// IDs implements parkourmap.Queries.
func (s *Store) IDs(ctx context.Context, limit, offset int) (page parkourmap.IDPage, err error) {
	if err := s.pool.QueryRow(ctx, countIDsSQL).Scan(&page.Total); err != nil {
		return parkourmap.IDPage{}, fmt.Errorf("count maps: %w", err)
	}
	rows, err := s.pool.Query(ctx, idsSQL, pgx.NamedArgs{"limit": limit, "offset": offset})
	if err != nil {
		return parkourmap.IDPage{}, fmt.Errorf("ids of maps: %w", err)
	}
	page.IDs, err = pgx.CollectRows(rows, pgx.RowToStructByPos[parkourmap.ListedID])
	if err != nil {
		return parkourmap.IDPage{}, fmt.Errorf("ids of maps: %w", err)
	}
	return page, nil
}

const (
	// Every change of a version locks version 1, which is never deleted. What changes more than one
	// version so sees all of them.
	lockGameMapSQL   = `select from maps where game_map_id = @game_map_id and map_version = 1 for update`
	lockGameMapOfSQL = `
		select from maps
		where map_version = 1 and game_map_id = (select game_map_id from maps where id = @id)
		for update`
	// A new statement sees what was committed while the lock was waited for.
	revisionSQL = `select coalesce(sum(version), 0) from maps where game_map_id = @game_map_id`
)

// lockRevision locks a game map until the end of tx, or returns parkourmap.ErrVersionsChanged
// where the sum of its versions' Version is not the expected one.
func lockRevision(ctx context.Context, tx pgx.Tx, gameMapID, expected int64) error {
	args := pgx.NamedArgs{"game_map_id": gameMapID}
	if _, err := tx.Exec(ctx, lockGameMapSQL, args); err != nil {
		return fmt.Errorf("lock game map %d: %w", gameMapID, err)
	}
	var revision int64
	if err := tx.QueryRow(ctx, revisionSQL, args).Scan(&revision); err != nil {
		return fmt.Errorf("revision of game map %d: %w", gameMapID, err)
	}
	if revision != expected {
		return parkourmap.ErrVersionsChanged
	}
	return nil
}

const (
	supersedeSQL = `
		update maps m set superseded = not superseded, version = version + 1, updated_at = @at
		where m.game_map_id = @game_map_id and m.removed_at is null and m.superseded <> exists (
			select from maps n
			where n.game_map_id = m.game_map_id and n.map_version > m.map_version and n.removed_at is null)
		returning ` + mapColumns
	listVersionsSQL = `
		update map_stats s set listed = m.listed from maps m
		where m.id = s.map_id and m.game_map_id = @game_map_id and s.listed <> m.listed`
)

// supersede sets which versions of a locked game map are superseded, after one was created or
// removed, and appends the states of those that change.
func supersede(ctx context.Context, tx pgx.Tx, gameMapID int64, at time.Time) error {
	args := pgx.NamedArgs{"game_map_id": gameMapID, "at": at}
	rows, err := tx.Query(ctx, supersedeSQL, args)
	if err != nil {
		return fmt.Errorf("supersede versions of game map %d: %w", gameMapID, err)
	}
	changed, err := pgx.CollectRows(rows, pgx.RowToStructByName[mapRow])
	if err != nil {
		return fmt.Errorf("supersede versions of game map %d: %w", gameMapID, err)
	}
	for _, row := range changed {
		if err := outbox.Append(ctx, tx, row.toMap().State()); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, listVersionsSQL, args); err != nil {
		return fmt.Errorf("list versions of game map %d: %w", gameMapID, err)
	}
	return nil
}
