package objectstore

import (
	"context"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"
)

// streamPart is the size of the parts in which PutStream uploads, of which it holds one in memory, in bytes. 10,000 of
// them make an object.
const streamPart = 5 << 20

// PutStream stores what r returns until its end, of any length, as an object that no row names. The object exists when
// all of it is stored. The caller deletes it, also after an error.
func (s *Store) PutStream(ctx context.Context, key, contentType string, r io.Reader) error {
	_, err := s.client.PutObject(ctx, s.bucket, key, r, -1, minio.PutObjectOptions{
		ContentType: contentType, PartSize: streamPart, NumThreads: 1,
	})
	if err != nil {
		return fmt.Errorf("objectstore: put %s: %w", key, err)
	}
	return nil
}

// Delete deletes an object that PutStream has stored, and what there is of uploads that did not come to their end. An
// object that does not exist is no error.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := s.client.RemoveIncompleteUpload(ctx, s.bucket, key); err != nil {
		return fmt.Errorf("objectstore: remove incomplete uploads of %s: %w", key, err)
	}
	return s.remove(ctx, key)
}
