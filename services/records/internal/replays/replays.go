// Package replays keeps replay files in object storage under the hash of their
// bytes, and reads those of maps from the maps service's bucket.
package replays

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

const (
	prefix      = "replays/"
	suffix      = ".lbReplay"
	contentType = "text/plain; charset=utf-8"
)

// Replays is the bucket's folder of replays.
type Replays struct {
	store   *objectstore.Store
	uploads *objectstore.Uploads
}

// New returns the replays in store. Uploads are noted in the database of pool.
func New(store *objectstore.Store, pool *postgres.Pool) *Replays {
	return &Replays{store, objectstore.NewUploads(store, pool)}
}

// upload is an objectstore.Upload that a batch can claim.
type upload struct{ objectstore.Upload }

// Pending implements what the postgres adapter asks of an upload.
func (u upload) Pending() []objectstore.Upload { return []objectstore.Upload{u.Upload} }

// Keep implements record.Replays. Returns objectstore.ErrStorageUnavailable.
func (r *Replays) Keep(ctx context.Context, hash string, file []byte) (record.Upload, error) {
	stored, err := r.uploads.Put(ctx, KeyOf(hash), contentType, file)
	if err != nil {
		return nil, err
	}
	return upload{stored}, nil
}

// Open implements record.ReplayFiles. Also returns objectstore.ErrStorageUnavailable.
func (r *Replays) Open(ctx context.Context, hash string) (io.ReadSeekCloser, error) {
	file, _, err := r.store.Get(ctx, KeyOf(hash))
	switch {
	case errors.Is(err, objectstore.ErrNotFound):
		return nil, record.ErrRecordUnknown.Wrap(err)
	case err != nil:
		return nil, objectstore.ErrStorageUnavailable.Wrap(err)
	}
	return file, nil
}

// Fetch implements record.Archive.
func (r *Replays) Fetch(ctx context.Context, bucket, key string, limit int64) ([]byte, error) {
	file, err := r.store.GetFrom(ctx, bucket, key, limit)
	if err != nil {
		return nil, fmt.Errorf("fetch %s/%s: %w", bucket, key, err)
	}
	return file, nil
}

// KeyOf returns where the replay with a hash lies.
func KeyOf(hash string) string { return prefix + hash + suffix }

// HashOf returns the hash in a replay's key, and whether it is one.
func HashOf(key string) (hash string, ok bool) {
	hash, isReplay := strings.CutPrefix(key, prefix)
	hash, named := strings.CutSuffix(hash, suffix)
	return hash, isReplay && named
}
