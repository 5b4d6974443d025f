// Package s3test gives tests S3-compatible object storage.
//
// The server is the one of TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY and TEST_S3_SECRET_KEY (`make test` starts one
// for everything), else one that the test binary starts at its first need and that ends with it. All tests
// share it: each takes a bucket of its own.
package s3test

import (
	"context"
	"crypto/rand"
	"os"
	"strings"
	"sync"
	"testing"

	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testservers"
	"capzone.dev/platform/objectstore"
)

// Config returns the storage, started if need be, and a bucket that no other test uses. The bucket is not made.
func Config(tb testing.TB) objectstore.Config {
	tb.Helper()
	config, err := server()
	if err != nil {
		tb.Fatalf("S3 server for the test: %v", err)
	}
	config.Bucket = "test-" + strings.ToLower(rand.Text())
	return config
}

// Open returns a bucket of the test's own.
func Open(tb testing.TB) *objectstore.Store {
	tb.Helper()
	store, err := objectstore.Open(tb.Context(), Config(tb))
	require.NoError(tb, err)
	return store
}

var server = sync.OnceValues(func() (objectstore.Config, error) {
	if endpoint := os.Getenv("TEST_S3_ENDPOINT"); endpoint != "" {
		return objectstore.Config{
			Endpoint: endpoint, AccessKey: os.Getenv("TEST_S3_ACCESS_KEY"), SecretKey: os.Getenv("TEST_S3_SECRET_KEY"),
		}, nil
	}
	port, err := freeport.Pick()
	if err != nil {
		return objectstore.Config{}, err
	}
	options := testservers.Options{Port: port}
	keys := testservers.Keys{Access: "capzone-test", Secret: "capzone-test"}
	// It ends, and removes its folder, when this process has ended.
	_, err = testservers.StartS3(context.Background(), options, keys)
	return objectstore.Config{
		Endpoint: "http://" + options.Address(), AccessKey: keys.Access, SecretKey: keys.Secret,
	}, err
})
