package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

const entrySQL = `select ` + entryColumns + ` from maps m ` + entryJoins + ` where m.id = @id and m.removed_at is null`

// Entry implements parkourmap.Queries.
func (s *Store) Entry(ctx context.Context, id string) (parkourmap.Entry, error) {
	entry, err := postgres.CollectOne(ctx, s.db, scanEntry, entrySQL, pgx.NamedArgs{"id": id})
	return entry, postgres.ReadError(err, parkourmap.ErrMapUnknown, "map %s", id)
}

const byIDSQL = `select ` + mapColumns + ` from maps m where m.id = @id`

// ByID implements parkourmap.Queries.
func (s *Store) ByID(ctx context.Context, id string) (parkourmap.Map, error) {
	return s.queryMap(ctx, byIDSQL, pgx.NamedArgs{"id": id})
}

const byGameMapIDSQL = `
	select ` + mapColumns + ` from maps m
	where m.game_map_id = @id
	order by m.fingerprint = @fingerprint desc, m.removed_at is null desc, m.map_version desc
	limit 1`

// ByGameMapID implements parkourmap.Queries.
func (s *Store) ByGameMapID(ctx context.Context, id int64, fingerprint string) (parkourmap.Map, error) {
	return s.queryMap(ctx, byGameMapIDSQL, pgx.NamedArgs{"id": id, "fingerprint": fingerprint})
}

// queryMap returns the map of a statement that selects mapColumns, or parkourmap.ErrMapUnknown.
func (s *Store) queryMap(ctx context.Context, sql string, args pgx.NamedArgs) (parkourmap.Map, error) {
	m, err := postgres.CollectOne(ctx, s.db, scanMap, sql, args)
	return m, postgres.ReadError(err, parkourmap.ErrMapUnknown, "read a map")
}

const popularTagsSQL = `select tag from tag_counts where maps > 0 order by maps desc, tag limit @limit`

// PopularTags implements parkourmap.Queries.
func (s *Store) PopularTags(ctx context.Context, limit int) ([]string, error) {
	tags, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], popularTagsSQL, pgx.NamedArgs{"limit": limit})
	return tags, postgres.Wrap(err, "popular tags")
}

const versionsSQL = `
	select ` + entryColumns + ` from maps m ` + entryJoins + `
	where m.removed_at is null
		and m.game_map_id = (select game_map_id from maps where id = @id and removed_at is null)
	order by m.map_version desc`

// Versions implements parkourmap.Queries.
func (s *Store) Versions(ctx context.Context, id string) ([]parkourmap.Entry, error) {
	versions, err := postgres.Collect(ctx, s.db, scanEntry, versionsSQL, pgx.NamedArgs{"id": id})
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
	err = s.db.QueryRow(ctx, encodedMapSQL, pgx.NamedArgs{"id": id}).Scan(&encoded)
	return encoded, postgres.ReadError(err, parkourmap.ErrMapUnknown, "data of map %s", id)
}

const (
	idsSQL      = `select id, updated_at from maps where listed order by id limit @limit offset @offset`
	countIDsSQL = `select count(*) from maps where listed`
)

// IDs implements parkourmap.Queries.
func (s *Store) IDs(ctx context.Context, page parkourmap.Page) (ids []parkourmap.ListedID, total int64, err error) {
	if err := s.db.QueryRow(ctx, countIDsSQL).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count maps: %w", err)
	}
	ids, err = postgres.Collect(ctx, s.db, pgx.RowToStructByPos[parkourmap.ListedID],
		idsSQL, pgx.NamedArgs{"limit": page.Limit, "offset": page.Offset})
	return ids, total, postgres.Wrap(err, "ids of maps")
}
