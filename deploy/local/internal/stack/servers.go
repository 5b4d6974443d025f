package stack

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
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
	if err := s.makeDatabases(ctx); err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	return nil
}

func (s *Stack) startNATS(ctx context.Context) error {
	s.servers.NATS = s.Settings.NATSURL
	if s.servers.NATS != "" {
		return nil
	}
	return s.startServer("nats", func(o testservers.Options) (*child.Process, error) {
		s.servers.NATS = "nats://" + o.Address()
		return testservers.StartNATS(ctx, o)
	})
}

func (s *Stack) startRedis(ctx context.Context) error {
	s.servers.Redis = s.Settings.RedisURL
	if s.servers.Redis != "" {
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
	keys := testservers.Keys{Access: "capzone", Secret: rand.Text()} // the data does not depend on the secret
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
	var group sync.WaitGroup
	for _, running := range s.running {
		group.Go(func() { _ = running.Stop(ctx) })
	}
	group.Wait()
}

// stopTimeout is how long each stage, and the servers after them, may take to stop.
const stopTimeout = 10 * time.Second

// makeDatabases creates the databases that are absent, and for each a role that will own nothing: the service's.
func (s *Stack) makeDatabases(ctx context.Context) error {
	// The address may contain the size of the services' pools, which the server does not know.
	cfg, err := pgxpool.ParseConfig(s.servers.Database)
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, kind := range s.Kinds {
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
	address, _ := url.Parse(server) // ReadSettings has refused what is no URL
	address.Path = "/" + databaseName(kind)
	owner = address.String()
	password, _ := address.User.Password()
	address.User = url.UserPassword(roleName(kind), password)
	return owner, address.String()
}
