package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

const nextDueSQL = `
	select m.id, m.updated_at, m.game_mode, d.encoded from maps m join map_data d on d.map_id = m.id
	where m.drawing_due
	order by m.id limit 1`

// NextDue implements parkourmap.DrawingStore.
func (s *Store) NextDue(ctx context.Context) (due parkourmap.DueMap, err error) {
	var mode string
	err = s.db.QueryRow(ctx, nextDueSQL).Scan(&due.ID, &due.UpdatedAt, &mode, &due.Encoded)
	due.Mode, _ = bonkmap.ModeNamed(mode)
	return due, postgres.ReadError(err, nil, "map to draw")
}

// LockDrawing implements parkourmap.DrawingStore.
func (s *Store) LockDrawing(ctx context.Context) (unlock func(), ok bool, err error) {
	lock, ok, err := postgres.TryLock(ctx, s.pool, "draw maps")
	if err != nil || !ok {
		return nil, false, err
	}
	return lock.Unlock, true, nil
}

// SetDrawing implements parkourmap.DrawingStore.
func (s *Store) SetDrawing(ctx context.Context, drawn parkourmap.DrawnMap) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		before, err := lockGameMapOf(ctx, tx, drawn.ID)
		if err != nil {
			return err
		}
		after, ok := before.SetDrawing(drawn)
		if !ok {
			return nil
		}
		if err := saveVersions(ctx, tx, before, after); err != nil {
			return err
		}
		return objectstore.Attach(ctx, tx, drawn.Uploads...)
	})
	return postgres.Wrap(err, "store the drawing of map %s", drawn.ID)
}

const setUndrawableSQL = `update maps set drawing_due = false where id = @id`

// SetUndrawable implements parkourmap.DrawingStore.
func (s *Store) SetUndrawable(ctx context.Context, id string) error {
	_, err := s.db.Exec(ctx, setUndrawableSQL, pgx.NamedArgs{"id": id})
	return postgres.Wrap(err, "mark map %s as undrawable", id)
}

const setDueSQL = `
	update maps set drawing_due = true
	where id in (
		select id from maps
		where @id::uuid is null or id = @id::uuid
		order by game_map_id, map_version -- as lockGameMap locks them
		for update)`

// SetDue implements parkourmap.DrawingStore.
func (s *Store) SetDue(ctx context.Context, id string) (int, error) {
	tag, err := s.db.Exec(ctx, setDueSQL, pgx.NamedArgs{"id": zeronull.Text(id)})
	switch {
	case err != nil:
		return 0, fmt.Errorf("draw maps again: %w", err)
	case id != "" && tag.RowsAffected() == 0:
		return 0, parkourmap.ErrMapUnknown
	}
	return int(tag.RowsAffected()), nil
}
