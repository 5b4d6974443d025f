package postgres

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var platformMigrations embed.FS

// platformVersions is where goose keeps which of the platform's migrations have
// run; a service's own are kept in goose's usual table.
const platformVersions = "goose_platform_version"

// Migrate brings the database at url up to date: first the tables that every service has (outbox, processed messages,
// pending uploads, audit), then the service's own files in service. Replicas that start together wait for each other.
func Migrate(ctx context.Context, url string, service fs.FS) error {
	// As the pool reads it: the url may name the pool's size, which the server does not know.
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return fmt.Errorf("migrate: database url: %w", err)
	}
	db := stdlib.OpenDB(*cfg.ConnConfig)
	defer db.Close()

	platform, err := fs.Sub(platformMigrations, "migrations")
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if err := up(ctx, db, platform, goose.WithTableName(platformVersions)); err != nil {
		return fmt.Errorf("migrate the platform's tables: %w", err)
	}
	return Wrap(up(ctx, db, service), "migrate")
}

func up(ctx context.Context, db *sql.DB, files fs.FS, options ...goose.ProviderOption) error {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return err
	}
	options = append(options, goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true))
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, options...)
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// grantSQL gives the role %[1]s the rights to read and change rows, but no tables. Rows of audit logs can be added and
// read, and not changed or removed. The lock orders replicas that start together.
const grantSQL = `
	begin;
	select pg_advisory_xact_lock(hashtextextended('grant', 0));
	grant usage on schema public to %[1]s;
	grant select, insert, update, delete on all tables in schema public to %[1]s;
	grant usage on all sequences in schema public to %[1]s;
	do $$ declare log regclass; begin
		for log in select oid from pg_class where relnamespace = 'public'::regnamespace and relname in ('audit', 'audit_log')
		loop
			execute format('revoke update, delete on %%s from %[1]s', log);
		end loop;
	end $$;
	revoke insert, update, delete on goose_db_version, goose_platform_version from %[1]s;
	commit`

// Grant gives the role of applicationURL its rights in the migrated database at ownerURL, whose role owns the tables.
func Grant(ctx context.Context, ownerURL, applicationURL string) error {
	owner, err := pgxpool.ParseConfig(ownerURL)
	if err != nil {
		return fmt.Errorf("grant: the owner's database url: %w", err)
	}
	application, err := pgxpool.ParseConfig(applicationURL)
	if err != nil {
		return fmt.Errorf("grant: database url: %w", err)
	}
	conn, err := pgx.ConnectConfig(ctx, owner.ConnConfig)
	if err != nil {
		return fmt.Errorf("grant: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	role := pgx.Identifier{application.ConnConfig.User}.Sanitize()
	_, err = conn.Exec(ctx, fmt.Sprintf(grantSQL, role), pgx.QueryExecModeSimpleProtocol)
	return Wrap(err, "grant to %s", role)
}
