// Package upgrade holds the test that upgrades the databases of an earlier version. The files in testdata are dumps
// of the four databases of that version, made by pg_dump, and the answers of its public API.
package upgrade_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/e2e/harness"
	"capzone.dev/e2e/outside"
)

// site is the address of the site on the upgraded databases.
var site string

func TestMain(m *testing.M) {
	harness.Main(m, harness.Options{Name: "upgrade", Outside: true, Prepare: restore, Ready: func(s harness.System) error {
		site = s.Running.Site
		return nil
	}})
}

// restore creates the databases of the earlier version.
func restore(ctx context.Context, servers *outside.Servers) error {
	for _, service := range []string{"auth", "maps", "players", "records"} {
		cfg, err := pgx.ParseConfig(servers.Settings()["DATABASE_URL"])
		if err != nil {
			return err
		}
		dump, err := unzip("testdata/" + service + ".sql.gz")
		if err != nil {
			return err
		}
		if err := execute(ctx, cfg, "create database capzone_"+service); err != nil {
			return err
		}
		cfg.Database = "capzone_" + service
		if err := execute(ctx, cfg, string(dump)); err != nil {
			return err
		}
	}
	return nil
}

// execute runs statements on a connection of its own, because a dump changes the connection's settings.
func execute(ctx context.Context, cfg *pgx.ConnConfig, statements string) error {
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return err
	}
	_, err = conn.PgConn().Exec(ctx, statements).ReadAll()
	return errors.Join(err, conn.Close(ctx))
}

// TestUpgrade expects the answers that the earlier version gave: leaderboards, searches, profiles and totals. Answers
// may have additional fields.
func TestUpgrade(t *testing.T) {
	recorded, err := unzip("testdata/answers.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	var answers []struct {
		Path   string
		Answer any
	}
	if err := json.Unmarshal(recorded, &answers); err != nil || len(answers) < 70 {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	for _, before := range answers {
		var after any
		same := func() bool {
			after = get(t, site+"/api/v1"+before.Path)
			return cmp.Equal(before.Answer, common(before.Answer, after))
		}
		// Copies of other services' entities may still follow an event that was published late.
		if !eventually.Poll(same) {
			t.Errorf("GET %s (-before +after):\n%s", before.Path, cmp.Diff(before.Answer, common(before.Answer, after)))
		}
	}
}

func get(t *testing.T, address string) (answer any) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatalf("GET %s: %s: %v", address, response.Status, err)
	}
	return answer
}

// common returns what of got has a counterpart in want: fields of objects that want lacks are left out.
func common(want, got any) any {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return got
		}
		kept := map[string]any{}
		for name, value := range object {
			if old, ok := want[name]; ok {
				kept[name] = common(old, value)
			}
		}
		return kept
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return got
		}
		kept := make([]any, len(list))
		for i := range list {
			kept[i] = common(want[i], list[i])
		}
		return kept
	}
	return got
}

func unzip(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}
