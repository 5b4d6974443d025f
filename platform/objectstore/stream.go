package objectstore

import (
	"context"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"
)

// streamPart is the size of the parts in which putStream uploads, of which it holds one in memory, in bytes. 10,000 of
// them make an object.
const streamPart = 5 << 20

// putStream stores what r returns until its end, in parts. Where the process ends before it does, the parts stay until
// the storage ends uploads that are old.
func (s *Store) putStream(ctx context.Context, key, contentType string, r io.Reader) error {
	_, err := s.client.PutObject(ctx, s.bucket, key, r, -1, minio.PutObjectOptions{
		ContentType: contentType, PartSize: streamPart, NumThreads: 1,
	})
	if err != nil {
		return fmt.Errorf("objectstore: put %s: %w", key, err)
	}
	return nil
}
