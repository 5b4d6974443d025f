// Package redistest gives a test an empty Redis of its own.
//
// It is a program of its own: devstack/cmd/redis (miniredis) or, with TEST_SERVERS=real, redis-server.
package redistest

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/programs"
	"capzone.dev/devstack/realservers"
)

// Start returns the URL of a Redis with nothing in it, for this test alone.
func Start(tb testing.TB) string {
	tb.Helper()
	if !realservers.Wanted() {
		return Server(tb).URL
	}
	server, err := realservers.StartRedis(tb.Context(), tb.TempDir(), 0)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = server.Kill() })
	return address(server.Port())
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
	if realservers.Wanted() {
		tb.Skip("needs a Redis whose clock the test can move")
	}
	servers.Lock()
	defer servers.Unlock()
	if s, ok := servers.of[tb]; ok {
		return s
	}
	port, process := run(tb)
	s := &Controlled{URL: address(port), tb: tb, client: Connect(tb, address(port))}
	servers.of[tb] = s
	tb.Cleanup(func() {
		servers.Lock()
		defer servers.Unlock()
		delete(servers.of, tb)
		_ = process.Kill()
	})
	return s
}

// FastForward lets the time of all keys pass, so that they expire without a wait.
func (s *Controlled) FastForward(d time.Duration) { s.do("TEST.FORWARD", d.Milliseconds()) }

// SetError makes the server answer every command with the error, until it is set to "".
func (s *Controlled) SetError(message string) { s.do("TEST.FAIL", message) }

func (s *Controlled) do(command ...any) {
	s.tb.Helper()
	if err := s.client.Do(s.tb.Context(), command...).Err(); err != nil {
		s.tb.Fatal(err)
	}
}

var servers = struct {
	sync.Mutex
	of map[testing.TB]*Controlled
}{of: map[testing.TB]*Controlled{}}

// run starts the program on a free port.
func run(tb testing.TB) (port int, process *child.Process) {
	tb.Helper()
	program, err := programs.TestServer(tb.Context(), "redis")
	if err != nil {
		tb.Fatal(err)
	}
	err = freeport.Try(0, func(free int) (err error) {
		port = free
		process, err = child.Start(tb.Context(), child.Spec{
			Name: "Redis", Program: program,
			Arguments:   []string{"-port", strconv.Itoa(port)},
			Environment: os.Environ(),
			Ready: func(ctx context.Context) error {
				return realservers.Answers(ctx, port, realservers.RedisPing, "+PONG")
			},
		})
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return port, process
}

func address(port int) string { return fmt.Sprintf("redis://127.0.0.1:%d/0", port) }
