// Package outside runs the servers that a stack stands on outside of the stack,
// so that tests can take each of them away and bring it back where it was, with
// what it had on disk: the embedded ones, or real ones as in a deployment.
package outside

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/localpg"
)

// Servers are what a stack stands on.
type Servers struct {
	Postgres, NATS, Redis, S3 *Server

	settings map[string]string
}

// StorageKey is both halves of the object storage's key.
const StorageKey = "capzone-outside"

// Settings tell the launcher to use these servers.
func (s *Servers) Settings() map[string]string { return s.settings }

// Options say which servers are to run.
type Options struct {
	// Real asks for the servers of a deployment instead of embedded ones.
	Real bool
	// PostgreSQLHome is where other programs of PostgreSQL lie than those that go
	// with the rest.
	PostgreSQLHome string
}

// kind is a sort of servers: how each is started in a folder, on a port.
type kind struct {
	nats, redis, s3 func(ctx context.Context, port int) (instance, error)
	// postgresqlHome is where PostgreSQL's programs lie; empty for the embedded ones.
	postgresqlHome string
	// nats are the settings for the clients of NATS, besides its address.
	clients map[string]string
}

// instance is a server from a start to its end.
type instance interface {
	Stop(ctx context.Context) error
	Kill() error
	// PID is 0 for a server inside this process.
	PID() int
}

// Start runs all servers, with what they keep in the folder.
func Start(ctx context.Context, folder string, o Options) (*Servers, error) {
	// PostgreSQL's own user passes through to its folder, which has its own protection.
	if err := os.Chmod(folder, 0o711); err != nil {
		return nil, err
	}
	prepare := embedded
	if o.Real {
		prepare = production
	}
	k, err := prepare(ctx, folder)
	if err != nil {
		return nil, err
	}
	home := cmp.Or(o.PostgreSQLHome, k.postgresqlHome)
	postgres := func(ctx context.Context, port int) (instance, error) {
		server, err := localpg.Start(ctx, localpg.Options{Home: home, Dir: filepath.Join(folder, "database"), Port: port})
		return database{server}, err
	}
	s := &Servers{settings: k.clients}
	group, ctx := errgroup.WithContext(ctx)
	for name, start := range map[**Server]func(context.Context, int) (instance, error){
		&s.Postgres: postgres, &s.NATS: k.nats, &s.Redis: k.redis, &s.S3: k.s3,
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
	s.settings["DATABASE_URL"] = fmt.Sprintf("postgres://capzone@127.0.0.1:%d/postgres?sslmode=disable", s.Postgres.port)
	s.settings["NATS_URL"] = fmt.Sprintf("nats://127.0.0.1:%d", s.NATS.port)
	s.settings["REDIS_URL"] = fmt.Sprintf("redis://127.0.0.1:%d/0", s.Redis.port)
	s.settings["S3_ENDPOINT"] = fmt.Sprintf("http://127.0.0.1:%d", s.S3.port)
	s.settings["S3_ACCESS_KEY"], s.settings["S3_SECRET_KEY"] = StorageKey, StorageKey
	return s, nil
}

// Stop stops all that run.
func (s *Servers) Stop(ctx context.Context) error {
	var errs []error
	for _, server := range []*Server{s.Postgres, s.NATS, s.Redis, s.S3} {
		if server != nil {
			errs = append(errs, server.Stop(ctx))
		}
	}
	return errors.Join(errs...)
}

// Server is one server, running or not. It is for one goroutine at a time.
type Server struct {
	port    int
	start   func(ctx context.Context, port int) (instance, error)
	running instance
}

// Start starts the server, again with what it kept.
func (s *Server) Start(ctx context.Context) (err error) {
	s.running, err = s.start(ctx, s.port)
	return err
}

// stopTimeout is how long a server may take to finish what is in flight.
const stopTimeout = 10 * time.Second

// Stop stops the server in good order, if it runs.
func (s *Server) Stop(ctx context.Context) error {
	if s.running == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	err := s.running.Stop(ctx)
	s.running = nil
	return err
}

// Kill ends the server at once, without a chance to write anything down. What
// runs inside this process is stopped instead.
func (s *Server) Kill(context.Context) error {
	err := s.running.Kill()
	s.running = nil
	return err
}

// PID is the server's process, 0 where that is this one.
func (s *Server) PID() int { return s.running.PID() }

// database is a PostgreSQL, which recovers at the start after a Kill.
type database struct{ *localpg.Server }

// Kill implements instance.
func (d database) Kill() error {
	if err := syscall.Kill(d.PID(), syscall.SIGKILL); err != nil {
		return err
	}
	<-d.Done()
	return d.Stop(context.Background()) // clears up after it
}
