package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"capzone.dev/deploy/local/internal/supervise"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/testservers"
)

// start starts a server, on a free port if that is 0.
type start func(ctx context.Context, port int, log io.Writer) (supervise.Server, error)

// startServers starts the servers that the environment does not name, and makes the databases and the event streams.
// Those that are built with the programs wait for that. After an error stopServers stops what was started.
func (s *Stack) startServers(ctx context.Context, built <-chan struct{}) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		if err := s.startDatabase(ctx); err != nil {
			return err
		}
		return makeDatabases(ctx, s.servers.Database, s.kinds)
	})
	for _, start := range []func(context.Context) error{s.startNATS, s.startRedis, s.startS3} {
		group.Go(func() error {
			select {
			case <-built:
				return start(ctx)
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}
	return group.Wait()
}

func (s *Stack) startDatabase(ctx context.Context) error {
	if s.settings.DatabaseURL != "" {
		s.servers.Database = s.settings.DatabaseURL
		return nil
	}
	start := func(ctx context.Context, port int, log io.Writer) (supervise.Server, error) {
		return localpg.Start(ctx, localpg.Options{Dir: s.file(databaseEntry), Port: port, Log: log})
	}
	port, err := s.startServer(ctx, "postgres", start)
	s.servers.Database = localpg.URL(port, "postgres")
	return err
}

// startNATS starts NATS and makes the event streams.
func (s *Stack) startNATS(ctx context.Context) error {
	s.servers.NATS = s.settings.NATSURL
	if s.servers.NATS == "" {
		port, err := s.startServer(ctx, "nats", func(ctx context.Context, port int, log io.Writer) (supervise.Server, error) {
			return testservers.StartNATS(ctx, s.serverOptions("nats-server", "nats", port, log))
		})
		if err != nil {
			return err
		}
		s.servers.NATS = fmt.Sprintf("nats://127.0.0.1:%d", port)
	}
	return s.provision(ctx)
}

func (s *Stack) startRedis(ctx context.Context) error {
	if s.settings.RedisURL != "" {
		s.servers.Redis = s.settings.RedisURL
		return nil
	}
	port, err := s.startServer(ctx, "redis", func(ctx context.Context, port int, log io.Writer) (supervise.Server, error) {
		return testservers.StartRedis(ctx, s.serverOptions("redis", "redis", port, log))
	})
	s.servers.Redis = fmt.Sprintf("redis://127.0.0.1:%d/0", port)
	return err
}

func (s *Stack) startS3(ctx context.Context) error {
	if s.settings.S3Endpoint != "" {
		s.servers.S3 = S3Address{s.settings.S3Endpoint, s.settings.S3AccessKey, s.settings.S3SecretKey}
		return nil
	}
	secret, err := os.ReadFile(s.file("s3-secret"))
	if err != nil {
		return err
	}
	keys := testservers.Keys{Access: "capzone", Secret: strings.TrimSpace(string(secret))}
	port, err := s.startServer(ctx, "s3", func(ctx context.Context, port int, log io.Writer) (supervise.Server, error) {
		return testservers.StartS3(ctx, s.serverOptions("s3", "s3", port, log), keys)
	})
	s.servers.S3 = S3Address{fmt.Sprintf("http://127.0.0.1:%d", port), keys.Access, keys.Secret}
	return err
}

// serverOptions are the options of a server that was built with the programs.
func (s *Stack) serverOptions(program, dir string, port int, log io.Writer) testservers.Options {
	return testservers.Options{Program: s.program(program), Dir: s.file(dir), Port: port, Log: log}
}

// startServer starts a server and keeps it running on its port until stopServers. Its output is in the file name.log.
func (s *Stack) startServer(ctx context.Context, name string, start start) (port int, err error) {
	log, err := os.Create(s.file(name + ".log"))
	if err != nil {
		return 0, err
	}
	kept, err := supervise.StartServer(ctx, s.console.Lines(name),
		func(ctx context.Context, port int) (supervise.Server, error) { return start(ctx, port, log) })
	if err != nil {
		return 0, errors.Join(err, log.Close())
	}
	s.onStop(func(ctx context.Context) {
		kept.Stop(ctx)
		_ = log.Close()
	})
	return kept.Port(), nil
}

// onStop registers a function that stopServers calls.
func (s *Stack) onStop(stop func(context.Context)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serverStops = append(s.serverStops, stop)
}

// stopServers stops what startServers started, all at once, because they do not need each other.
func (s *Stack) stopServers() {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	var group errgroup.Group
	for _, stop := range s.serverStops {
		group.Go(func() error {
			stop(ctx)
			return nil
		})
	}
	_ = group.Wait()
}

// stopTimeout is how long each stage, and the servers after them, may take to stop.
const stopTimeout = 10 * time.Second

// PostgreSQL's codes for a database or role that exists, and for a role that another connection creates just now.
const (
	duplicateDatabase = "42P04"
	duplicateRole     = "42710"
	uniqueViolation   = "23505"
)

// makeDatabases creates the databases that are absent, and for each a role that will own nothing: the service's.
func makeDatabases(ctx context.Context, address string, kinds []Kind) error {
	// The address may contain the size of the services' pools, which the server does not know.
	cfg, err := pgxpool.ParseConfig(address)
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig)
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, kind := range kinds {
		if !kind.Service {
			continue
		}
		name := databaseName(kind.Name)
		var exists bool
		err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name).Scan(&exists)
		if err == nil && !exists {
			_, err = conn.Exec(ctx, `CREATE DATABASE `+pgx.Identifier{name}.Sanitize())
		}
		if err != nil && !isRefusal(err, duplicateDatabase) { // by another stack on the same server
			return fmt.Errorf("database %s: %w", name, err)
		}
		if err := makeRole(ctx, conn, roleName(kind.Name), cfg.ConnConfig.Password); err != nil {
			return fmt.Errorf("role %s: %w", roleName(kind.Name), err)
		}
	}
	return nil
}

// makeRole creates a role with a password, which it sets again where the role exists.
func makeRole(ctx context.Context, conn *pgx.Conn, name, password string) error {
	for _, verb := range []string{"CREATE", "ALTER"} {
		var statement string
		err := conn.QueryRow(ctx, `SELECT format('%s ROLE %I LOGIN PASSWORD %L', $1::text, $2::text, $3::text)`,
			verb, name, password).Scan(&statement)
		if err == nil {
			_, err = conn.Exec(ctx, statement)
		}
		if verb == "ALTER" || !isRefusal(err, duplicateRole, uniqueViolation) {
			return err
		}
	}
	return nil
}

// isRefusal reports whether PostgreSQL has refused a statement with one of the codes.
func isRefusal(err error, codes ...string) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return ok && slices.Contains(codes, refused.Code)
}

// roleName returns the role with which a service connects.
func roleName(kind string) string { return databaseName(kind) + "_app" }

func databaseName(kind string) string { return "capzone_" + kind }

// databaseURL returns the address of another database on the same server.
func databaseURL(address, database string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return address // ReadSettings has refused it before
	}
	parsed.Path = "/" + database
	return parsed.String()
}

// asRole returns an address for another role with the same password.
func asRole(address, role string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return address // ReadSettings has refused it before
	}
	if password, ok := parsed.User.Password(); ok {
		parsed.User = url.UserPassword(role, password)
	} else {
		parsed.User = url.User(role)
	}
	return parsed.String()
}
