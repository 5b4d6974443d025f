// Package files stores replay files in object storage under the hash of their bytes, and
// reads those of maps from the maps service's bucket.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/record"
)

const (
	prefix      = "replays/"
	suffix      = ".lbReplay"
	contentType = "text/plain; charset=utf-8"
)

// Files is the bucket of the records service.
type Files struct {
	store   *objectstore.Store
	uploads *objectstore.Uploads
}

// New returns the files in store, whose pending uploads are rows in the database of pool.
func New(store *objectstore.Store, pool *postgres.Pool) *Files {
	return &Files{store, objectstore.NewUploads(store, pool)}
}

// Put implements record.ReplayStore. It returns objectstore.ErrStorageUnavailable.
func (f *Files) Put(ctx context.Context, hash string, file []byte) (storedfile.Upload, error) {
	return f.uploads.Put(ctx, Key(hash), contentType, file)
}

// Open implements record.ReplayFiles. It also returns objectstore.ErrStorageUnavailable.
func (f *Files) Open(ctx context.Context, hash string) (io.ReadSeekCloser, error) {
	file, err := f.store.Open(ctx, Key(hash))
	if errors.Is(err, storedfile.ErrUnknown) {
		return nil, record.ErrRecordUnknown.Wrap(err)
	}
	return file, err
}

// Fetch implements record.Archive.
func (f *Files) Fetch(ctx context.Context, bucket, key string, limit int64) ([]byte, error) {
	file, err := f.store.GetFrom(ctx, bucket, key, limit)
	if err != nil {
		return nil, fmt.Errorf("fetch %s/%s: %w", bucket, key, err)
	}
	return file, nil
}

// Key returns the key of the replay with a hash.
func Key(hash string) string { return prefix + hash + suffix }

// Hash returns the hash in a replay's key, and whether the key is a replay's.
func Hash(key string) (hash string, ok bool) {
	hash, hasPrefix := strings.CutPrefix(key, prefix)
	hash, hasSuffix := strings.CutSuffix(hash, suffix)
	return hash, hasPrefix && hasSuffix
}
