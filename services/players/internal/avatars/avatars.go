// Package avatars makes avatar images of what players upload, and keeps them in
// object storage under the hash of their bytes.
package avatars

import (
	"context"
	"errors"
	"io"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/picture"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/services/players/internal/player"
)

const (
	prefix      = "skins"
	suffix      = ".webp"
	contentType = "image/webp"
	// width is what the site shows at most, in pixels, on screens of double density.
	width = 256
)

// limit bounds what may be uploaded.
var limit = picture.Limit{Bytes: 1 << 20, Width: 4096, Height: 4096}

// Avatars is the bucket's folder of avatar images.
type Avatars struct {
	store   *objectstore.Store
	uploads *objectstore.Uploads
}

// New returns the avatars in store. Uploads are noted in the database of pool.
func New(store *objectstore.Store, pool *postgres.Pool) *Avatars {
	return &Avatars{store, objectstore.NewUploads(store, pool)}
}

// Keep implements player.Avatars. Returns the problems of package picture, with
// the field skinImage, and objectstore.ErrStorageUnavailable.
func (a *Avatars) Keep(ctx context.Context, image []byte) (objectstore.Upload, error) {
	renditions, err := picture.Renditions(ctx, image, limit, width)
	if p := (*problem.Problem)(nil); errors.As(err, &p) {
		return nil, p.WithField("skinImage", p.Message)
	}
	if err != nil {
		return nil, err
	}
	avatar := renditions[0].WebP
	return a.uploads.Put(ctx, objectstore.Key(prefix, avatar, suffix), contentType, avatar)
}

// Open opens the avatar under key. The caller closes it. Returns
// player.ErrNoFile and objectstore.ErrStorageUnavailable.
func (a *Avatars) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	file, _, err := a.store.Get(ctx, key)
	switch {
	case errors.Is(err, objectstore.ErrNotFound):
		return nil, player.ErrNoFile
	case err != nil:
		return nil, objectstore.ErrStorageUnavailable.Wrap(err)
	}
	return file, nil
}
