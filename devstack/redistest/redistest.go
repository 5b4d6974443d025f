// Package redistest gives a test an empty Redis of its own.
//
// It is miniredis in this process or, with TEST_SERVERS=real, a redis-server.
package redistest

import (
	"fmt"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"capzone.dev/devstack/localredis"
	"capzone.dev/devstack/realservers"
)

// Start returns the URL of a Redis with nothing in it, for this test alone.
func Start(tb testing.TB) string {
	tb.Helper()
	if !realservers.Wanted() {
		return Server(tb).URL()
	}
	server, err := realservers.StartRedis(tb.Context(), tb.TempDir(), 0)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = server.Kill() })
	return fmt.Sprintf("redis://127.0.0.1:%d/0", server.Port())
}

// Connect returns a client of the Redis at url that is closed at the test's end.
func Connect(tb testing.TB, url string) *redis.Client {
	tb.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		tb.Fatal(err)
	}
	client := redis.NewClient(options)
	tb.Cleanup(func() { _ = client.Close() })
	return client
}

// Server returns the test's own Redis in this process: the one whose URL Start returned in the test, or a
// new one. With its FastForward keys expire without a wait. The test is skipped with real servers.
func Server(tb testing.TB) *localredis.Server {
	tb.Helper()
	if realservers.Wanted() {
		tb.Skip("needs a Redis whose clock the test can move")
	}
	servers.Lock()
	defer servers.Unlock()
	if s, ok := servers.of[tb]; ok {
		return s
	}
	s, err := localredis.Start(0)
	if err != nil {
		tb.Fatal(err)
	}
	servers.of[tb] = s
	tb.Cleanup(func() {
		servers.Lock()
		defer servers.Unlock()
		delete(servers.of, tb)
		s.Stop()
	})
	return s
}

var servers = struct {
	sync.Mutex
	of map[testing.TB]*localredis.Server
}{of: map[testing.TB]*localredis.Server{}}
