// Package files stores avatar images in object storage, under the hash of their bytes.
package files

import (
	"context"

	"capzone.dev/platform/imaging"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/players/internal/player"
)

// width is the largest that the site shows, in pixels, on screens of double density.
const width = 256

// limit bounds uploaded images.
var limit = imaging.Limit{Bytes: player.MaxImageSize, Width: 4096, Height: 4096}

// Files is the bucket of the players service. It implements player.Avatars.
type Files struct {
	uploads  *objectstore.Uploads
	renderer *imaging.Renderer
}

// New returns the files in store. Pending uploads are rows in the database of pool.
func New(store *objectstore.Store, pool *postgres.Pool) *Files {
	return &Files{objectstore.NewUploads(store, pool), imaging.NewRenderer(limit, width)}
}

// Put implements player.Avatars. It returns the errors of package imaging, refusals with the
// field skinImage, or objectstore.ErrStorageUnavailable.
func (f *Files) Put(ctx context.Context, image []byte) (storedfile.Upload, error) {
	renditions, err := f.renderer.Render(ctx, image)
	if err != nil {
		return storedfile.Upload{}, imaging.WithField(err, "skinImage")
	}
	avatar := renditions[0].WebP
	return f.uploads.Put(ctx, objectstore.Key("skins", avatar, ".webp"), "image/webp", avatar)
}
