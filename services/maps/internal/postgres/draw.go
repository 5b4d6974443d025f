package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	// lockDrawingSQL makes the replicas draw one map at a time. The lock ends with the transaction,
	// also where the process is killed.
	lockDrawingSQL = `select pg_try_advisory_xact_lock(hashtextextended('draw maps', 0))`
	nextDueSQL     = `
		select m.id, d.encoded from maps m join map_data d on d.map_id = m.id
		where m.drawing_due and m.removed_at is null
		order by m.id limit 1`
	setDrawnSQL = `
		update maps set drawing_due = false, version = @version, drawing_key = @drawing_key,
			picture_key = @picture_key, picture_thumbnail_key = @picture_thumbnail_key,
			picture_bucket = @picture_bucket
		where id = @id`
	setUndrawableSQL = `update maps set drawing_due = false where id = @id`
)

// DrawNext implements parkourmap.DueDrawings.
func (s *Store) DrawNext(ctx context.Context, draw parkourmap.StoreDrawing) (found bool, err error) {
	var undrawable *parkourmap.UndrawableError
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var locked bool
		if err := tx.QueryRow(ctx, lockDrawingSQL).Scan(&locked); err != nil || !locked {
			return err
		}
		var id, encoded string
		err := tx.QueryRow(ctx, nextDueSQL).Scan(&id, &encoded)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		found = true
		keys, uploads, err := draw(ctx, encoded)
		if errors.As(err, &undrawable) {
			_, err := tx.Exec(ctx, setUndrawableSQL, pgx.NamedArgs{"id": id})
			return err
		}
		if err != nil {
			return err
		}
		return setDrawing(ctx, tx, id, encoded, keys, uploads)
	})
	if err != nil {
		return found, fmt.Errorf("draw a map: %w", err)
	}
	if undrawable != nil {
		return found, undrawable
	}
	return found, nil
}

const isDueSQL = `
	select exists (
		select from maps m join map_data d on d.map_id = m.id
		where m.id = @id and m.drawing_due and m.removed_at is null and d.encoded = @encoded)`

// setDrawing stores the drawing of the encoded map, unless the map was changed or removed while it
// was drawn.
func setDrawing(
	ctx context.Context, tx pgx.Tx, id, encoded string, keys parkourmap.FileKeys, uploads []objectstore.Upload,
) error {
	args := pgx.NamedArgs{"id": id, "encoded": encoded}
	if _, err := tx.Exec(ctx, lockGameMapOfSQL, args); err != nil {
		return fmt.Errorf("lock the versions of map %s: %w", id, err)
	}
	var due bool
	if err := tx.QueryRow(ctx, isDueSQL, args).Scan(&due); err != nil || !due {
		return err
	}
	if err := claim(ctx, tx, uploads); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, lockMapSQL, args)
	m, err := collectMap(rows, err)
	if err != nil {
		return err
	}
	before := parkourmap.FileKeys{
		Drawing: m.Files.Drawing, Picture: m.Files.Picture, PictureThumbnail: m.Files.PictureThumbnail,
	}
	if err := releasePictures(ctx, tx, before); err != nil {
		return err
	}
	m.Version++
	m.Files.Drawing, m.Files.Picture = keys.Drawing, keys.Picture
	m.Files.PictureThumbnail, m.Files.PictureBucket = keys.PictureThumbnail, keys.PictureBucket
	if _, err := tx.Exec(ctx, setDrawnSQL, mapArgs(m)); err != nil {
		return fmt.Errorf("store the drawing of map %s: %w", id, err)
	}
	return outbox.Append(ctx, tx, m.State())
}

const setDueSQL = `
	update maps set drawing_due = true
	where removed_at is null and (@id::uuid is null or id = @id::uuid)`

// SetDue implements parkourmap.DueDrawings.
func (s *Store) SetDue(ctx context.Context, id string) (int, error) {
	args := pgx.NamedArgs{"id": nil}
	if id != "" {
		if !event.IsID(id) {
			return 0, parkourmap.ErrMapUnknown
		}
		args["id"] = id
	}
	tag, err := s.pool.Exec(ctx, setDueSQL, args)
	switch {
	case err != nil:
		return 0, fmt.Errorf("draw maps again: %w", err)
	case id != "" && tag.RowsAffected() == 0:
		return 0, parkourmap.ErrMapUnknown
	}
	return int(tag.RowsAffected()), nil
}
