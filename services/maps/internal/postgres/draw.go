package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	nextDueSQL = `
		select m.id, d.encoded, m.game_mode from maps m join map_data d on d.map_id = m.id
		where m.drawing_due
		order by m.id limit 1`
	setUndrawableSQL = `update maps set drawing_due = false where id = @id`
)

// DrawNext implements parkourmap.DueDrawings. It draws outside of a transaction.
func (s *Store) DrawNext(ctx context.Context, draw parkourmap.StoreDrawing) (found bool, err error) {
	var id, encoded, modeName string
	err = s.db.QueryRow(ctx, nextDueSQL).Scan(&id, &encoded, &modeName)
	if err != nil {
		return false, postgres.ReadError(err, nil, "map to draw")
	}
	lock, ok, err := postgres.TryLock(ctx, s.pool, "draw maps")
	if err != nil || !ok {
		return false, err
	}
	defer lock.Unlock()
	mode, _ := bonkmap.ModeNamed(modeName)
	keys, uploads, err := draw(ctx, encoded, mode)
	if errors.Is(err, parkourmap.ErrUndrawable) {
		if _, err := s.db.Exec(ctx, setUndrawableSQL, pgx.NamedArgs{"id": id}); err != nil {
			return true, fmt.Errorf("mark map %s as undrawable: %w", id, err)
		}
		return true, err
	}
	if err != nil {
		return true, fmt.Errorf("draw map %s: %w", id, err)
	}
	err = s.db.InTx(ctx, func(tx pgx.Tx) error { return setDrawing(ctx, tx, id, encoded, keys, uploads) })
	return true, postgres.Wrap(err, "store the drawing of map %s", id)
}

const isDueSQL = `
	select exists (
		select from maps m join map_data d on d.map_id = m.id
		where m.id = @id and m.drawing_due and d.encoded = @encoded)`

// setDrawing stores the drawing of the encoded map, unless the map was changed while it was drawn.
func setDrawing(
	ctx context.Context, tx pgx.Tx, id, encoded string, keys parkourmap.FileKeys, uploads []storedfile.Upload,
) error {
	before, err := lockGameMapOf(ctx, tx, id)
	if err != nil {
		return err
	}
	var due bool
	err = tx.QueryRow(ctx, isDueSQL, pgx.NamedArgs{"id": id, "encoded": encoded}).Scan(&due)
	if err != nil || !due {
		return err
	}
	if err := objectstore.Attach(ctx, tx, uploads...); err != nil {
		return err
	}
	return saveVersions(ctx, tx, before, before.SetDrawing(id, keys))
}

const setDueSQL = `
	update maps set drawing_due = true
	where id in (
		select id from maps
		where @id::uuid is null or id = @id::uuid
		order by game_map_id, map_version -- as lockGameMap locks them
		for update)`

// SetDue implements parkourmap.DueDrawings.
func (s *Store) SetDue(ctx context.Context, id string) (int, error) {
	args := pgx.NamedArgs{"id": nil}
	if id != "" {
		args["id"] = id
	}
	tag, err := s.db.Exec(ctx, setDueSQL, args)
	switch {
	case err != nil:
		return 0, fmt.Errorf("draw maps again: %w", err)
	case id != "" && tag.RowsAffected() == 0:
		return 0, parkourmap.ErrMapUnknown
	}
	return int(tag.RowsAffected()), nil
}
