// Package files stores avatar images in object storage, under the hash of their bytes.
package files

import (
	"context"
	"io"

	"capzone.dev/platform/imaging"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
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

// Files is the bucket of the players service. It implements player.Avatars.
type Files struct {
	store    *objectstore.Store
	isAvatar func(ctx context.Context, key string) (bool, error)
	uploads  *objectstore.Uploads
	renderer *imaging.Renderer
}

// New returns the files in store. Pending uploads are rows in the database of pool. isAvatar reports whether a player
// has the avatar under a key.
func New(
	store *objectstore.Store, pool *postgres.Pool, isAvatar func(ctx context.Context, key string) (bool, error),
) *Files {
	return &Files{store, isAvatar, objectstore.NewUploads(store, pool), imaging.NewRenderer(limit, width)}
}

// Open implements httpserve.Images. An image that no player has any more is not shown, also while it is not removed
// yet: it may be that of a player who has deleted the account. It returns storedfile.ErrUnknown or
// objectstore.ErrStorageUnavailable.
func (f *Files) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	isAvatar, err := f.isAvatar(ctx, key)
	if err != nil {
		return nil, err
	}
	if !isAvatar {
		return nil, storedfile.ErrUnknown
	}
	return f.store.Open(ctx, key)
}

// Put implements player.Avatars. It returns the errors of package imaging, refusals with the
// field skinImage, or objectstore.ErrStorageUnavailable.
func (f *Files) Put(ctx context.Context, image []byte) (storedfile.Upload, error) {
	renditions, err := f.renderer.Render(ctx, image)
	if err != nil {
		return storedfile.Upload{}, imaging.WithField(err, "skinImage")
	}
	avatar := renditions[0].WebP
	return f.uploads.Put(ctx, objectstore.Key(prefix, avatar, suffix), contentType, avatar)
}
