package parkourmap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/mapimage"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/storedfile"
)

// Drawing is the drawing of a map in the forms in which it is stored.
type Drawing struct {
	SVG []byte
	// Picture and Thumbnail are the same as WebP, of 1200×630 and 480×320 pixels.
	Picture, Thumbnail []byte
}

// Painter paints drawings.
type Painter interface {
	// Paint returns the drawing of a map as WebP. Pictures wait for each other; after too long a wait it returns a problem
	// of kind unavailable. It returns the errors of mapimage.Image.
	Paint(ctx context.Context, m *bonkmap.Map) (picture, thumbnail []byte, err error)
}

// DrawingFiles stores the files of drawings, as Files does.
type DrawingFiles interface {
	PutDrawing(ctx context.Context, d Drawing) (svg, picture, thumbnail storedfile.Upload, err error)
	// Bucket is where the records service reads the picture.
	Bucket() string
}

// draw returns the drawing of a map, a problem of kind unavailable, or ErrMapTooComplex.
func (p *Parser) draw(ctx context.Context, painter Painter, m *bonkmap.Map) (Drawing, error) {
	svg, err := p.drawSVG(ctx, m)
	if err != nil {
		return Drawing{}, err
	}
	picture, thumbnail, err := painter.Paint(ctx, m)
	if err != nil {
		return Drawing{}, explainLimit(err)
	}
	return Drawing{SVG: svg, Picture: picture, Thumbnail: thumbnail}, nil
}

// drawSVG returns the drawing of a map as SVG, or ErrMapTooComplex.
func (p *Parser) drawSVG(ctx context.Context, m *bonkmap.Map) ([]byte, error) {
	if err := p.slots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer p.slots.Release(1)
	svg, err := mapimage.SVG(m)
	return svg, explainLimit(err)
}

// explainLimit returns ErrMapTooComplex with a sentence that names the limit for the errors of
// package mapimage. Other errors stay as they are.
func explainLimit(err error) error {
	var limit *mapimage.LimitError
	switch {
	case errors.As(err, &limit):
		return ErrMapTooComplex.WithMessage("",
			fmt.Sprintf("The map has more than %d %s. A map with so many cannot be drawn.", limit.Max, limit.Part)).Wrap(err)
	case errors.Is(err, mapimage.ErrOverlaps):
		return ErrMapTooComplex.WithMessage("shapes_overlap", "The shapes of the map cover each other too often to be drawn.").Wrap(err)
	}
	return err
}

// storeDrawing stores a drawing and returns the keys of its files.
func storeDrawing(ctx context.Context, files DrawingFiles, d Drawing) (FileKeys, []storedfile.Upload, error) {
	svg, picture, thumbnail, err := files.PutDrawing(ctx, d)
	if err != nil {
		return FileKeys{}, nil, err
	}
	return FileKeys{
		Drawing: svg.Key, Picture: picture.Key, PictureThumbnail: thumbnail.Key,
		PictureBucket: files.Bucket(),
	}, []storedfile.Upload{svg, picture, thumbnail}, nil
}

// Draw returns the drawing, as SVG, of the map in a replay that the caller may submit, in a mode as Submit has it, or
// Classic. It returns the errors of Submitter.Submit that concern the replay and the map in it, or ErrMapTooComplex.
func (s *Submitter) Draw(ctx context.Context, by access.Actor, file []byte, mode bonkmap.Mode) ([]byte, error) {
	parsed, err := s.parse(ctx, access.Attribution{Actor: by}, access.PreviewDrawing, file, cmp.Or(mode, bonkmap.Classic))
	if err != nil {
		return nil, err
	}
	return s.Parser.drawSVG(ctx, parsed.drawn())
}

// DueMap is a map that is to be drawn.
type DueMap struct {
	ID string
	// UpdatedAt is that of the map as it was read.
	UpdatedAt time.Time
	// Mode is the mode of the leaderboard, which the data need not have.
	Mode bonkmap.Mode
	// Encoded is the map in the game's format.
	Encoded string
}

// DrawnMap is a map that was due, with its stored drawing.
type DrawnMap struct {
	DueMap
	Drawing FileKeys
	Uploads []storedfile.Upload
}

