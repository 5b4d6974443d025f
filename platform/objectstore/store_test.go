package objectstore_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/s3test"
	"capzone.dev/platform/objectstore"
)

func TestOpen_wrong_key(t *testing.T) {
	t.Parallel()
	server := s3test.Config(t)
	for name, keys := range map[string][2]string{
		"a wrong secret":        {server.AccessKey, "wrong-secret"},
		"an unknown access key": {"capzone-unknown", "wrong-secret"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			_, err := objectstore.Open(ctx, objectstore.Config{
				Endpoint: server.Endpoint, AccessKey: keys[0], SecretKey: keys[1], Bucket: s3test.Config(t).Bucket,
			})
			if err == nil || ctx.Err() != nil || strings.Contains(err.Error(), "wrong-secret") {
				t.Errorf("got %v, time over: %v", err, ctx.Err())
			}
		})
	}
}
