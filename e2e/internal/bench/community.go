package bench

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"

	"capzone.dev/e2e/internal/fill"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

// communitySQL fills the databases with a large community, past the services, which would take hours for it.
//
//go:embed community/*.sql
var communitySQL embed.FS

// The maps of the community that are measured by name.
const (
	bigMap     = 0    // has 10,000 records
	giantMap   = 2000 // has 1,000,000
	communitys = 100_000
)

func mapID(n int) string       { return fmt.Sprintf("01970000-0000-7001-8000-%012x", n) }
func recordID(m, n int) string { return fmt.Sprintf("01970000-0000-7003-8000-%012x", m<<24|n) }

// writers are the players who submit records, and the maps on which they do, made through the public API.
var writers = world.New(41, world.Size{Players: 16, Maps: 16})

// up starts a stack on the folder of the last run, or fills a new one where the community has changed.
func up(ctx context.Context, dataDir string, settings map[string]string, say func(string)) (*stack.Running, error) {
	key := sha256.New()
	services := []string{"players", "maps", "records"}
	for _, service := range services {
		text, err := communitySQL.ReadFile("community/" + service + ".sql")
		if err != nil {
			return nil, err
		}
		key.Write(text)
	}
	keyFile, wanted := filepath.Join(dataDir, "community"), hex.EncodeToString(key.Sum(nil))
	if kept, err := os.ReadFile(keyFile); err == nil && string(kept) == wanted {
		return stack.Up(ctx, dataDir, settings)
	}
	if err := errors.Join(stack.Reset(ctx, dataDir), os.MkdirAll(dataDir, 0o755)); err != nil {
		return nil, err
	}
	say("filling a stack once, for this and later runs (takes some minutes)")
	running, err := stack.Up(ctx, dataDir, settings)
	if err != nil {
		return nil, err
	}
	for _, service := range services {
		if err := fillDatabase(ctx, running.Stack, service); err != nil {
			return nil, errors.Join(fmt.Errorf("database of %s: %w", service, err), running.Down())
		}
	}
	options := fill.Options{Site: site.New(running.Site), World: writers, Operator: running}
	if _, err := fill.Fill(ctx, options); err != nil {
		return nil, errors.Join(err, running.Down())
	}
	return running, os.WriteFile(keyFile, []byte(wanted), 0o600)
}

// fillDatabase writes the community into a database, without triggers: what they count is in the scripts.
func fillDatabase(ctx context.Context, s stack.Stack, service string) error {
	text, err := communitySQL.ReadFile("community/" + service + ".sql")
	if err != nil {
		return err
	}
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
	if _, err := conn.Exec(ctx, settings+string(text)); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "vacuum (analyze)")
	return err
}
