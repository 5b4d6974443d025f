package stack

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/testservers"
)

// startServers starts the servers that the environment does not name, and makes the databases. After an error
// stopServers stops what was started.
func (s *Stack) startServers(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, start := range []func(context.Context) error{s.startDatabase, s.startNATS, s.startRedis, s.startS3} {
		group.Go(func() error { return start(ctx) })
	}
	return group.Wait()
}

func (s *Stack) startDatabase(ctx context.Context) error {
	s.servers.Database = s.Settings.DatabaseURL
	if s.servers.Database == "" {
		err := s.startServer(databaseEntry, func(o testservers.Options) (*child.Process, error) {
			s.servers.Database = localpg.URL(o.Port, "postgres")
			return localpg.Start(ctx, "", o)
		})
		if err != nil {
			return err
		}
	}
	return makeDatabases(ctx, s.servers.Database, s.Kinds)
}

func (s *Stack) startNATS(ctx context.Context) error {
	if s.Settings.NATSURL != "" {
		s.servers.NATS = s.Settings.NATSURL
		return nil
	}
	return s.startServer("nats", func(o testservers.Options) (*child.Process, error) {
		s.servers.NATS = "nats://" + o.Address()
		return testservers.StartNATS(ctx, o)
	})
}

func (s *Stack) startRedis(ctx context.Context) error {
	if s.Settings.RedisURL != "" {
		s.servers.Redis = s.Settings.RedisURL
		return nil
	}
	return s.startServer("redis", func(o testservers.Options) (*child.Process, error) {
		s.servers.Redis = "redis://" + o.Address() + "/0"
		return testservers.StartRedis(ctx, o)
	})
}

func (s *Stack) startS3(ctx context.Context) error {
	if s.Settings.S3Endpoint != "" {
		s.servers.S3 = S3Address{s.Settings.S3Endpoint, s.Settings.S3AccessKey, s.Settings.S3SecretKey}
		return nil
	}
	secret, err := os.ReadFile(s.file("s3-secret"))
	if err != nil {
		return err
	}
	keys := testservers.Keys{Access: "capzone", Secret: strings.TrimSpace(string(secret))}
	return s.startServer("s3", func(o testservers.Options) (*child.Process, error) {
		s.servers.S3 = S3Address{"http://" + o.Address(), keys.Access, keys.Secret}
		return testservers.StartS3(ctx, o, keys)
	})
}

// startServer starts a server on a free port, which runs until stopServers. Its data is in the folder name, its output
// in the file name.log. The stack stops where it ends before.
func (s *Stack) startServer(name string, start func(o testservers.Options) (*child.Process, error)) error {
	port, err := freeport.Pick()
	if err != nil {
		return err
	}
	log, err := os.Create(s.file(name + ".log"))
	if err != nil {
		return err
	}
	running, err := start(testservers.Options{Port: port, Dir: s.file(name), Log: log})
	if err != nil {
		return errors.Join(err, log.Close())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = append(s.running, running)
	go func() {
		<-running.Done()
		_ = log.Close()
		s.lost <- fmt.Errorf("%s ended by itself (%s): see %s", name, running.State(), log.Name())
	}()
	return nil
}

// stopServers stops what startServers started, all at once, because they do not need each other.
func (s *Stack) stopServers() {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	var group errgroup.Group
	for _, running := range s.running {
		group.Go(func() error { return running.Stop(ctx) })
	}
	if err := group.Wait(); err != nil {
		s.console.Printf("a server did not stop well: %v", err)
	}
}

// stopTimeout is how long each stage, and the servers after them, may take to stop.
const stopTimeout = 10 * time.Second

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
	// Another stack on the same server waits.
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext('capzone databases'))`); err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	for _, kind := range kinds {
		if !kind.Service {
			continue
		}
		if err := makeDatabase(ctx, conn, kind.Name, cfg.ConnConfig.Password); err != nil {
			return fmt.Errorf("database %s: %w", databaseName(kind.Name), err)
		}
	}
	return nil
}

// makeDatabase creates a service's database and role where they are absent. The role gets the password.
func makeDatabase(ctx context.Context, conn *pgx.Conn, kind, password string) error {
	const existSQL = `
		SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1), EXISTS (SELECT FROM pg_roles WHERE rolname = $2)`
	var hasDatabase, hasRole bool
	err := conn.QueryRow(ctx, existSQL, databaseName(kind), roleName(kind)).Scan(&hasDatabase, &hasRole)
	if err == nil && !hasDatabase {
		_, err = conn.Exec(ctx, `CREATE DATABASE `+pgx.Identifier{databaseName(kind)}.Sanitize())
	}
	if err != nil {
		return err
	}
	verb := "CREATE"
	if hasRole {
		verb = "ALTER"
	}
	var statement string
	const roleSQL = `SELECT format('%s ROLE %I LOGIN PASSWORD %L', $1::text, $2::text, $3::text)`
	if err := conn.QueryRow(ctx, roleSQL, verb, roleName(kind), password).Scan(&statement); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	return err
}

// roleName returns the role with which a service connects.
func roleName(kind string) string { return databaseName(kind) + "_app" }

func databaseName(kind string) string { return "capzone_" + kind }

// databaseURLs returns the addresses of a service's database on a server, for its owner and for the service's role,
// which has the same password.
func databaseURLs(server, kind string) (owner, service string) {
	address, err := url.Parse(server)
	if err != nil {
		return server, server // ReadSettings has refused it before
	}
	address.Path = "/" + databaseName(kind)
	owner = address.String()
	if password, ok := address.User.Password(); ok {
		address.User = url.UserPassword(roleName(kind), password)
	} else {
		address.User = url.User(roleName(kind))
	}
	return owner, address.String()
}
