// Package files stores avatar images in object storage, under the hash of their bytes.
package files

import (
	"context"
	"errors"
	"io"

	"capzone.dev/platform/imaging"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/services/players/internal/player"
)

const (
	prefix      = "skins"
	suffix      = ".webp"
	contentType = "image/webp"
	// width is the largest that the site shows, in pixels, on screens of double density.
	width = 256
)

// limit bounds uploaded images.
var limit = imaging.Limit{Bytes: 1 << 20, Width: 4096, Height: 4096}

// Files implements player.Avatars and httpapi.AvatarFiles.
type Files struct {
	store    *objectstore.Store
	uploads  *objectstore.Uploads
	renderer *imaging.Renderer
}

// New returns the files in store. Pending uploads are rows in the database of pool.
func New(store *objectstore.Store, pool *postgres.Pool) *Files {
	return &Files{store, objectstore.NewUploads(store, pool), imaging.NewRenderer(limit, width)}
}

// Put implements player.Avatars. It returns the errors of package imaging, refusals with the
// field skinImage, or objectstore.ErrStorageUnavailable.
func (f *Files) Put(ctx context.Context, playerID string, image []byte) (objectstore.Upload, error) {
	renditions, err := f.renderer.Render(ctx, playerID, image)
	if p := (*problem.Problem)(nil); errors.As(err, &p) && p.Kind != problem.KindUnavailable {
		return nil, p.WithField("skinImage", p.Message)
	}
	if err != nil {
		return nil, err
	}
	avatar := renditions[0].WebP
	return f.uploads.Put(ctx, objectstore.Key(prefix, avatar, suffix), contentType, avatar)
}

// Open opens the avatar with the key. The caller closes it. It returns player.ErrNoFile or
// objectstore.ErrStorageUnavailable.
func (f *Files) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	file, _, err := f.store.Get(ctx, key)
	switch {
	case errors.Is(err, objectstore.ErrNotFound):
		return nil, player.ErrNoFile
	case err != nil:
		return nil, objectstore.ErrStorageUnavailable.Wrap(err)
	}
	return file, nil
}
