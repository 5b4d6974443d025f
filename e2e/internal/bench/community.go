package bench

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"

	"capzone.dev/e2e/internal/fill"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/stack"
)

// These scripts fill the databases with a large community directly, because the services would take hours for it.
var (
	//go:embed community/players.sql
	playersSQL string
	//go:embed community/maps.sql
	mapsSQL string
	//go:embed community/records.sql
	recordsSQL string
)

// The maps of the community that are measured by name.
const (
	bigMap   = 0    // has 10,000 records
	giantMap = 2000 // has 1,000,000
)

func mapID(n int) string       { return fmt.Sprintf("01970000-0000-7001-8000-%012x", n) }
func recordID(m, n int) string { return fmt.Sprintf("01970000-0000-7003-8000-%012x", m<<24|n) }

// writers are the players who submit records, and the maps on which they do, made through the public API.
var writers = world.New(41, world.Size{Players: 16, Maps: 16})

// up starts a stack on the folder of the last run, or fills a new one if the community has changed.
func up(ctx context.Context, dataDir string, settings map[string]string, say func(string)) (*stack.Running, error) {
	keyFile, wanted := filepath.Join(dataDir, "community"), playersSQL+mapsSQL+recordsSQL
	if filled, err := os.ReadFile(keyFile); err == nil && string(filled) == wanted {
		return stack.Up(ctx, dataDir, settings)
	}
	if err := errors.Join(os.RemoveAll(dataDir), os.MkdirAll(dataDir, 0o755)); err != nil {
		return nil, err
	}
	say("filling a stack once, for this and later runs (takes some minutes)")
	running, err := stack.Up(ctx, dataDir, settings)
	if err != nil {
		return nil, err
	}
	for _, database := range []struct{ service, sql string }{
		{"players", playersSQL}, {"maps", mapsSQL}, {"records", recordsSQL},
	} {
		if err := fillDatabase(ctx, running.Stack, database.service, database.sql); err != nil {
			return nil, errors.Join(fmt.Errorf("database of %s: %w", database.service, err), running.Down())
		}
	}
	if _, err := fill.Fill(ctx, running.Stack, writers, say); err != nil {
		return nil, errors.Join(err, running.Down())
	}
	// The memory of the filled stack is not that of a stack that serves.
	if err := errors.Join(running.Down(), os.WriteFile(keyFile, []byte(wanted), 0o600)); err != nil {
		return nil, err
	}
	return stack.Up(ctx, dataDir, settings)
}

// fillDatabase writes a part of the community into a database without triggers: what these count is in the script.
func fillDatabase(ctx context.Context, s stack.Stack, service, sql string) error {
	url, err := s.Database(service)
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	const settings = `
		set session_replication_role = replica;
		set synchronous_commit = off;
		set statement_timeout = 0;
		set work_mem = '128MB';
	`
	if _, err := conn.Exec(ctx, settings+sql); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "vacuum (analyze)")
	return err
}
