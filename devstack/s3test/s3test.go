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

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testservers"
	"capzone.dev/platform/objectstore"
)

// Server has the address and keys of the storage.
type Server struct {
	Endpoint  string // http://host:port
	AccessKey string
	SecretKey string
}

// Start returns the storage, started if need be.
func Start(tb testing.TB) Server {
	tb.Helper()
	s, err := server()
	if err != nil {
		tb.Fatalf("S3 server for the test: %v", err)
	}
	return s
}

// Bucket returns a name for a bucket that no other test uses; it does not make the bucket.
func Bucket(tb testing.TB) string {
	tb.Helper()
	return "test-" + strings.ToLower(rand.Text())
}

// Open returns a bucket of the test's own.
func Open(tb testing.TB) *objectstore.Store {
	tb.Helper()
	s := Start(tb)
	store, err := objectstore.Open(tb.Context(), objectstore.Config{
		Endpoint: s.Endpoint, AccessKey: s.AccessKey, SecretKey: s.SecretKey, Bucket: Bucket(tb),
	})
	require.NoError(tb, err)
	return store
}

var server = sync.OnceValues(func() (Server, error) {
	if endpoint := os.Getenv("TEST_S3_ENDPOINT"); endpoint != "" {
		return Server{endpoint, os.Getenv("TEST_S3_ACCESS_KEY"), os.Getenv("TEST_S3_SECRET_KEY")}, nil
	}
	dir, err := os.MkdirTemp("", "capzone-s3-")
	if err != nil {
		return Server{}, err
	}
	own := Server{AccessKey: "capzone-test", SecretKey: "capzone-test"}
	// It ends, and removes its folder, when this process has ended.
	running, err := testservers.StartS3(context.Background(), testservers.Options{Dir: dir, Temporary: true},
		testservers.Keys{Access: own.AccessKey, Secret: own.SecretKey})
	if err != nil {
		return Server{}, err
	}
	own.Endpoint = "http://" + running.Address()
	return own, nil
})
