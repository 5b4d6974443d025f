package stack

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// checkDataVersion returns an error where the data is of another version of Capzone: a service's database has run
// migrations that the tree does not have, or that have changed since the last start.
func (s *Stack) checkDataVersion(ctx context.Context) error {
	for _, kind := range s.kinds {
		if !kind.Service {
			continue
		}
		folder := filepath.Join(s.root, path.Dir(path.Dir(kind.Package)), "migrations")
		difference, err := checkMigrations(ctx, databaseURL(s.servers.Database, databaseName(kind.Name)), folder)
		if err != nil {
			return fmt.Errorf("migrations of %s: %w", kind.Name, err)
		}
		if difference != "" {
			return fmt.Errorf("the data is of another version of Capzone (%s %s): \"make reset\" deletes it, or choose "+
				"another DATA_DIR", kind.Name, difference)
		}
	}
	return nil
}

// checkMigrations returns how the migrations that a database has run differ from those of a folder, or an empty text.
// Then it writes those of the folder into the comment of the database, for the next start.
func checkMigrations(ctx context.Context, address, folder string) (difference string, err error) {
	cfg, err := pgxpool.ParseConfig(address)
	if err != nil {
		return "", err
	}
	conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	has, err := lastMigration(ctx, conn)
	if err != nil {
		return "", err
	}
	newest := newestMigration(folder)
	if has > newest {
		return fmt.Sprintf("has run migration %d, and this version has %d", has, newest), nil
	}
	var before string
	err = conn.QueryRow(ctx, `
		SELECT coalesce(shobj_description(oid, 'pg_database'), '') FROM pg_database WHERE datname = current_database()`,
	).Scan(&before)
	if err != nil {
		return "", err
	}
	var last int // at the last start
	if _, err := fmt.Sscanf(before, "migrations 1 to %d", &last); err == nil && has > 0 {
		now, err := describeMigrations(folder, last)
		if err != nil {
			return "", err
		}
		if now != before {
			return fmt.Sprintf("has other tables than its migrations 1 to %d make", last), nil
		}
	}
	now, err := describeMigrations(folder, newest)
	if err == nil {
		_, err = conn.Exec(ctx, "COMMENT ON DATABASE "+pgx.Identifier{cfg.ConnConfig.Database}.Sanitize()+" IS '"+now+"'")
	}
	return "", err
}

// describeMigrations names the migrations of a folder up to a number, with a digest of their statements.
func describeMigrations(folder string, last int) (string, error) {
	digest := sha256.New()
	files, _ := filepath.Glob(filepath.Join(folder, "*.sql"))
	for _, file := range files {
		var number int
		if _, err := fmt.Sscanf(filepath.Base(file), "%d_", &number); err != nil || number > last {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		for line := range strings.Lines(string(text)) {
			statement, _, _ := strings.Cut(line, "--") // a comment changes nothing
			for word := range strings.FieldsSeq(statement) {
				fmt.Fprintln(digest, word)
			}
		}
	}
	return fmt.Sprintf("migrations 1 to %d: %x", last, digest.Sum(nil)), nil
}

// undefinedTable is PostgreSQL's code for a table that is not there.
const undefinedTable = "42P01"

// lastMigration returns the number of the last migration that a database has run, 0 where it has run none.
func lastMigration(ctx context.Context, conn *pgx.Conn) (number int, err error) {
	err = conn.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version`).Scan(&number)
	if isRefusal(err, undefinedTable) {
		return 0, nil
	}
	return number, err
}

// newestMigration returns the number of the newest migration in a folder, 0 where it has none.
func newestMigration(folder string) (newest int) {
	files, _ := filepath.Glob(filepath.Join(folder, "*.sql"))
	for _, file := range files {
		var number int
		if _, err := fmt.Sscanf(filepath.Base(file), "%d_", &number); err == nil {
			newest = max(newest, number)
		}
	}
	return newest
}
