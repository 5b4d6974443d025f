package stack

import (
	"context"
	"fmt"
	"path"
	"path/filepath"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// checkDataVersion returns an error where a service's database has run migrations that the tree does not have: the data
// is of another version of Capzone.
func (s *Stack) checkDataVersion(ctx context.Context) error {
	for _, kind := range s.kinds {
		if !kind.Service {
			continue
		}
		has, err := lastMigration(ctx, databaseURL(s.servers.Database, databaseName(kind.Name)))
		if err != nil {
			return fmt.Errorf("migrations of %s: %w", kind.Name, err)
		}
		if known := newestMigration(filepath.Join(s.root, path.Dir(path.Dir(kind.Package)), "migrations")); has > known {
			return fmt.Errorf("the data is of another version of Capzone (%s has run migration %d, and this version has "+
				"%d): \"make reset\" deletes it, or choose another DATA_DIR", kind.Name, has, known)
		}
	}
	return nil
}

// undefinedTable is PostgreSQL's code for a table that is not there.
const undefinedTable = "42P01"

// lastMigration returns the number of the last migration that a database has run, 0 where it has run none.
func lastMigration(ctx context.Context, address string) (number int, err error) {
	cfg, err := pgxpool.ParseConfig(address)
	if err != nil {
		return 0, err
	}
	conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(ctx) }()
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
