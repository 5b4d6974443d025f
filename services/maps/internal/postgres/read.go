package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	entrySQL      = "select " + entryColumns + " from maps m" + entryTables + " where m.id = $1 and m.removed_at is null"
	byIDSQL       = "select " + mapColumns + " from maps m where m.id = $1"
	byBonkDBIDSQL = "select " + mapColumns + " from maps m where m.bonk_db_id = $1"
)

// Entry implements parkourmap.Catalogue.
func (s *Store) Entry(ctx context.Context, id string) (parkourmap.Entry, error) {
	if !event.IsID(id) {
		return parkourmap.Entry{}, parkourmap.ErrMapUnknown
	}
	var row entryRow
	err := s.pool.QueryRow(ctx, entrySQL, id).Scan(row.targets()...)
	if errors.Is(err, pgx.ErrNoRows) {
		return parkourmap.Entry{}, parkourmap.ErrMapUnknown
	}
	if err != nil {
		return parkourmap.Entry{}, fmt.Errorf("map %s: %w", id, err)
	}
	return row.toEntry(), nil
}

// ByID returns a map, removed or not, or parkourmap.ErrMapUnknown.
func (s *Store) ByID(ctx context.Context, id string) (parkourmap.Map, error) {
	if !event.IsID(id) {
		return parkourmap.Map{}, parkourmap.ErrMapUnknown
	}
	return s.one(ctx, byIDSQL, id)
}

// ByBonkDBID returns the map of the game's id, removed or not, or parkourmap.ErrMapUnknown.
func (s *Store) ByBonkDBID(ctx context.Context, bonkDBID int64) (parkourmap.Map, error) {
	return s.one(ctx, byBonkDBIDSQL, bonkDBID)
}

func (s *Store) one(ctx context.Context, sql string, id any) (parkourmap.Map, error) {
	var row mapRow
	err := s.pool.QueryRow(ctx, sql, id).Scan(row.targets()...)
	if errors.Is(err, pgx.ErrNoRows) {
		return parkourmap.Map{}, parkourmap.ErrMapUnknown
	}
	if err != nil {
		return parkourmap.Map{}, fmt.Errorf("map %v: %w", id, err)
	}
	return row.toMap(), nil
}

const tagsSQL = `
	select substr(facet, length('tag:') + 1) from search_totals
	where starts_with(facet, 'tag:') and maps > 0
	order by maps desc, facet
	limit $1`

// PopularTags implements parkourmap.Catalogue.
func (s *Store) PopularTags(ctx context.Context, limit int) ([]string, error) {
	rows, err := s.pool.Query(ctx, tagsSQL, limit)
	if err != nil {
		return nil, fmt.Errorf("popular tags: %w", err)
	}
	tags, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("popular tags: %w", err)
	}
	return tags, nil
}
