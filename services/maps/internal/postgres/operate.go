package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Remove implements parkourmap.Corrections.
func (s *Store) Remove(ctx context.Context, id string, by parkourmap.Attribution) error {
	return s.change(ctx, id, "", func(ctx context.Context, tx pgx.Tx, m *parkourmap.Map, search indexed) error {
		if m.Removed {
			return parkourmap.ErrRemovedAlready
		}
		const removeSQL = `
			update maps set removed_at = @at, image_key = null, thumbnail_key = null, facets = '{}' where id = @id`
		if _, err := tx.Exec(ctx, removeSQL, pgx.NamedArgs{"id": m.ID, "at": m.UpdatedAt}); err != nil {
			return fmt.Errorf("remove map %s: %w", m.ID, err)
		}
		if _, err := tx.Exec(ctx, "update map_stats set listed = false where map_id = $1", m.ID); err != nil {
			return fmt.Errorf("unlist map %s: %w", m.ID, err)
		}
		for _, key := range []string{m.Files.Image, m.Files.Thumbnail} {
			if err := objectstore.Release(ctx, tx, key); err != nil {
				return err
			}
		}
		if err := recount(ctx, tx, search.Facets, nil); err != nil {
			return err
		}
		m.Removed = true
		if err := outbox.Append(ctx, tx, event.MapRemoved{MapID: m.ID, Reason: by.Reason}); err != nil {
			return err
		}
		return postgres.AppendAudit(ctx, tx, postgres.AuditEntry{
			Actor: by.Operator, Action: "remove map", Subject: m.ID, Reason: by.Reason,
			Details: map[string]any{"name": m.Name, "bonkDbId": m.BonkDBID},
		})
	})
}

// Reassign implements parkourmap.Corrections.
func (s *Store) Reassign(ctx context.Context, id string, author parkourmap.Player, by parkourmap.Attribution) error {
	return s.change(ctx, id, author.ID, func(ctx context.Context, tx pgx.Tx, m *parkourmap.Map, search indexed) error {
		switch {
		case m.Removed:
			return parkourmap.ErrMapUnknown
		case m.AuthorID == author.ID:
			return parkourmap.ErrAuthorAlready
		}
		key, err := authorKey(ctx, tx, author.ID)
		if err != nil {
			return err
		}
		if err := search.reindex(ctx, tx, author.ID, key); err != nil {
			return err
		}
		before := m.AuthorID
		m.AuthorID = author.ID
		if err := outbox.Append(ctx, tx, event.MapReassigned{
			MapID: m.ID, OldAuthorID: before, NewAuthorID: author.ID, Reason: by.Reason,
		}); err != nil {
			return err
		}
		return postgres.AppendAudit(ctx, tx, postgres.AuditEntry{
			Actor: by.Operator, Action: "reassign map", Subject: m.ID, Reason: by.Reason,
			Details: map[string]any{"oldAuthorId": before, "newAuthorId": author.ID, "newAuthor": author.Name},
		})
	})
}

// change locks a map, raises its version, lets fn change what else there is, and
// tells the new state. The player whom the map comes to or goes from, if any, is
// locked before it, as wherever a player's maps change.
func (s *Store) change(ctx context.Context, id, player string, fn func(context.Context, pgx.Tx, *parkourmap.Map, indexed) error) error {
	if !event.IsID(id) {
		return parkourmap.ErrMapUnknown
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if player != "" {
			if _, err := owner(ctx, tx, player); err != nil {
				return err
			}
		}
		m, search, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		m.Version++
		m.UpdatedAt = time.Now().UTC().Truncate(time.Millisecond)
		if err := fn(ctx, tx, &m, search); err != nil {
			return err
		}
		const raiseSQL = "update maps set version = @version, updated_at = @at where id = @id"
		if _, err := tx.Exec(ctx, raiseSQL, pgx.NamedArgs{"id": m.ID, "version": m.Version, "at": m.UpdatedAt}); err != nil {
			return fmt.Errorf("version of map %s: %w", m.ID, err)
		}
		return outbox.Append(ctx, tx, m.State())
	})
}

// lock returns a map whose row nobody else changes until the end of tx.
func lock(ctx context.Context, tx pgx.Tx, id string) (parkourmap.Map, indexed, error) {
	var (
		row    mapRow
		search indexed
	)
	err := tx.QueryRow(ctx, "select "+mapColumns+", m.search_key, m.facets from maps m where m.id = $1 for update", id).
		Scan(append(row.targets(), &search.SearchKey, &search.Facets)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return parkourmap.Map{}, indexed{}, parkourmap.ErrMapUnknown
	}
	if err != nil {
		return parkourmap.Map{}, indexed{}, fmt.Errorf("lock map %s: %w", id, err)
	}
	search.ID, search.GameMode, search.Tags = row.ID, row.GameMode, row.Tags
	return row.toMap(), search, nil
}
