package copies

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
)

// MapColumns are the columns that ScanMap reads.
const MapColumns = `id, version, removed, name, game_map_id, coalesce(author_id::text, ''), superseded, unranked`

// ScanMap reads a row of MapColumns.
func ScanMap(row pgx.CollectableRow) (m event.MapState, err error) {
	err = row.Scan(&m.ID, &m.Version, &m.Removed, &m.Name, &m.GameMapID, &m.AuthorID, &m.Superseded, &m.Unranked)
	return m, err
}

// MapSQL selects a version of a map by id.
const MapSQL = `select ` + MapColumns + ` from maps where id = $1`

// Map returns the copy of a version of a map, also a tombstone, or event.ErrMapUnknown.
func Map(ctx context.Context, conn postgres.Conn, id string) (event.MapState, error) {
	m, err := postgres.CollectOne(ctx, conn, ScanMap, MapSQL, id)
	return m, postgres.ReadError(err, event.ErrMapUnknown, "copy of map %s", id)
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

// ApplyMap stores the state of a version of a map that is newer than the copy. Its author is whom the author was merged
// into. A tombstone keeps what was known.
func ApplyMap(ctx context.Context, conn postgres.Conn, m event.MapState) error {
	applySQL := applyMapSQL
	if m.Removed {
		applySQL = applyTombstoneSQL
	}
	_, err := conn.Exec(ctx, applySQL, pgx.NamedArgs{
		"id": m.ID, "version": m.Version, "name": m.Name, "game_map_id": m.GameMapID, "author": m.AuthorID,
		"superseded": m.Superseded, "unranked": m.Unranked,
	})
	return postgres.Wrap(err, "copy of map %s", m.ID)
}
