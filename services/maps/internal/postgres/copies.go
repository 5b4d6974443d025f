package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/searchkey"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	playerColumns = `
		select id, version, removed, coalesce(merged_into::text, '') as merged_into, name, former_names, skin_image_url, skin_color, banned
		from players`
	playerSQL       = playerColumns + " where id = $1 and (not removed or merged_into is not null)"
	playerNamedSQL  = playerColumns + " where name_key = $1 and not removed order by version desc limit 1"
	mapsOfAuthorSQL = `
		select id, game_mode, tags, search_key, facets from maps
		where author_id = @author and removed_at is null and author_key <> @key
		order by id for update`
)

// Player implements parkourmap.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (parkourmap.Player, error) {
	if !event.IsID(id) {
		return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
	}
	return s.player(ctx, playerSQL, id)
}

// PlayerNamed implements parkourmap.PlayerCopies.
func (s *Store) PlayerNamed(ctx context.Context, key string) (parkourmap.Player, error) {
	return s.player(ctx, playerNamedSQL, key)
}

func (s *Store) player(ctx context.Context, sql, arg string) (parkourmap.Player, error) {
	rows, err := s.pool.Query(ctx, sql, arg)
	if err != nil {
		return parkourmap.Player{}, fmt.Errorf("copy of player %q: %w", arg, err)
	}
	type playerRow struct {
		ID           string
		Version      int64
		Removed      bool
		MergedInto   string
		Name         string
		FormerNames  []string
		SkinImageURL string `db:"skin_image_url"`
		SkinColor    string
		Banned       bool
	}
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[playerRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
	}
	if err != nil {
		return parkourmap.Player{}, fmt.Errorf("copy of player %q: %w", arg, err)
	}
	return parkourmap.Player(row), nil
}

// TakePlayer implements parkourmap.PlayerCopies. The maps of a player are searched
// by the new name at once. A tombstone keeps the name for the maps that are left;
// those of a player who was merged go over to the other.
func (s *Store) TakePlayer(ctx context.Context, p parkourmap.Player) error {
	const upsertSQL = `
		insert into players as c (id, version, removed, merged_into, name, name_key, former_names, skin_image_url, skin_color, banned)
		values (@id, @version, @removed, nullif(@mergedInto, '')::uuid, @name, @key, @formerNames, @skin, @color, @banned)
		on conflict (id) do update set
			version = excluded.version, removed = excluded.removed, merged_into = excluded.merged_into, former_names = excluded.former_names,
			name = case when excluded.removed then c.name else excluded.name end,
			name_key = case when excluded.removed then c.name_key else excluded.name_key end,
			skin_image_url = excluded.skin_image_url, skin_color = excluded.skin_color, banned = excluded.banned
		-- A copy may have been made by a release that knew of no merges.
		where c.version < excluded.version or c.merged_into is null and excluded.merged_into is not null`
	if !event.IsID(p.ID) {
		return parkourmap.ErrNoID
	}
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, upsertSQL, pgx.NamedArgs{
			"id": p.ID, "version": p.Version, "removed": p.Removed, "mergedInto": p.MergedInto,
			"name": p.Name, "key": playername.Key(p.Name), "formerNames": p.FormerNames,
			"skin": p.SkinImageURL, "color": p.SkinColor, "banned": p.Banned,
		})
		if err != nil {
			return fmt.Errorf("take player %s: %w", p.ID, err)
		}
		if tag.RowsAffected() == 0 || p.Removed {
			return nil
		}
		return renameAuthor(ctx, tx, p.ID, searchkey.Key(p.Name))
	})
	if err != nil || p.MergedInto == "" {
		return err
	}
	// Also where the copy is as new: an earlier try may have been cut off.
	return s.handOver(ctx, p.ID)
}

// renameAuthor changes by which name the maps of an author are searched.
func renameAuthor(ctx context.Context, tx pgx.Tx, authorID, key string) error {
	rows, err := tx.Query(ctx, mapsOfAuthorSQL, pgx.NamedArgs{"author": authorID, "key": key})
	if err != nil {
		return fmt.Errorf("maps of %s: %w", authorID, err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[indexed])
	if err != nil {
		return fmt.Errorf("maps of %s: %w", authorID, err)
	}
	for _, m := range found {
		if err := m.reindex(ctx, tx, authorID, key); err != nil {
			return err
		}
	}
	return nil
}

// indexed is what a map is searched by.
type indexed struct {
	ID        string
	GameMode  string
	Tags      []string
	SearchKey string
	Facets    []string
}

// reindex makes the map found as the author's.
func (m indexed) reindex(ctx context.Context, tx pgx.Tx, authorID, authorKey string) error {
	mode, _ := bonkmap.ModeNamed(m.GameMode)
	facets := facetsOf(parkourmap.Map{Mode: mode, AuthorID: authorID, Tags: m.Tags}, m.SearchKey, authorKey)
	const updateSQL = "update maps set author_id = @author, author_key = @key, facets = @facets where id = @id"
	_, err := tx.Exec(ctx, updateSQL, pgx.NamedArgs{"id": m.ID, "author": authorID, "key": authorKey, "facets": facets})
	if err != nil {
		return fmt.Errorf("search keys of map %s: %w", m.ID, err)
	}
	return recount(ctx, tx, m.Facets, facets)
}

// TakeRecords stores how many records a map has, by version. The map need not be
// known yet. Returns parkourmap.ErrNoID.
func (s *Store) TakeRecords(ctx context.Context, mapID string, version, records int64) error {
	const takeSQL = `
		insert into map_stats as c (map_id, version, records, listed)
		values (@id, @version, @records, exists (select from maps where id = @id and removed_at is null))
		on conflict (map_id) do update set version = excluded.version, records = excluded.records
		where c.version < excluded.version`
	if !event.IsID(mapID) {
		return parkourmap.ErrNoID
	}
	_, err := s.pool.Exec(ctx, takeSQL, pgx.NamedArgs{"id": mapID, "version": version, "records": records})
	if err != nil {
		return fmt.Errorf("record count of map %s: %w", mapID, err)
	}
	return nil
}
