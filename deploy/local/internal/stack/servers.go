package stack

import (
	"context"
	"errors"
	"fmt"
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
	"capzone.dev/devstack/localnats"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/localredis"
	"capzone.dev/devstack/locals3"
)

// s3Package is the program that serves object storage.
const s3Package = "./deploy/local/cmd/s3"

// startServers starts the servers that the environment does not name, and makes the databases and the event streams.
// What needs a program of this tree waits until they are built. After an error stopServers stops what was started.
func (s *Stack) startServers(ctx context.Context, built <-chan struct{}) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		if err := s.startDatabase(ctx); err != nil {
			return err
		}
		if err := makeDatabases(ctx, s.servers.Database, s.kinds); err != nil {
			return err
		}
		return s.checkDataVersion(ctx)
	})
	group.Go(func() error {
		if err := s.startNATS(); err != nil {
			return err
		}
		if err := closed(ctx, built); err != nil {
			return err
		}
		return s.provision(ctx)
	})
	group.Go(s.startRedis)
	group.Go(func() error {
		if err := closed(ctx, built); err != nil {
			return err
		}
		return s.startS3(ctx)
	})
	return group.Wait()
}

// closed waits until a channel is closed, or ctx ends.
func closed(ctx context.Context, c <-chan struct{}) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Stack) startDatabase(ctx context.Context) error {
	if s.settings.DatabaseURL != "" {
		s.servers.Database = s.settings.DatabaseURL
		return nil
	}
	log, err := os.Create(s.file("postgres.log"))
	if err != nil {
		return err
	}
	kept, err := supervise.StartServer(ctx, s.console.Lines("postgres"),
		func(ctx context.Context, port int) (supervise.Server, error) {
			return localpg.Start(ctx, localpg.Options{Dir: s.file(databaseEntry), Port: port, Log: log})
		})
	if err != nil {
		_ = log.Close()
		return err
	}
	s.onStop(func(ctx context.Context) {
		kept.Stop(ctx)
		_ = log.Close()
	})
	s.servers.Database = localpg.URL(kept.Port(), "postgres")
	return nil
}

func (s *Stack) startNATS() error {
	if s.settings.NATSURL != "" {
		s.servers.NATS = s.settings.NATSURL
		return nil
	}
	lines := s.console.Lines("nats")
	server, err := localnats.Start(localnats.Options{
		Dir: s.file("nats"),
		Log: func(line string) { lines.Printf("%s", line) },
	})
	if err != nil {
		return err
	}
	s.onStop(func(context.Context) { server.Stop() })
	s.servers.NATS = server.URL()
	return nil
}

func (s *Stack) startRedis() error {
	if s.settings.RedisURL != "" {
		s.servers.Redis = s.settings.RedisURL
		return nil
	}
	server, err := localredis.Start(0)
	if err != nil {
		return err
	}
	s.onStop(func(context.Context) { server.Stop() })
	s.servers.Redis = server.URL()
	return nil
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
	address := S3Address{AccessKey: "capzone", SecretKey: strings.TrimSpace(string(secret))}
	lines := s.console.Lines("s3")
	kept, err := supervise.StartServer(ctx, lines, func(ctx context.Context, port int) (supervise.Server, error) {
		return locals3.Start(ctx, locals3.Options{
			Program: s.program(s3Package), Dir: s.file("s3"), Port: port,
			AccessKey: address.AccessKey, SecretKey: address.SecretKey, Log: lines,
		})
	})
	if err != nil {
		return err
	}
	s.onStop(kept.Stop)
	address.Endpoint = locals3.Endpoint(kept.Port())
	s.servers.S3 = address
	return nil
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
