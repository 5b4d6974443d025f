// Package redistest gives a test an empty Redis of its own.
//
// It is a program of its own: devstack/cmd/redis (miniredis) or, with TEST_SERVERS=real, redis-server.
package redistest

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testservers"
)

// Start returns the URL of a Redis with nothing in it, for this test alone.
func Start(tb testing.TB) string {
	tb.Helper()
	port, err := freeport.Pick()
	require.NoError(tb, err)
	options := testservers.Options{Port: port}
	server, err := testservers.StartRedis(tb.Context(), options)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = server.Kill() })
	return "redis://" + options.Address() + "/0"
}

// Connect returns a client of the Redis at url that is closed at the test's end.
func Connect(tb testing.TB, url string) *redis.Client {
	tb.Helper()
	options, err := redis.ParseURL(url)
	require.NoError(tb, err)
	client := redis.NewClient(options)
	tb.Cleanup(func() { _ = client.Close() })
	return client
}

// FastForward lets the time of all keys of the Redis at url pass, so that they expire without a wait. The test is
// skipped with real servers.
func FastForward(tb testing.TB, url string, d time.Duration) {
	tb.Helper()
	control(tb, url, "TEST.FORWARD", d.Milliseconds())
}

// SetError makes the Redis at url answer every command with the error, until it is set to "". The test is skipped with
// real servers.
func SetError(tb testing.TB, url, message string) {
	tb.Helper()
	control(tb, url, "TEST.FAIL", message)
}

func control(tb testing.TB, url string, command ...any) {
	tb.Helper()
	if testservers.Real() {
		tb.Skip("needs a Redis whose clock and errors the test controls")
	}
	require.NoError(tb, Connect(tb, url).Do(tb.Context(), command...).Err())
}
