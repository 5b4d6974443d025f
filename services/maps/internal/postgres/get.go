package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
)

const entrySQL = `select ` + entryColumns + ` from maps m ` + entryJoins + ` where m.id = @id and m.removed_at is null`

// Entry implements parkourmap.Queries.
func (s *Store) Entry(ctx context.Context, id string) (parkourmap.Entry, error) {
	if !event.IsID(id) {
		return parkourmap.Entry{}, parkourmap.ErrMapUnknown
	}
	rows, err := s.pool.Query(ctx, entrySQL, pgx.NamedArgs{"id": id})
	if err != nil {
		return parkourmap.Entry{}, fmt.Errorf("map %s: %w", id, err)
	}
	entry, err := pgx.CollectExactlyOneRow(rows, scanEntry)
	if errors.Is(err, pgx.ErrNoRows) {
		return parkourmap.Entry{}, parkourmap.ErrMapUnknown
	}
	if err != nil {
		return parkourmap.Entry{}, fmt.Errorf("map %s: %w", id, err)
	}
	return entry, nil
}

const byIDSQL = `select ` + mapColumns + ` from maps m where m.id = @id`

// ByID returns a map, removed or not, or parkourmap.ErrMapUnknown.
func (s *Store) ByID(ctx context.Context, id string) (parkourmap.Map, error) {
	if !event.IsID(id) {
		return parkourmap.Map{}, parkourmap.ErrMapUnknown
	}
	rows, err := s.pool.Query(ctx, byIDSQL, pgx.NamedArgs{"id": id})
	return collectMap(rows, err)
}

const byGameMapIDSQL = `select ` + mapColumns + ` from maps m where m.game_map_id = @id`

// ByGameMapID returns the map of the game map id, removed or not, or parkourmap.ErrMapUnknown.
func (s *Store) ByGameMapID(ctx context.Context, id int64) (parkourmap.Map, error) {
	rows, err := s.pool.Query(ctx, byGameMapIDSQL, pgx.NamedArgs{"id": id})
	return collectMap(rows, err)
}

func collectMap(rows pgx.Rows, err error) (parkourmap.Map, error) {
	if err != nil {
		return parkourmap.Map{}, fmt.Errorf("read a map: %w", err)
	}
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[mapRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return parkourmap.Map{}, parkourmap.ErrMapUnknown
	}
	if err != nil {
		return parkourmap.Map{}, fmt.Errorf("read a map: %w", err)
	}
	return row.toMap(), nil
}

const popularTagsSQL = `select tag from tag_counts where maps > 0 order by maps desc, tag limit @limit`

// PopularTags implements parkourmap.Queries.
func (s *Store) PopularTags(ctx context.Context, limit int) ([]string, error) {
	rows, err := s.pool.Query(ctx, popularTagsSQL, pgx.NamedArgs{"limit": limit})
	if err != nil {
		return nil, fmt.Errorf("popular tags: %w", err)
	}
	tags, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("popular tags: %w", err)
	}
	return tags, nil
}
