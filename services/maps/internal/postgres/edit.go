package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	insertEditSQL = `
		insert into map_edits
			(id, map_id, at, editor_id, before, after, before_image_key, before_thumbnail_key, undoes, reason)
		values (@id, @map, @at, @editor, @before, @after, @image, @thumbnail, @undoes, @reason)`
	// deleteOldEditsSQL keeps the newest edits of a map, and selects the pictures of the others.
	deleteOldEditsSQL = `
		with deleted as (
			delete from map_edits where id = any (array(
				select id from map_edits where map_id = @map order by at desc, id desc offset @kept))
			returning before_image_key, before_thumbnail_key)
		select unnest(array_remove(array[before_image_key, before_thumbnail_key], null)) from deleted`
)

// Edit implements parkourmap.EditStore.
func (s *Store) Edit(ctx context.Context, planned parkourmap.PlannedEdit) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) (err error) {
		if planned.By.Actor.ID, err = copies.LockWriter(ctx, tx, planned.By.Actor.ID); err != nil {
			return err
		}
		before, err := lockGameMapOf(ctx, tx, planned.MapID)
		if err != nil {
			return err
		}
		var undone parkourmap.Edit
		if planned.Undoes != "" {
			// The edit is read after the map is locked: until then an edit can be deleted, or its texts.
			if undone, err = s.In(tx).FindEdit(ctx, planned.MapID, planned.Undoes); err != nil {
				return err
			}
		}
		after, edit, err := before.Edit(planned, undone)
		if err != nil {
			return err
		}
		if err := insertEdit(ctx, tx, edit); err != nil {
			return err
		}
		if err := saveChange(ctx, tx, before, after); err != nil {
			return err
		}
		return objectstore.Attach(ctx, tx, planned.Uploads...)
	})
}

// insertEdit stores an edit, and deletes the oldest ones of the map where there are too many, with their pictures.
func insertEdit(ctx context.Context, tx pgx.Tx, e parkourmap.Edit) error {
	var image, thumbnail string
	if slices.Contains(e.Fields(), parkourmap.PictureField) {
		image, thumbnail = e.Before.Image, e.Before.Thumbnail
	}
	_, err := tx.Exec(ctx, insertEditSQL, pgx.NamedArgs{
		"id": e.ID, "map": e.MapID, "at": e.At, "editor": e.EditorID, "before": e.Before, "after": e.After,
		"image": zeronull.Text(image), "thumbnail": zeronull.Text(thumbnail), "undoes": zeronull.Text(e.Undoes),
		"reason": e.Reason,
	})
	if err != nil {
		return fmt.Errorf("store an edit of map %s: %w", e.MapID, err)
	}
	released, err := postgres.Collect(ctx, tx, pgx.RowTo[string], deleteOldEditsSQL,
		pgx.NamedArgs{"map": e.MapID, "kept": parkourmap.MaxEdits})
	if err != nil {
		return fmt.Errorf("delete old edits of map %s: %w", e.MapID, err)
	}
	return objectstore.Release(ctx, tx, released...)
}

const editColumns = `e.id, e.map_id, e.at, e.editor_id, e.before, e.after, coalesce(e.undoes::text, ''), e.reason`

// scanEdit scans editColumns, and the columns after them to more.
func scanEdit(row pgx.Row, more ...any) (e parkourmap.Edit, err error) {
	targets := []any{&e.ID, &e.MapID, &e.At, &e.EditorID, &e.Before, &e.After, &e.Undoes, &e.Reason}
	return e, row.Scan(append(targets, more...)...)
}

const editsSQL = `
	select ` + editColumns + `, coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, '')
	from map_edits e left join players p on p.id = e.editor_id
	where e.map_id = @map
	order by e.at desc, e.id desc
	limit @limit`

// Edits implements parkourmap.EditStore.
func (s *Store) Edits(ctx context.Context, mapID string) ([]parkourmap.ListedEdit, error) {
	edits, err := postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (l parkourmap.ListedEdit, err error) {
		l.Edit, err = scanEdit(row, &l.Editor.Name, &l.Editor.SkinImageURL, &l.Editor.SkinColor)
		l.Editor.ID = l.EditorID
		return l, err
	}, editsSQL, pgx.NamedArgs{"map": mapID, "limit": parkourmap.MaxEdits})
	return edits, postgres.Wrap(err, "edits of map %s", mapID)
}

const editSQL = `select ` + editColumns + ` from map_edits e where e.id = @id and e.map_id = @map`

// FindEdit implements parkourmap.EditStore.
func (s *Store) FindEdit(ctx context.Context, mapID, editID string) (parkourmap.Edit, error) {
	e, err := scanEdit(s.db.QueryRow(ctx, editSQL, pgx.NamedArgs{"id": editID, "map": mapID}))
	return e, postgres.ReadError(err, parkourmap.ErrEditUnknown, "edit %s", editID)
}