// DrawingStore stores drawings of maps.
type DrawingStore interface {
	// NextDue returns a map that is due. The id is empty where none is.
	NextDue(ctx context.Context) (DueMap, error)
	// LockDrawing takes the lock that one process has at a time while it draws a map. It reports false where another has
	// it.
	LockDrawing(ctx context.Context) (unlock func(), ok bool, err error)
	// SetDrawing locks the game map, stores what Versions.SetDrawing returns and attaches the uploads, in one transaction.
	SetDrawing(ctx context.Context, drawn DrawnMap) error
	// SetUndrawable makes a map due no more.
	SetUndrawable(ctx context.Context, id string) error
	// SetDue makes a map due, or all maps where id is empty, and returns their number. It returns ErrMapUnknown.
	SetDue(ctx context.Context, id string) (int, error)
}

// Drawer draws the maps that are due, in the background, and makes maps due.
type Drawer struct {
	Maps    DrawingStore
	Players *Players
	Parser  *Parser
	Painter Painter
	Files   DrawingFiles
}

// SetDue has a map drawn again, or all maps where id is empty, and returns their number. It returns
// access.ErrForbidden or ErrMapUnknown.
func (d *Drawer) SetDue(ctx context.Context, by access.Attribution, id string) (int, error) {
	if _, _, err := access.Authorize(ctx, by, access.DrawMap, d.Players.Get); err != nil {
		return 0, err
	}
	if id != "" && !event.IsID(id) {
		return 0, ErrMapUnknown
	}
	return d.Maps.SetDue(ctx, id)
}

// DrawNext draws one map that is due, as the service itself. It reports false where no map is due, or where another
// replica draws one. It returns ErrUndrawable for a map that is not due any more, because it cannot be drawn. After any
// other error the map stays due.
func (d *Drawer) DrawNext(ctx context.Context) (bool, error) {
	by := access.Attribution{Actor: access.System(Service)}
	if _, _, err := access.Authorize(ctx, by, access.DrawMap, d.Players.Get); err != nil {
		return false, err
	}
	due, err := d.Maps.NextDue(ctx)
	if err != nil || due.ID == "" {
		return false, err
	}
	unlock, ok, err := d.Maps.LockDrawing(ctx)
	if err != nil || !ok {
		return false, err
	}
	defer unlock()
	drawn, err := d.draw(ctx, due)
	switch {
	case errors.Is(err, ErrUndrawable):
		return true, cmp.Or(d.Maps.SetUndrawable(ctx, due.ID), fmt.Errorf("draw map %s: %w", due.ID, err))
	case err != nil:
		return true, fmt.Errorf("draw map %s: %w", due.ID, err)
	}
	return true, d.Maps.SetDrawing(ctx, drawn)
}

// draw draws a map and stores the files. It returns ErrUndrawable, or a problem of kind unavailable.
func (d *Drawer) draw(ctx context.Context, due DueMap) (DrawnMap, error) {
	m, err := d.Parser.decode(ctx, due.Encoded)
	if err != nil {
		return DrawnMap{}, err
	}
	m.Mode = due.Mode
	drawing, err := d.Parser.draw(ctx, d.Painter, m)
	if errors.Is(err, ErrMapTooComplex) {
		return DrawnMap{}, fmt.Errorf("%w: %w", ErrUndrawable, err)
	}
	if err != nil {
		return DrawnMap{}, err
	}
	keys, uploads, err := storeDrawing(ctx, d.Files, drawing)
	return DrawnMap{due, keys, uploads}, err
}

// SetDrawing returns the versions after one was drawn, and false where that was changed meanwhile, or submitted again
// with a drawing.
func (v Versions) SetDrawing(drawn DrawnMap) (Versions, bool) {
	i := v.find(drawn.ID)
	if i < 0 || !v[i].DrawingDue || !v[i].UpdatedAt.Equal(drawn.UpdatedAt) {
		return v, false
	}
	after := slices.Clone(v)
	m := &after[i]
	m.Files.Drawing, m.Files.Picture = drawn.Drawing.Drawing, drawn.Drawing.Picture
	m.Files.PictureThumbnail, m.Files.PictureBucket = drawn.Drawing.PictureThumbnail, drawn.Drawing.PictureBucket
	m.DrawingDue = false
	return after, true
}

// decode decodes a stored map, or returns ErrUndrawable.
func (p *Parser) decode(ctx context.Context, encoded string) (*bonkmap.Map, error) {
	if err := p.slots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer p.slots.Release(1)
	m, err := bonkmap.Decode(encoded)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUndrawable, err)
	}
	return m, nil
}
