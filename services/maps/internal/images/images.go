// Package images keeps the pictures and replays of maps in the service's bucket,
// under the hash of their content.
package images

import (
	"context"
	"errors"
	"io"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/picture"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Where the files lie in the bucket. A picture's two sizes have one hash, that of
// the full size.
const (
	picturePrefix   = "maps"
	replayPrefix    = "replays"
	fullSuffix      = ".webp"
	thumbnailSuffix = "-480.webp"
	replaySuffix    = ".lbReplay"
)

// The widths of a picture's sizes, in pixels.
const (
	fullWidth      = 1600
	thumbnailWidth = 480
)

// uploadLimit is what is taken of a picture.
var uploadLimit = picture.Limit{Bytes: 1 << 20, Width: 4096, Height: 4096}

// Images is the bucket of the maps service.
type Images struct {
	store   *objectstore.Store
	uploads *objectstore.Uploads
}

// New returns the files in store, whose pending uploads are noted in the database of pool.
func New(store *objectstore.Store, pool *postgres.Pool) *Images {
	return &Images{store: store, uploads: objectstore.NewUploads(store, pool)}
}

// Render implements parkourmap.Pictures.
func (*Images) Render(ctx context.Context, image []byte) (full, thumbnail []byte, err error) {
	sizes, err := picture.Renditions(ctx, image, uploadLimit, fullWidth, thumbnailWidth)
	var refused *problem.Problem
	if errors.As(err, &refused) {
		return nil, nil, refused.WithField("mapImage", refused.Message)
	}
	if err != nil {
		return nil, nil, err
	}
	return sizes[0].WebP, sizes[1].WebP, nil
}

// Bucket implements parkourmap.Files.
func (i *Images) Bucket() string { return i.store.Bucket() }

// KeepReplay implements parkourmap.Files.
func (i *Images) KeepReplay(ctx context.Context, replay []byte) (objectstore.Upload, error) {
	return i.uploads.Put(ctx, objectstore.Key(replayPrefix, replay, replaySuffix), "application/octet-stream", replay)
}

// KeepPictures implements parkourmap.Files.
func (i *Images) KeepPictures(ctx context.Context, full, thumbnail []byte) (fullFile, thumbnailFile objectstore.Upload, err error) {
	if fullFile, err = i.uploads.Put(ctx, objectstore.Key(picturePrefix, full, fullSuffix), "image/webp", full); err != nil {
		return nil, nil, err
	}
	thumbnailFile, err = i.uploads.Put(ctx, objectstore.Key(picturePrefix, full, thumbnailSuffix), "image/webp", thumbnail)
	return fullFile, thumbnailFile, err
}

// Open opens the picture under key. The caller closes it. Returns
// parkourmap.ErrNoFile and objectstore.ErrStorageUnavailable.
func (i *Images) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	file, _, err := i.store.Get(ctx, key)
	switch {
	case errors.Is(err, objectstore.ErrNotFound):
		return nil, parkourmap.ErrNoFile
	case err != nil:
		return nil, objectstore.ErrStorageUnavailable.Wrap(err)
	}
	return file, nil
}
