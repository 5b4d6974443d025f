// Package pgtest gives each test a PostgreSQL database of its own, cloned from a migrated template.
//
// The server is the one of TEST_DATABASE_URL (`make test` starts one for everything; the role must be allowed
// to create databases), else one that the test binary starts at its first need and that ends with
// it. Neither needs a TestMain.
package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/require"
)

// Database returns the URL of a fresh database, which is dropped when the test ends, connections or not.
//
// It is a copy of the template of that name, which migrate makes from an empty database the first time in a process.
func Database(tb testing.TB, template string, migrate func(ctx context.Context, url string) error) string {
	tb.Helper()
	ctx := tb.Context()
	s := started(tb)
	source, err := s.template(ctx, template, migrate)
	if err != nil {
		tb.Fatalf("template %s: %v", template, err)
	}
	name := databasePrefix + strings.ToLower(rand.Text())
	if err := s.create(ctx, name, source); err != nil {
		tb.Fatalf("copy of template %s: %v", template, err)
	}
	tb.Cleanup(func() {
		// The test's own context has ended by now.
		if err := s.drop(context.Background(), name); err != nil {
			tb.Errorf("drop the test's database: %v", err)
		}
	})
	return s.url(name)
}

// Application returns the URL of a database for a role that owns nothing, as DATABASE_URL of a deployment: the
// role has no rights until postgres.Grant. Tests of all processes share it.
func Application(tb testing.TB, ownerURL string) string {
	tb.Helper()
	s := started(tb)
	address, err := url.Parse(ownerURL)
	require.NoError(tb, err)
	password, _ := address.User.Password()
	if err := s.createRole(tb.Context(), applicationRole, password); err != nil {
		tb.Fatalf("role %s: %v", applicationRole, err)
	}
	address.User = url.UserPassword(applicationRole, password)
	return address.String()
}

// started returns the server, started if need be.
func started(tb testing.TB) *cluster {
	tb.Helper()
	s, err := server()
	if err != nil {
		tb.Fatalf("PostgreSQL for the test: %v", err)
	}
	return s
}

const applicationRole = "capzone_test_application"

const (
	databasePrefix = "capzone_test_"
	templatePrefix = "capzone_template_"
)

// cluster is the server that this process's tests share.
type cluster struct {
	address *url.URL
	admin   *pgxpool.Pool

	mu        sync.Mutex
	templates map[string]func() (string, error) // by the caller's name
}

var server = sync.OnceValues(func() (*cluster, error) {
	address := os.Getenv("TEST_DATABASE_URL")
	if address == "" {
		port, err := freeport.Pick()
		if err != nil {
			return nil, err
		}
		// It ends with this process.
		if _, err := localpg.StartTemporary(context.Background(), "", port); err != nil {
			return nil, err
		}
		address = localpg.URL(port, "postgres")
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("TEST_DATABASE_URL is not a URL like postgres://user:password@host:port/database")
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("TEST_DATABASE_URL: %w", err)
	}
	config.MaxConns = 4
	config.MaxConnIdleTime = 10 * time.Second
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, err
	}
	return &cluster{address: parsed, admin: pool, templates: map[string]func() (string, error){}}, nil
})

func (c *cluster) url(database string) string {
	address := *c.address
	address.Path = "/" + database
	return address.String()
}

// template returns the name of the migrated database to copy, created by the first test that needs it.
func (c *cluster) template(
	ctx context.Context, name string, migrate func(context.Context, string) error,
) (string, error) {
	c.mu.Lock()
	made, ok := c.templates[name]
	if !ok {
		made = sync.OnceValues(func() (string, error) {
			return c.makeTemplate(context.WithoutCancel(ctx), name, migrate)
		})
		c.templates[name] = made
	}
	c.mu.Unlock()
	return made()
}

// makeTemplate makes a database for this process and migrates it.
func (c *cluster) makeTemplate(
	ctx context.Context, name string, migrate func(context.Context, string) error,
) (string, error) {
	template := templatePrefix + name + "_" + strings.ToLower(rand.Text()[:16])
	if err := c.create(ctx, template, "template0"); err != nil {
		return "", err
	}
	if err := migrate(ctx, c.url(template)); err != nil {
		return "", errors.Join(fmt.Errorf("migrate: %w", err), c.drop(ctx, template))
	}
	return template, nil
}

// createTries covers the moment in which a connection to the template, just closed by its client, is still
// being taken down by the server.
const createTries = 50

// create copies a template by its files, which takes less than half the time of a copy by the write-ahead log.
func (c *cluster) create(ctx context.Context, name, template string) error {
	for try := 1; ; try++ {
		_, err := c.admin.Exec(ctx, `CREATE DATABASE `+quote(name)+` TEMPLATE `+quote(template)+` STRATEGY file_copy`)
		refused, ok := errors.AsType[*pgconn.PgError](err)
		if try == createTries || !ok || refused.Code != objectInUse {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// objectInUse is PostgreSQL's code for a template with connections.
const objectInUse = "55006"

// createRole creates a role, unless it exists.
func (c *cluster) createRole(ctx context.Context, name, password string) error {
	const formatSQL = `SELECT format('CREATE ROLE %I LOGIN PASSWORD %L', $1::text, $2::text)`
	var statement string
	if err := c.admin.QueryRow(ctx, formatSQL, name, password).Scan(&statement); err != nil {
		return err
	}
	_, err := c.admin.Exec(ctx, statement)
	refused, ok := errors.AsType[*pgconn.PgError](err)
	if ok && (refused.Code == duplicateObject || refused.Code == uniqueViolation) {
		return nil // by another process, perhaps at this moment
	}
	return err
}

// PostgreSQL's codes for a role that exists, and for one that another connection creates at the same time.
const (
	duplicateObject = "42710"
	uniqueViolation = "23505"
)

func (c *cluster) drop(ctx context.Context, name string) error {
	_, err := c.admin.Exec(ctx, `DROP DATABASE IF EXISTS `+quote(name)+` WITH (FORCE)`)
	return err
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
