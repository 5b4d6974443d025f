// Package files stores replay files in object storage under the hash of their bytes, and
// reads those of maps from the maps service's bucket.
package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"path"

	"github.com/klauspost/compress/zstd"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/dump"
	"capzone.dev/services/records/internal/record"
)

// contentType is the type of replays.
const contentType = "text/plain; charset=utf-8"

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
	return f.uploads.Put(ctx, record.ReplayKey(hash), contentType, file)
}

// Open implements record.ReplayFiles. It also returns objectstore.ErrStorageUnavailable.
func (f *Files) Open(ctx context.Context, hash string) (io.ReadSeekCloser, error) {
	file, err := f.store.Open(ctx, record.ReplayKey(hash))
	if errors.Is(err, storedfile.ErrUnknown) {
		return nil, record.ErrRecordUnknown.Wrap(err)
	}
	return file, err
}

// Fetch implements record.Archive.
func (f *Files) Fetch(ctx context.Context, bucket, key string, limit int64) ([]byte, error) {
	file, err := f.store.GetFrom(ctx, bucket, key, limit)
	return file, postgres.Wrap(err, "fetch %s/%s", bucket, key)
}

// errNotStored ends the writing of a file that cannot be stored.
var errNotStored = errors.New("the file was not stored")

// PutDumpFile implements dump.Files. The file is stored while it is written.
func (f *Files) PutDumpFile(
	ctx context.Context, folder, name string, write func(w io.Writer) error,
) (dump.File, storedfile.Upload, error) {
	reader, writer := io.Pipe()
	written := make(chan struct{})
	go func() {
		defer close(written)
		_ = writer.CloseWithError(writeFile(writer, name, write))
	}()
	sum := digest{hash: sha256.New()}
	upload, err := f.uploads.PutStream(ctx, folder+name, dump.ContentType(name), io.TeeReader(reader, &sum))
	_ = reader.CloseWithError(errNotStored) // no effect where all was read
	<-written
	return dump.File{Name: name, Size: sum.size, SHA256: hex.EncodeToString(sum.hash.Sum(nil))}, upload, err
}

// digest counts and hashes what is written to it.
type digest struct {
	size int64
	hash hash.Hash
}

// Write implements io.Writer.
func (d *digest) Write(p []byte) (int, error) {
	d.size += int64(len(p))
	return d.hash.Write(p)
}

// zstdWindow bounds the memory of the compression.
const zstdWindow = 1 << 20

// writeFile writes what write writes, compressed where the name ends with .zst.
func writeFile(w io.Writer, name string, write func(w io.Writer) error) error {
	if path.Ext(name) != ".zst" {
		return write(w)
	}
	compressed, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(zstdWindow),
		zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(true))
	if err != nil {
		return err
	}
	return errors.Join(write(compressed), compressed.Close())
}

// OpenDumpFile implements dump.Files. It also returns objectstore.ErrStorageUnavailable.
func (f *Files) OpenDumpFile(ctx context.Context, folder, name string) (io.ReadSeekCloser, error) {
	file, err := f.store.Open(ctx, folder+name)
	if errors.Is(err, storedfile.ErrUnknown) {
		return nil, dump.ErrUnknown.Wrap(err)
	}
	return file, err
}
