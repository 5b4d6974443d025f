// Package outside runs the servers of a stack outside of it, so that tests can stop each and start it again with its
// data: the embedded servers, or with TEST_SERVERS=real those of a deployment.
package outside

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/testservers"
	"capzone.dev/platform/event"
)

// Servers are the servers of a stack.
type Servers struct {
	Postgres, NATS, Redis, S3 *Server

	settings map[string]string
}

// StorageKey is both halves of the object storage's key.
const StorageKey = "capzone-outside"

// Settings returns the launcher's settings for these servers.
func (s *Servers) Settings() map[string]string { return s.settings }

// kind is a kind of servers.
type kind struct {
	nats start
	// postgresHome is the folder of PostgreSQL's programs; empty for the embedded ones.
	postgresHome string
	// clients are the settings of the clients of NATS, besides its address.
	clients map[string]string
}

// start starts a server on a port.
type start func(ctx context.Context, port int) (*child.Process, error)

// Start runs all servers, with their data in the folder. The programs of PostgreSQL are those of postgresHome, if it
// is set.
func Start(ctx context.Context, folder, postgresHome string) (*Servers, error) {
	// PostgreSQL runs as another user, whose folder is below this one.
	if err := os.Chmod(folder, 0o711); err != nil {
		return nil, err
	}
	prepare := embedded
	if testservers.Real() {
		prepare = production
	}
	k, err := prepare(ctx, folder)
	if err != nil {
		return nil, err
	}
	home := cmp.Or(postgresHome, k.postgresHome)
	postgres := func(ctx context.Context, port int) (*child.Process, error) {
		return localpg.Start(ctx, home, options(folder, "database", port))
	}
	redis := func(ctx context.Context, port int) (*child.Process, error) {
		return testservers.StartRedis(ctx, options(folder, "redis", port))
	}
	keys := testservers.Keys{Access: StorageKey, Secret: StorageKey}
	s3 := func(ctx context.Context, port int) (*child.Process, error) {
		return testservers.StartS3(ctx, options(folder, "objects", port), keys)
	}
	s := &Servers{settings: k.clients}
	group, ctx := errgroup.WithContext(ctx)
	for name, start := range map[**Server]start{
		&s.Postgres: postgres, &s.NATS: k.nats, &s.Redis: redis, &s.S3: s3,
	} {
		port, err := freeport.Pick()
		if err != nil {
			return nil, err
		}
		*name = &Server{port: port, start: start}
		group.Go(func() error { return (*name).Start(ctx) })
	}
	if err := group.Wait(); err != nil {
		return nil, errors.Join(err, s.Stop(context.WithoutCancel(ctx)))
	}
	s.settings["DATABASE_URL"] = localpg.URL(s.Postgres.port, "postgres")
	s.settings["NATS_URL"] = fmt.Sprintf("nats://127.0.0.1:%d", s.NATS.port)
	s.settings["REDIS_URL"] = fmt.Sprintf("redis://127.0.0.1:%d/0", s.Redis.port)
	s.settings["S3_ENDPOINT"] = fmt.Sprintf("http://127.0.0.1:%d", s.S3.port)
	s.settings["S3_ACCESS_KEY"], s.settings["S3_SECRET_KEY"] = StorageKey, StorageKey
	return s, nil
}

// embedded returns the servers that the launcher would start itself.
func embedded(_ context.Context, folder string) (kind, error) {
	return kind{
		nats: func(ctx context.Context, port int) (*child.Process, error) {
			return testservers.StartNATS(ctx, options(folder, "streams", port))
		},
		clients: map[string]string{},
	}, nil
}

// options returns the options of a server with its data in a folder of the folder of all.
func options(all, own string, port int) testservers.Options {
	return testservers.Options{Dir: filepath.Join(all, own), Port: port}
}

// production returns the servers of a deployment. Each client of NATS has credentials of its own, with no more rights
// than it needs.
func production(_ context.Context, folder string) (kind, error) {
	for _, name := range []string{"streams", "objects"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o700); err != nil {
			return kind{}, err
		}
	}
	passwords, clients := map[string]string{}, map[string]string{}
	users := []string{"provision"}
	for _, program := range event.Programs() {
		users = append(users, program.Name)
	}
	for _, user := range users {
		passwords[user] = "p" + rand.Text()
		clients[fmt.Sprintf("NATS_%s_PASSWORD", strings.ToUpper(user))] = passwords[user]
	}
	return kind{
		postgresHome: testservers.PostgreSQLHome,
		nats: func(ctx context.Context, port int) (*child.Process, error) {
			return testservers.StartProductionNATS(ctx, options(folder, "streams", port), passwords)
		},
		clients: clients,
	}, nil
}

// Stop stops all servers.
func (s *Servers) Stop(ctx context.Context) error {
	var errs []error
	for _, server := range []*Server{s.Postgres, s.NATS, s.Redis, s.S3} {
		if server != nil {
			errs = append(errs, server.Stop(ctx))
		}
	}
	return errors.Join(errs...)
}

// Server is one server, running or not. It is not safe for concurrent use.
type Server struct {
	port    int
	start   start
	running *child.Process // nil while it is stopped
}

// Start starts the server, again with its data.
func (s *Server) Start(ctx context.Context) error {
	running, err := s.start(ctx, s.port)
	if err == nil {
		s.running = running
	}
	return err
}

// stopTimeout bounds the time in which a server finishes what is in flight.
const stopTimeout = 10 * time.Second

// Stop stops the server, if it runs.
func (s *Server) Stop(ctx context.Context) error {
	running := s.running
	if running == nil {
		return nil
	}
	s.running = nil
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	return running.Stop(ctx)
}

// Kill ends the process of the server, which cannot write anything more.
func (s *Server) Kill(ctx context.Context) error {
	if err := syscall.Kill(s.PID(), syscall.SIGKILL); err != nil {
		return err
	}
	return s.Stop(ctx)
}

// PID returns the process id of the server.
func (s *Server) PID() int { return s.running.PID() }
