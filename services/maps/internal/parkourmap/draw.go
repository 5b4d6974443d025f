package parkourmap

import (
	"context"
	"errors"
	"fmt"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/mapimage"
	"capzone.dev/platform/access"
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

// Draw returns the drawing, as SVG, of the map in a replay that the caller may submit, in a mode as
// Submit has it. It returns the errors of Submitter.Submit that concern the replay and the map in it, or
// ErrMapTooComplex.
func (s *Submitter) Draw(ctx context.Context, by access.Actor, file []byte, mode bonkmap.Mode) ([]byte, error) {
	parsed, err := s.parse(ctx, by, access.PreviewDrawing, file, mode)
	if err != nil {
		return nil, err
	}
	return s.Parser.drawSVG(ctx, parsed.drawn())
}

// DueDrawings are the maps that an operator wants drawn again.
type DueDrawings interface {
	// DrawNext calls draw with the encoded form and the mode of one map that is due and stores the drawing, unless
	// the map was changed meanwhile. It returns false where no map is due, or where another replica draws one. A
	// map for which draw returns ErrUndrawable is not due any more, and the error is returned. After any other error the
	// map stays due.
	DrawNext(ctx context.Context, draw StoreDrawing) (bool, error)
	// SetDue makes a map due, or all maps where id is empty, and returns their number. It returns
	// ErrMapUnknown for an unknown or removed map.
	SetDue(ctx context.Context, id string) (int, error)
}

// StoreDrawing draws a map and stores the files. It returns their keys and uploads.
type StoreDrawing func(ctx context.Context, encoded string, mode bonkmap.Mode) (FileKeys, []storedfile.Upload, error)

// Drawer draws the maps that are due, in the background, and makes maps due.
type Drawer struct {
	Maps    DueDrawings
	Parser  *Parser
	Painter Painter
	Files   DrawingFiles
}

// SetDue has a map drawn again, or all maps where id is empty, and returns their number. It returns
// access.ErrForbidden, or ErrMapUnknown for an unknown or removed map.
func (d *Drawer) SetDue(ctx context.Context, by access.Actor, id string) (int, error) {
	if err := by.Require(access.DrawMap); err != nil {
		return 0, err
	}
	return d.Maps.SetDue(ctx, id)
}

// DrawNext draws one map that is due, as the service itself, and reports whether there was one. It returns an
// ErrUndrawable for a map that it will not try again.
func (d *Drawer) DrawNext(ctx context.Context) (bool, error) {
	if err := access.System(Service).Require(access.DrawMap); err != nil {
		return false, err
	}
	return d.Maps.DrawNext(ctx, d.draw)
}

// draw is a StoreDrawing.
func (d *Drawer) draw(
	ctx context.Context, encoded string, mode bonkmap.Mode,
) (FileKeys, []storedfile.Upload, error) {
	m, err := d.Parser.decode(ctx, encoded)
	if err != nil {
		return FileKeys{}, nil, err
	}
	m.Mode = mode // which the data need not have
	drawing, err := d.Parser.draw(ctx, d.Painter, m)
	if errors.Is(err, ErrMapTooComplex) {
		return FileKeys{}, nil, fmt.Errorf("%w: %w", ErrUndrawable, err)
	}
	if err != nil {
		return FileKeys{}, nil, err
	}
	return storeDrawing(ctx, d.Files, drawing)
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
