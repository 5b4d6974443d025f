package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

const removeMapSQL = `
	update maps set removed_at = @updated_at, image_key = null, thumbnail_key = null,
		drawing_key = null, picture_key = null, picture_thumbnail_key = null, picture_bucket = null
	where id = @id`

// Remove implements parkourmap.Editor.
func (s *Store) Remove(ctx context.Context, id string, by parkourmap.Attribution) error {
	return s.edit(ctx, id, "", func(tx pgx.Tx, m *parkourmap.Map) error {
		if m.Removed {
			return parkourmap.ErrAlreadyRemoved
		}
		if _, err := tx.Exec(ctx, removeMapSQL, mapArgs(*m)); err != nil {
			return fmt.Errorf("remove map %s: %w", m.ID, err)
		}
		if err := supersede(ctx, tx, m.GameMapID, m.UpdatedAt); err != nil {
			return err
		}
		if err := releasePictures(ctx, tx, m.Files); err != nil {
			return err
		}
		m.Removed = true
		if err := outbox.Append(ctx, tx, event.MapRemoved{MapID: m.ID, Reason: by.Reason}); err != nil {
			return err
		}
		return postgres.AppendAudit(ctx, tx, postgres.AuditEntry{
			Actor: by.Operator, Action: "remove map", Subject: m.ID, Reason: by.Reason,
			Details: map[string]any{"name": m.Name, "bonkDbId": m.GameMapID},
		})
	})
}

// releasePictures lets the sweeper remove a map's files, except for the replay.
func releasePictures(ctx context.Context, tx pgx.Tx, files parkourmap.FileKeys) error {
	for _, key := range []string{
		files.Image, files.Thumbnail, files.Drawing, files.Picture, files.PictureThumbnail,
	} {
		if key == "" {
			continue
		}
		if err := objectstore.Release(ctx, tx, key); err != nil {
			return err
		}
	}
	return nil
}

const otherVersionsSQL = `
	select ` + mapColumns + ` from maps m
	where m.game_map_id = @game_map_id and m.author_id = @author_id and m.id <> @id and m.removed_at is null
	order by m.map_version`

// Reassign implements parkourmap.Editor.
func (s *Store) Reassign(ctx context.Context, id string, author parkourmap.Player, by parkourmap.Attribution) error {
	return s.edit(ctx, id, author.ID, func(tx pgx.Tx, m *parkourmap.Map) error {
		switch {
		case m.Removed:
			return parkourmap.ErrMapUnknown
		case m.AuthorID == author.ID:
			return parkourmap.ErrAlreadyAuthor
		}
		if err := lockPlayers(ctx, tx, author.ID); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, otherVersionsSQL, mapArgs(*m))
		if err != nil {
			return fmt.Errorf("other versions of map %s: %w", m.ID, err)
		}
		others, err := pgx.CollectRows(rows, pgx.RowToStructByName[mapRow])
		if err != nil {
			return fmt.Errorf("other versions of map %s: %w", m.ID, err)
		}
		for _, row := range others {
			other := row.toMap()
			other.Version, other.UpdatedAt = other.Version+1, m.UpdatedAt
			if err := reassign(ctx, tx, &other, author, by); err != nil {
				return err
			}
			if err := saveEdit(ctx, tx, other); err != nil {
				return err
			}
		}
		return reassign(ctx, tx, m, author, by)
	})
}

// reassign changes the author of m, and appends the fact and the entry of the audit log.
func reassign(
	ctx context.Context, tx pgx.Tx, m *parkourmap.Map, author parkourmap.Player, by parkourmap.Attribution,
) error {
	oldAuthor := m.AuthorID
	m.AuthorID = author.ID
	if err := outbox.Append(ctx, tx, event.MapReassigned{
		MapID: m.ID, OldAuthorID: oldAuthor, NewAuthorID: author.ID, Reason: by.Reason,
	}); err != nil {
		return err
	}
	return postgres.AppendAudit(ctx, tx, postgres.AuditEntry{
		Actor: by.Operator, Action: "reassign map", Subject: m.ID, Reason: by.Reason,
		Details: map[string]any{"oldAuthorId": oldAuthor, "newAuthorId": author.ID, "newAuthor": author.Name},
	})
}

const (
	lockMapSQL   = `select ` + mapColumns + ` from maps m where m.id = @id for update`
	updateMapSQL = `
		update maps set version = @version, updated_at = @updated_at,
			author_id = @author_id, submitted_by_id = @submitted_by_id
		where id = @id`
)

// edit locks a map and its game map, calls change, and stores the map's version, author and
// submitter with its state event. The player to or from whom the map goes, if any, is locked before
// the map, as in every transaction that locks both.
func (s *Store) edit(ctx context.Context, id, player string, change func(pgx.Tx, *parkourmap.Map) error) error {
	if !event.IsID(id) {
		return parkourmap.ErrMapUnknown
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if player != "" {
			if _, err := lockMergedInto(ctx, tx, player); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, lockGameMapOfSQL, pgx.NamedArgs{"id": id}); err != nil {
			return fmt.Errorf("lock the versions of map %s: %w", id, err)
		}
		rows, err := tx.Query(ctx, lockMapSQL, pgx.NamedArgs{"id": id})
		m, err := collectMap(rows, err)
		if err != nil {
			return err
		}
		m.Version++
		m.UpdatedAt = time.Now().UTC().Truncate(time.Millisecond)
		if err := change(tx, &m); err != nil {
			return err
		}
		return saveEdit(ctx, tx, m)
	})
}

// saveEdit stores the version, the author and the submitter of m, and appends its state.
func saveEdit(ctx context.Context, tx pgx.Tx, m parkourmap.Map) error {
	if _, err := tx.Exec(ctx, updateMapSQL, mapArgs(m)); err != nil {
		return fmt.Errorf("update map %s: %w", m.ID, err)
	}
	return outbox.Append(ctx, tx, m.State())
}
