package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

// importedColumns are the columns of scanImported, from listed_maps as l.
const importedColumns = `l.id, l.game_map_id, l.name, l.authors, l.page, l.imported_at, l.updated_at,
	coalesce(l.map_id::text, '')`

// scanImported is a pgx.RowToFunc of importedColumns.
var scanImported = pgx.RowToStructByPos[parkourmap.ImportedMap]

const importedMapSQL = `select ` + importedColumns + ` from listed_maps l where l.id = @id`

// ImportedMap implements parkourmap.Queries.
func (s *Store) ImportedMap(ctx context.Context, id string) (parkourmap.ImportedMap, error) {
	m, err := postgres.CollectOne(ctx, s.db, scanImported, importedMapSQL, pgx.NamedArgs{"id": id})
	return m, postgres.ReadError(err, parkourmap.ErrImportedMapUnknown, "imported map %s", id)
}

// SearchWithoutReplay implements parkourmap.Queries.
func (s *Store) SearchWithoutReplay(
	ctx context.Context, name string, page parkourmap.Page,
) ([]parkourmap.ImportedMap, int64, error) {
	return search.Fetch(ctx, s.db, withoutReplayQuery(name, page), scanImported)
}

func withoutReplayQuery(name string, page parkourmap.Page) search.Query {
	q := search.Query{
		Table: "listed_maps l", ID: "l.id", OrderBy: "l.search_key",
		Limit: page.Limit, Offset: page.Offset,
		Select: "select " + importedColumns + " from page join listed_maps l on l.id = page.id",
	}
	q.Where("l.map_id is null", nil)
	q.WhereName("(' ' || l.search_key) like @name", "search_letters(l.search_key) @> @name_letters", "name", name)
	return q
}

const (
	// lockImportedSQL makes imports wait for each other and for transactions that have run setNewestVersionSQL, which
	// know whether a map is on the site. Reading continues.
	lockImportedSQL = `lock table listed_maps in share row exclusive mode`
	importedMapsSQL = `select ` + importedColumns + ` from listed_maps l where l.game_map_id = any (@game_map_ids)`
	onSiteSQL       = `
		select game_map_id, bool_or(removed_at is null) from maps where game_map_id = any (@game_map_ids) group by game_map_id`
	saveImportedSQL = `
		insert into listed_maps (id, game_map_id, name, search_key, authors, page, imported_at, updated_at)
		values (@id, @game_map_id, @name, @search_key, @authors, @page, @imported_at, @updated_at)
		on conflict (id) do update set
			name = excluded.name, search_key = excluded.search_key, authors = excluded.authors, page = excluded.page,
			updated_at = excluded.updated_at`
)

// Import implements parkourmap.ImportStore.
func (s *Store) Import(
	ctx context.Context, by access.Attribution, maps []parkourmap.ImportedMap, dryRun bool,
) ([]parkourmap.ImportResult, error) {
	var results []parkourmap.ImportResult
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if !dryRun {
			if _, err := tx.Exec(ctx, lockImportedSQL); err != nil {
				return fmt.Errorf("lock the imported maps: %w", err)
			}
		}
		known, err := knownMaps(ctx, tx, maps)
		if err != nil {
			return err
		}
		results = make([]parkourmap.ImportResult, len(maps))
		for i, m := range maps {
			results[i] = known.Import(by, m)
			if dryRun || results[i].Map.ID == "" {
				continue
			}
			if err := saveImported(ctx, tx, results[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return results, err
}

// knownMaps returns what the site knows of maps.
func knownMaps(ctx context.Context, tx pgx.Tx, maps []parkourmap.ImportedMap) (parkourmap.KnownMaps, error) {
	args := pgx.NamedArgs{
		"game_map_ids": postgres.Column(maps, func(m parkourmap.ImportedMap) int64 { return m.GameMapID }),
	}
	imported, err := postgres.CollectBy(ctx, tx, func(m parkourmap.ImportedMap) int64 { return m.GameMapID },
		scanImported, importedMapsSQL, args)
	if err != nil {
		return parkourmap.KnownMaps{}, fmt.Errorf("imported maps: %w", err)
	}
	onSite, err := postgres.CollectMap[int64, bool](ctx, tx, onSiteSQL, args)
	return parkourmap.KnownMaps{Imported: imported, OnSite: onSite}, postgres.Wrap(err, "game maps on the site")
}

func saveImported(ctx context.Context, tx pgx.Tx, result parkourmap.ImportResult) error {
	m := result.Map
	_, err := tx.Exec(ctx, saveImportedSQL, pgx.NamedArgs{
		"id": m.ID, "game_map_id": m.GameMapID, "name": m.Name, "search_key": search.Key(m.Name), "authors": m.Authors,
		"page": m.Page, "imported_at": m.ImportedAt, "updated_at": m.UpdatedAt,
	})
	if err != nil {
		return fmt.Errorf("save imported map %d: %w", m.GameMapID, err)
	}
	return audit.Append(ctx, tx, result.Entry)
}

const unlistSQL = `delete from listed_maps l where l.game_map_id = @game_map_id returning ` + importedColumns

// Unlist implements parkourmap.ImportStore.
func (s *Store) Unlist(ctx context.Context, by access.Attribution, gameMapID int64) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		m, err := postgres.CollectOne(ctx, tx, scanImported, unlistSQL, pgx.NamedArgs{"game_map_id": gameMapID})
		if err != nil {
			return postgres.ReadError(err, parkourmap.ErrImportedMapUnknown, "unlist imported map %d", gameMapID)
		}
		return audit.Append(ctx, tx, m.Unlist(by))
	})
}

// setNewestVersionSQL sets the newest version of a map of the game whose versions have changed. Where the
// map is not imported, it still takes the lock of a change, for which imports wait.
const setNewestVersionSQL = `
	update listed_maps l
	set map_id = ` + newestVersionSQL + `
	where l.game_map_id = @game_map_id`

// newestVersionSQL selects the newest version of the map of a row of listed_maps as l: of those on the site, or of the
// removed ones where there is no other. A removed map cannot be submitted again, so it stays off the list.
const newestVersionSQL = `(
		select m.id from maps m
		where m.game_map_id = l.game_map_id
		order by m.listed desc, m.map_version desc limit 1)`
