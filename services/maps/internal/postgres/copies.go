package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/searchkey"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	playerColumns   = "select id, version, removed, name, skin_image_url, skin_color, banned from players where not removed"
	playerSQL       = playerColumns + " and id = $1"
	playerNamedSQL  = playerColumns + " and name_key = $1 order by version desc limit 1"
	mapsOfAuthorSQL = `
		select id, game_mode, tags, search_key, facets from maps
		where author_id = @author and removed_at is null and author_key <> @key
		order by id for update`
)

// Player implements parkourmap.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (parkourmap.Player, error) {
	if !isID(id) {
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
		Name         string
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
// by the new name at once. A tombstone keeps the name for the maps that are left.
func (s *Store) TakePlayer(ctx context.Context, p parkourmap.Player) error {
	const upsertSQL = `
		insert into players as c (id, version, removed, name, name_key, skin_image_url, skin_color, banned)
		values (@id, @version, @removed, @name, @key, @skin, @color, @banned)
		on conflict (id) do update set
			version = excluded.version, removed = excluded.removed,
			name = case when excluded.removed then c.name else excluded.name end,
			name_key = case when excluded.removed then c.name_key else excluded.name_key end,
			skin_image_url = excluded.skin_image_url, skin_color = excluded.skin_color, banned = excluded.banned
		where c.version < excluded.version`
	if !isID(p.ID) {
		return parkourmap.ErrNoID
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, upsertSQL, pgx.NamedArgs{
			"id": p.ID, "version": p.Version, "removed": p.Removed, "name": p.Name, "key": playername.Key(p.Name),
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
	if !isID(mapID) {
		return parkourmap.ErrNoID
	}
	_, err := s.pool.Exec(ctx, takeSQL, pgx.NamedArgs{"id": mapID, "version": version, "records": records})
	if err != nil {
		return fmt.Errorf("record count of map %s: %w", mapID, err)
	}
	return nil
}
