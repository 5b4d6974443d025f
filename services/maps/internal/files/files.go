// Package files renders the images of maps and stores them with the replays in the service's
// bucket, under the hash of their content.
package files

import (
	"context"
	"image"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/mapimage"
	"capzone.dev/platform/imaging"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/maps/internal/parkourmap"
)

// The keys in the bucket. Both sizes of a picture have the hash of the full size.
const (
	imagePrefix     = "maps"
	replayPrefix    = "replays"
	fullSuffix      = ".webp"
	thumbnailSuffix = "-480.webp"
	drawingSuffix   = ".svg"
	replaySuffix    = ".lbReplay"
)

// Files is the bucket of the maps service.
type Files struct {
	*objectstore.Store
	uploads *objectstore.Uploads
}

// New returns the files in store, whose pending uploads are recorded in the database of pool.
func New(store *objectstore.Store, pool *postgres.Pool) *Files {
	return &Files{store, objectstore.NewUploads(store, pool)}
}

// PutReplay implements parkourmap.Files.
func (f *Files) PutReplay(ctx context.Context, replay []byte) (storedfile.Upload, error) {
	return f.uploads.Put(ctx, objectstore.Key(replayPrefix, replay, replaySuffix), "application/octet-stream", replay)
}

// PutImages implements parkourmap.Files.
func (f *Files) PutImages(
	ctx context.Context, full, thumbnail []byte,
) (fullFile, thumbnailFile storedfile.Upload, err error) {
	fullFile, err = f.uploads.Put(ctx, objectstore.Key(imagePrefix, full, fullSuffix), "image/webp", full)
	if err != nil {
		return fullFile, thumbnailFile, err
	}
	thumbnailFile, err = f.uploads.Put(ctx, objectstore.Key(imagePrefix, full, thumbnailSuffix), "image/webp", thumbnail)
	return fullFile, thumbnailFile, err
}

// PutDrawing implements parkourmap.Files.
func (f *Files) PutDrawing(
	ctx context.Context, d parkourmap.Drawing,
) (svg, picture, thumbnail storedfile.Upload, err error) {
	svg, err = f.uploads.Put(ctx, objectstore.Key(imagePrefix, d.SVG, drawingSuffix), "image/svg+xml", d.SVG)
	if err != nil {
		return svg, picture, thumbnail, err
	}
	picture, thumbnail, err = f.PutImages(ctx, d.Picture, d.Thumbnail)
	return svg, picture, thumbnail, err
}

// The widths of an image's sizes, in pixels.
const (
	fullWidth      = 1600
	thumbnailWidth = 480
)

// uploadLimit bounds uploaded images.
var uploadLimit = imaging.Limit{Bytes: parkourmap.MaxImageSize, Width: 4096, Height: 4096}

// imageField is the form's field of the image.
const imageField = "mapImage"

// Images renders uploaded images. It implements parkourmap.Images.
type Images struct{ renderer *imaging.Renderer }

// NewImages returns the service's renderer of images.
func NewImages() *Images {
	return &Images{imaging.NewRenderer(uploadLimit, fullWidth, thumbnailWidth)}
}

// Check implements parkourmap.Images.
func (i *Images) Check(image []byte) error {
	return imaging.WithField(i.renderer.Check(image), imageField)
}

// Render implements parkourmap.Images.
func (i *Images) Render(ctx context.Context, image []byte) (full, thumbnail []byte, err error) {
	sizes, err := i.renderer.Render(ctx, image)
	if err != nil {
		return nil, nil, imaging.WithField(err, imageField)
	}
	return sizes[0].WebP, sizes[1].WebP, nil
}

// The sizes of a painted drawing, in pixels.
var paintedSizes = []image.Point{{X: 1200, Y: 630}, {X: 480, Y: 320}}

// Paint implements parkourmap.Painter.
func (i *Images) Paint(ctx context.Context, m *bonkmap.Map) (picture, thumbnail []byte, err error) {
	painted, err := i.renderer.Paint(ctx, paintedSizes, func(size image.Point) (image.Image, error) {
		return mapimage.Image(m, size.X, size.Y)
	})
	if err != nil {
		return nil, nil, err
	}
	return painted[0].WebP, painted[1].WebP, nil
}
