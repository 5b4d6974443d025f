// Package redistest gives a test an empty Redis of its own.
//
// It is miniredis in this process, or a logical database (1 to 15) of the server of TEST_REDIS_URL, which is
// emptied, used by one test at a time and emptied again. Database 0 holds who uses which.
package redistest

import (
	"context"
	"fmt"
	neturl "net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"capzone.dev/devstack/localredis"
)

// external names the setting for a server from outside.
const external = "TEST_REDIS_URL"

// Start returns the URL of a Redis with nothing in it, for this test alone.
func Start(tb testing.TB) string {
	tb.Helper()
	if url := os.Getenv(external); url != "" {
		return lease(tb, url)
	}
	return Server(tb).URL()
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

// Server is the test's own Redis in this process: the one whose URL Start gave to the test, or a new one. Its
// FastForward lets keys expire without waiting. The test is skipped where the server comes from outside.
func Server(tb testing.TB) *localredis.Server {
	tb.Helper()
	if os.Getenv(external) != "" {
		tb.Skipf("needs to move Redis's clock, which the server of %s does not let it", external)
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

const (
	databases  = 15               // besides database 0; Redis has 16 unless told otherwise
	leaseTime  = 10 * time.Minute // of a killed test; `go test` itself gives up after ten
	leaseRetry = 50 * time.Millisecond
)

// lease waits for a logical database that no other test uses.
func lease(tb testing.TB, url string) string {
	tb.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		tb.Fatalf("%s: %v", external, err)
	}
	options.DB = 0
	registry := redis.NewClient(options)
	tb.Cleanup(func() { _ = registry.Close() })
	for {
		for number := 1; number <= databases; number++ {
			key := fmt.Sprintf("capzone:test:database:%d", number)
			free, err := registry.SetNX(tb.Context(), key, tb.Name(), leaseTime).Result()
			if err != nil {
				tb.Fatalf("%s: %v", external, err)
			}
			if !free {
				continue
			}
			own := *options
			own.DB = number
			empty(tb, &own)
			tb.Cleanup(func() {
				empty(tb, &own)
				registry.Del(context.Background(), key)
			})
			return withDatabase(url, number)
		}
		select {
		case <-tb.Context().Done():
			tb.Fatal("no free Redis database")
		case <-time.After(leaseRetry):
		}
	}
}

func empty(tb testing.TB, options *redis.Options) {
	tb.Helper()
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	if err := client.FlushDB(context.Background()).Err(); err != nil {
		tb.Errorf("empty the Redis database: %v", err)
	}
}

// withDatabase replaces the path of a Redis URL, which names the logical database.
func withDatabase(address string, number int) string {
	parsed, err := neturl.Parse(address)
	if err != nil {
		return address // ParseURL has read it before
	}
	parsed.Path = fmt.Sprintf("/%d", number)
	return parsed.String()
}
