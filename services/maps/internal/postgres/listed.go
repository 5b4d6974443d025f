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

// listedColumns are the columns of scanListed, from listed_maps as l.
const listedColumns = `l.id, l.game_map_id, l.name, l.authors, l.page, l.imported_at, l.updated_at,
	coalesce(l.map_id::text, '')`

// scanListed is a pgx.RowToFunc of listedColumns.
var scanListed = pgx.RowToStructByPos[parkourmap.ListedMap]

const listedMapSQL = `select ` + listedColumns + ` from listed_maps l where l.id = @id`

// ListedMap implements parkourmap.Queries.
func (s *Store) ListedMap(ctx context.Context, id string) (parkourmap.ListedMap, error) {
	m, err := postgres.CollectOne(ctx, s.db, scanListed, listedMapSQL, pgx.NamedArgs{"id": id})
	return m, postgres.ReadError(err, parkourmap.ErrListedMapUnknown, "listed map %s", id)
}

// SearchListed implements parkourmap.Queries.
func (s *Store) SearchListed(
	ctx context.Context, name string, page parkourmap.Page,
) ([]parkourmap.ListedMap, int64, error) {
	return search.Fetch(ctx, s.db, listedQuery(name, page), scanListed)
}

func listedQuery(name string, page parkourmap.Page) search.Query {
	q := search.Query{
		Table: "listed_maps l", ID: "l.id", OrderBy: "l.search_key",
		Limit: page.Limit, Offset: page.Offset,
		Select: "select " + listedColumns + " from page join listed_maps l on l.id = page.id",
	}
	q.Where("l.map_id is null", nil)
	q.WhereName("(' ' || l.search_key) like @name", "search_letters(l.search_key) @> @name_letters", "name", name)
	return q
}

const (
	// lockListedSQL makes imports wait for each other and for transactions that have run fulfilListedSQL, which know
	// whether a map is on the site. Reading continues.
	lockListedSQL = `lock table listed_maps in share row exclusive mode`
	listedOfSQL   = `select ` + listedColumns + ` from listed_maps l where l.game_map_id = any (@game_map_ids)`
	onSiteSQL     = `
		select game_map_id, bool_or(removed_at is null) from maps where game_map_id = any (@game_map_ids) group by game_map_id`
	saveListedSQL = `
		insert into listed_maps (id, game_map_id, name, search_key, authors, page, imported_at, updated_at)
		values (@id, @game_map_id, @name, @search_key, @authors, @page, @imported_at, @updated_at)
		on conflict (id) do update set
			name = excluded.name, search_key = excluded.search_key, authors = excluded.authors, page = excluded.page,
			updated_at = excluded.updated_at`
)

// Import implements parkourmap.ImportStore.
func (s *Store) Import(
	ctx context.Context, maps []parkourmap.ListedMap, dryRun bool, by access.Attribution,
) ([]parkourmap.ImportDecision, error) {
	var decisions []parkourmap.ImportDecision
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if !dryRun {
			if _, err := tx.Exec(ctx, lockListedSQL); err != nil {
				return fmt.Errorf("lock the listed maps: %w", err)
			}
		}
		known, err := knownMaps(ctx, tx, maps)
		if err != nil {
			return err
		}
		decisions = make([]parkourmap.ImportDecision, len(maps))
		for i, m := range maps {
			decisions[i] = known.Decide(m)
			if dryRun || decisions[i].After.ID == "" {
				continue
			}
			if err := saveListed(ctx, tx, decisions[i], by); err != nil {
				return err
			}
		}
		return nil
	})
	return decisions, err
}

// knownMaps returns what the site knows of maps.
func knownMaps(ctx context.Context, tx pgx.Tx, maps []parkourmap.ListedMap) (parkourmap.KnownMaps, error) {
	args := pgx.NamedArgs{
		"game_map_ids": postgres.Column(maps, func(m parkourmap.ListedMap) int64 { return m.GameMapID }),
	}
	listed, err := postgres.CollectBy(ctx, tx, func(m parkourmap.ListedMap) int64 { return m.GameMapID },
		scanListed, listedOfSQL, args)
	if err != nil {
		return parkourmap.KnownMaps{}, fmt.Errorf("listed maps: %w", err)
	}
	onSite, err := postgres.CollectMap[int64, bool](ctx, tx, onSiteSQL, args)
	return parkourmap.KnownMaps{Listed: listed, OnSite: onSite}, postgres.Wrap(err, "game maps on the site")
}

func saveListed(ctx context.Context, tx pgx.Tx, d parkourmap.ImportDecision, by access.Attribution) error {
	m := d.After
	_, err := tx.Exec(ctx, saveListedSQL, pgx.NamedArgs{
		"id": m.ID, "game_map_id": m.GameMapID, "name": m.Name, "search_key": search.Key(m.Name), "authors": m.Authors,
		"page": m.Page, "imported_at": m.ImportedAt, "updated_at": m.UpdatedAt,
	})
	if err != nil {
		return fmt.Errorf("list game map %d: %w", m.GameMapID, err)
	}
	entry := audit.Entry{By: by, Action: access.ImportMaps, Target: m.ID, After: auditOfListed(m)}
	if d.Before.ID != "" {
		entry.Before = auditOfListed(d.Before)
	}
	return audit.Append(ctx, tx, entry)
}

const unlistSQL = `delete from listed_maps l where l.game_map_id = @game_map_id returning ` + listedColumns

// Unlist implements parkourmap.ModerationStore.
func (s *Store) Unlist(ctx context.Context, gameMapID int64, by access.Attribution) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		m, err := postgres.CollectOne(ctx, tx, scanListed, unlistSQL, pgx.NamedArgs{"game_map_id": gameMapID})
		if err != nil {
			return postgres.ReadError(err, parkourmap.ErrListedMapUnknown, "unlist game map %d", gameMapID)
		}
		return audit.Append(ctx, tx, audit.Entry{By: by, Action: access.UnlistMap, Target: m.ID, Before: auditOfListed(m)})
	})
}

// auditOfListed returns what the audit log says of a listed map.
func auditOfListed(m parkourmap.ListedMap) map[string]any {
	return map[string]any{"gameMapId": m.GameMapID, "name": m.Name, "authors": m.Authors, "page": m.Page}
}

// fulfilListedSQL sets the newest version of a map of the game whose versions have changed. Where no map is
// listed, it still takes the lock of a change, for which imports wait.
const fulfilListedSQL = `
	update listed_maps l
	set map_id = ` + newestVersionSQL + `
	where l.game_map_id = @game_map_id`

// newestVersionSQL selects the newest version of the map of a row of listed_maps as l: of those on the site, or of the
// removed ones where there is no other. A removed map cannot be submitted again, so it stays off the list.
const newestVersionSQL = `(
		select m.id from maps m
		where m.game_map_id = l.game_map_id
		order by m.listed desc, m.map_version desc limit 1)`
