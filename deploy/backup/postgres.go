package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var errUnreadable = errors.New("DATABASE_URL is no URL like postgres://user:password@host:port/database")

// urlOf returns the address of a service's database. What a service's own
// address may say of its pool (pool_max_conns), the server and its tools do not
// know.
func (b backup) urlOf(service string) (*url.URL, error) {
	address, err := url.Parse(b.cfg.DatabaseURL)
	if err != nil {
		return nil, errUnreadable
	}
	address.Path = "/" + database(service)
	query := address.Query()
	for name := range query {
		if strings.HasPrefix(name, "pool_") {
			query.Del(name)
		}
	}
	address.RawQuery = encoded(query)
	return address, nil
}

// encoded writes blanks as PostgreSQL's tools read them, which do not know of "+".
func encoded(query url.Values) string { return strings.ReplaceAll(query.Encode(), "+", "%20") }

// on does something on a service's database.
func (b backup) on(ctx context.Context, service string, do func(conn *pgx.Conn) error) error {
	address, err := b.urlOf(service)
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, address.String())
	if err != nil {
		return fmt.Errorf("database of %s: %w", service, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := do(conn); err != nil {
		return fmt.Errorf("database of %s: %w", service, err)
	}
	return nil
}

// dump writes a database, as it is at one moment, to a file.
func (b backup) dump(ctx context.Context, service, file string) error {
	return b.tool(ctx, service, "pg_dump", "--format", "custom", "--no-owner", "--no-privileges", "--file", file)
}

// load reads a file into an empty database, all of it or nothing. What it makes
// belongs to the database's owner, who may be another than who restores.
func (b backup) load(ctx context.Context, service, file string) error {
	var owner string
	err := b.on(ctx, service, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `select pg_get_userbyid(datdba) from pg_database where datname = current_database()`).Scan(&owner)
	})
	if err != nil {
		return err
	}
	return b.tool(ctx, service, "pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--role", owner, file)
}

// tool runs one of PostgreSQL's own programs on a service's database. The
// password is in its environment, where other users do not see it.
func (b backup) tool(ctx context.Context, service, name string, arguments ...string) error {
	address, err := b.urlOf(service)
	if err != nil {
		return err
	}
	environment := os.Environ()
	if password, ok := address.User.Password(); ok {
		address.User = url.User(address.User.Username())
		environment = append(environment, "PGPASSWORD="+password)
	}
	if err := dropForeignSettings(address); err != nil {
		return err
	}
	if b.cfg.PGBin != "" {
		name = filepath.Join(b.cfg.PGBin, name)
	}
	command := exec.CommandContext(ctx, name, append([]string{"--dbname", address.String()}, arguments...)...)
	command.Env = environment
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s of %s: %w\n%s", filepath.Base(name), service, err, strings.TrimSpace(string(output)))
	}
	return nil
}

// toolSettings are those of an address that pgx hands on to the server and the
// tools take themselves.
var toolSettings = []string{
	"application_name", "client_encoding", "options", "hostaddr", "gssencmode", "sslcrl", "sslcrldir", "sslcompression",
	"keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout",
}

// dropForeignSettings drops from an address what the tools refuse: settings of
// pgx, and those of sessions, such as statement_timeout, which concern a service.
func dropForeignSettings(address *url.URL) error {
	known, err := pgconn.ParseConfig(address.String())
	if err != nil {
		return errUnreadable // the error of pgx quotes the address
	}
	query := address.Query()
	for name := range known.RuntimeParams { // all that is none of PostgreSQL's own for a connection
		if !slices.Contains(toolSettings, name) {
			query.Del(name)
		}
	}
	address.RawQuery = encoded(query)
	return nil
}
