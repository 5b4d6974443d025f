// Package files renders the images of maps and stores them with the replays in the service's
// bucket, under the hash of their content.
package files

import (
	"context"
	"errors"
	"io"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
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
	store   *objectstore.Store
	uploads *objectstore.Uploads
}

// New returns the files in store, whose pending uploads are recorded in the database of pool.
func New(store *objectstore.Store, pool *postgres.Pool) *Files {
	return &Files{store: store, uploads: objectstore.NewUploads(store, pool)}
}

// Bucket implements parkourmap.Files.
func (f *Files) Bucket() string { return f.store.Bucket() }

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

// Open opens the image under key. The caller closes it. It returns parkourmap.ErrNoFile or
// objectstore.ErrStorageUnavailable.
func (f *Files) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	file, _, err := f.store.Get(ctx, key)
	switch {
	case errors.Is(err, objectstore.ErrNotFound):
		return nil, parkourmap.ErrNoFile
	case err != nil:
		return nil, objectstore.ErrStorageUnavailable.Wrap(err)
	}
	return file, nil
}
