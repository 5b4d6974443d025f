package stack

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// duplicateDatabase is PostgreSQL's code for a database that exists.
const duplicateDatabase = "42P04"

// makeDatabases makes a database for each kind that has one, where it is absent.
func makeDatabases(ctx context.Context, address string, kinds []Kind) error {
	// It may size the services' pools, which is not for the server.
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
		if !kind.Database {
			continue
		}
		name := databaseName(kind.Name)
		var exists bool
		err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name).Scan(&exists)
		if err == nil && !exists {
			_, err = conn.Exec(ctx, `CREATE DATABASE `+pgx.Identifier{name}.Sanitize())
		}
		var refused *pgconn.PgError
		if errors.As(err, &refused) && refused.Code == duplicateDatabase {
			continue // another stack on the same server was faster
		}
		if err != nil {
			return fmt.Errorf("database %s: %w", name, err)
		}
	}
	return nil
}

func databaseName(kind string) string { return "capzone_" + kind }

// databaseURL is the address of another database on the same server.
func databaseURL(address, database string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return address // ReadSettings has refused it before
	}
	parsed.Path = "/" + database
	return parsed.String()
}
