// Package files renders the images of maps and stores them with the replays in the service's
// bucket, under the hash of their content.
package files

import (
	"context"

	"capzone.dev/platform/imaging"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
)

// The keys in the bucket. Both sizes of an image have the hash of the full size.
const (
	imagePrefix     = "maps"
	replayPrefix    = "replays"
	fullSuffix      = ".webp"
	thumbnailSuffix = "-480.webp"
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
func (f *Files) PutReplay(ctx context.Context, replay []byte) (objectstore.Upload, error) {
	return f.uploads.Put(ctx, objectstore.Key(replayPrefix, replay, replaySuffix), "application/octet-stream", replay)
}

// PutImages implements parkourmap.Files.
func (f *Files) PutImages(
	ctx context.Context, full, thumbnail []byte,
) (fullFile, thumbnailFile objectstore.Upload, err error) {
	fullFile, err = f.uploads.Put(ctx, objectstore.Key(imagePrefix, full, fullSuffix), "image/webp", full)
	if err != nil {
		return nil, nil, err
	}
	thumbnailFile, err = f.uploads.Put(ctx, objectstore.Key(imagePrefix, full, thumbnailSuffix), "image/webp", thumbnail)
	return fullFile, thumbnailFile, err
}

// The widths of an image's sizes, in pixels.
const (
	fullWidth      = 1600
	thumbnailWidth = 480
)

// uploadLimit bounds uploaded images.
var uploadLimit = imaging.Limit{Bytes: 1 << 20, Width: 4096, Height: 4096}

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
func (i *Images) Render(ctx context.Context, playerID string, image []byte) (full, thumbnail []byte, err error) {
	sizes, err := i.renderer.Render(ctx, playerID, image)
	if err != nil {
		return nil, nil, imaging.WithField(err, imageField)
	}
	return sizes[0].WebP, sizes[1].WebP, nil
}
