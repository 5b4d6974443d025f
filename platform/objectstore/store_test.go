package objectstore_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/s3test"
)

// A key that the server refuses is not waited for.
func TestAWrongKeyIsToldAtOnce(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	_, err := objectstore.Open(ctx, objectstore.Config{
		Endpoint: server.Endpoint, AccessKey: server.AccessKey, SecretKey: "wrong-secret", Bucket: "capzone-things",
	})
	if err == nil || ctx.Err() != nil || strings.Contains(err.Error(), "wrong-secret") {
		t.Errorf("got %v, time over: %v", err, ctx.Err())
	}
}
