// Package redistest gives a test an empty Redis of its own.
//
// It is a program of its own: devstack/cmd/redis (miniredis) or, with TEST_SERVERS=real, redis-server.
package redistest

import (
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testservers"
)

// Start returns the URL of a Redis with nothing in it, for this test alone.
func Start(tb testing.TB) string {
	tb.Helper()
	if testservers.Real() {
		return start(tb)
	}
	return Server(tb).URL
}

// start runs a Redis until the test ends, and returns its URL.
func start(tb testing.TB) string {
	tb.Helper()
	server, err := testservers.StartRedis(tb.Context(), testservers.Options{Dir: tb.TempDir()})
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = server.Kill() })
	return "redis://" + server.Address() + "/0"
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

// Controlled is a Redis whose clock and errors the test controls.
type Controlled struct {
	URL string

	tb     testing.TB
	client *redis.Client
}

// Server returns the test's own Redis: the one whose URL Start returned in the test, or a new one. The test is skipped
// with real servers.
func Server(tb testing.TB) *Controlled {
	tb.Helper()
	if testservers.Real() {
		tb.Skip("needs a Redis whose clock the test can move")
	}
	servers.Lock()
	defer servers.Unlock()
	if s, ok := servers.of[tb]; ok {
		return s
	}
	url := start(tb)
	s := &Controlled{URL: url, tb: tb, client: Connect(tb, url)}
	servers.of[tb] = s
	tb.Cleanup(func() {
		servers.Lock()
		defer servers.Unlock()
		delete(servers.of, tb)
	})
	return s
}

// FastForward lets the time of all keys pass, so that they expire without a wait.
func (s *Controlled) FastForward(d time.Duration) { s.do("TEST.FORWARD", d.Milliseconds()) }

// SetError makes the server answer every command with the error, until it is set to "".
func (s *Controlled) SetError(message string) { s.do("TEST.FAIL", message) }

func (s *Controlled) do(command ...any) {
	s.tb.Helper()
	require.NoError(s.tb, s.client.Do(s.tb.Context(), command...).Err())
}

var servers = struct {
	sync.Mutex
	of map[testing.TB]*Controlled
}{of: map[testing.TB]*Controlled{}}
