package postgres

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/audit"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	// Every change of a version locks version 1, which is never deleted, so that it sees all versions as they are.
	lockGameMapSQL  = `select from maps where game_map_id = @game_map_id and map_version = 1 for update`
	gameMapOfSQL    = `select game_map_id from maps where id = @id`
	gameMapSQL      = `select ` + mapColumns + ` from maps m where m.game_map_id = @game_map_id order by m.map_version`
	lockVersionsSQL = `
		select ` + mapColumns + ` from maps m where m.game_map_id = @game_map_id order by m.map_version
		for update`
)

// lockGameMap locks a game map until the end of tx and returns its versions. It returns none for an unknown game map.
func lockGameMap(ctx context.Context, tx pgx.Tx, gameMapID int64) (parkourmap.Versions, error) {
	if _, err := tx.Exec(ctx, lockGameMapSQL, pgx.NamedArgs{"game_map_id": gameMapID}); err != nil {
		return nil, fmt.Errorf("lock game map %d: %w", gameMapID, err)
	}
	// A new statement sees what was committed while the lock was waited for.
	return gameMap(ctx, tx, lockVersionsSQL, gameMapID)
}

// lockGameMapOf is lockGameMap for the game map of a version. It returns none for an unknown version.
func lockGameMapOf(ctx context.Context, tx pgx.Tx, id string) (parkourmap.Versions, error) {
	var gameMapID int64
	err := tx.QueryRow(ctx, gameMapOfSQL, pgx.NamedArgs{"id": id}).Scan(&gameMapID)
	if err != nil {
		return nil, postgres.ReadError(err, nil, "game map of map %s", id)
	}
	return lockGameMap(ctx, tx, gameMapID)
}

// gameMap returns the versions of a game map by gameMapSQL or lockVersionsSQL.
func gameMap(ctx context.Context, conn postgres.Conn, sql string, gameMapID int64) (parkourmap.Versions, error) {
	versions, err := postgres.Collect(ctx, conn, scanMap, sql, pgx.NamedArgs{"game_map_id": gameMapID})
	return versions, postgres.Wrap(err, "versions of game map %d", gameMapID)
}

const (
	// lockTagsSQL locks the counts of tags in the order of the trigger count_tags, which locks those of one version at a
	// time: so no two transactions wait for each other in a circle. A missing count is made, with 0.
	lockTagsSQL = `
		insert into tag_counts as c (tag, maps)
		select tag, 0 from unnest(@tags::text[]) as tag group by tag order by tag collate "C"
		on conflict (tag) do update set maps = c.maps`
	// A record count that arrived before its map is in the table already.
	listVersionsSQL = `
		insert into map_stats as s (map_id, listed)
		select id, listed from maps where game_map_id = @game_map_id
		on conflict (map_id) do update set listed = excluded.listed where s.listed <> excluded.listed`
)

// saveChange is saveVersions with the facts and the rows of the audit log.
func saveChange(ctx context.Context, tx pgx.Tx, before parkourmap.Versions, c parkourmap.Change) error {
	if err := saveVersions(ctx, tx, before, c.Versions); err != nil {
		return err
	}
	for _, fact := range c.Facts {
		if err := outbox.Append(ctx, tx, fact); err != nil {
			return err
		}
	}
	return audit.Append(ctx, tx, c.Entries...)
}

// saveVersions stores what has changed in the versions of a locked game map: it inserts the new ones,
// updates the others under the next Version, releases the pictures that no version names any more, enters the newest
// version of an imported map, and appends the states.
func saveVersions(ctx context.Context, tx pgx.Tx, before, after parkourmap.Versions) error {
	tags := []string{}
	for _, m := range slices.Concat(before, after) {
		tags = append(tags, m.Tags...)
	}
	if _, err := tx.Exec(ctx, lockTagsSQL, pgx.NamedArgs{"tags": tags}); err != nil {
		return fmt.Errorf("lock tags: %w", err)
	}
	if err := updateMaps(ctx, tx, before, after[:len(before)]); err != nil {
		return err
	}
	for _, m := range after[len(before):] {
		if err := saveMap(ctx, tx, insertMapSQL, m); err != nil {
			return err
		}
	}
	kept := pictureKeys(after)
	released := slices.DeleteFunc(pictureKeys(before), func(key string) bool { return slices.Contains(kept, key) })
	if err := objectstore.Release(ctx, tx, released...); err != nil {
		return err
	}
	args := pgx.NamedArgs{"game_map_id": after[0].GameMapID}
	err := postgres.ExecBatch(ctx, tx, args, listVersionsSQL, setNewestVersionSQL)
	return postgres.Wrap(err, "list versions of game map %d", after[0].GameMapID)
}

// updateMaps stores those of locked maps that have changed, under the next Version, and appends their states.
func updateMaps(ctx context.Context, tx pgx.Tx, before, after parkourmap.Versions) error {
	for i, m := range after {
		if reflect.DeepEqual(before[i], m) {
			continue
		}
		m.Version = before[i].Version + 1
		if err := saveMap(ctx, tx, updateMapSQL, m); err != nil {
			return err
		}
	}
	return nil
}

// saveMap runs insertMapSQL or updateMapSQL, and appends the state of the map.
func saveMap(ctx context.Context, tx pgx.Tx, saveSQL string, m parkourmap.Map) error {
	if _, err := tx.Exec(ctx, saveSQL, mapArgs(m)); err != nil {
		return fmt.Errorf("save map %s: %w", m.ID, err)
	}
	return outbox.Append(ctx, tx, m.State())
}

// pictureKeys returns the keys of all files of versions but the replays, each once.
func pictureKeys(versions parkourmap.Versions) []string {
	keys := []string{""}
	for _, m := range versions {
		f := m.Files
		keys = append(keys, f.Image, f.Thumbnail, f.Drawing, f.Picture, f.PictureThumbnail)
	}
	slices.Sort(keys)
	return slices.Compact(keys)[1:] // without the empty one
}
