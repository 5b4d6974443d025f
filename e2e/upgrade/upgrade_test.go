// Package upgrade holds the test that upgrades the databases of an earlier version. The files in testdata are dumps
// of the four databases of that version, made by pg_dump, and the answers of its public API.
package upgrade_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/e2e/outside"
	"capzone.dev/e2e/stack"
)

// TestUpgrade starts the site on the databases of an earlier version, and expects the answers that the earlier
// version gave: leaderboards, searches, profiles and totals. Answers may have additional fields.
func TestUpgrade(t *testing.T) {
	folder, err := os.MkdirTemp("", "capzone-upgrade-") //nolint:usetesting // PostgreSQL's user cannot enter t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	servers, err := outside.Start(t.Context(), folder, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := servers.Stop(context.Background()); err != nil { // the test's context has ended
			t.Error(err)
		}
	})
	for _, service := range []string{"auth", "maps", "players", "records"} {
		restore(t, servers.Settings()["DATABASE_URL"], "capzone_"+service, "testdata/"+service+".sql.gz")
	}
	site, err := stack.Up(t.Context(), folder, servers.Settings())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := site.Down(); err != nil || t.Failed() {
			t.Errorf("the stack: %v\n%s", err, site.Log())
		}
	})

	for _, before := range answers(t) {
		var after any
		same := func() bool {
			after = get(t, site.Site+"/api/v1"+before.Path)
			return cmp.Equal(before.Answer, common(before.Answer, after))
		}
		// Copies of other services' entities may still follow an event that was published late.
		if !eventually.Poll(same) {
			t.Errorf("GET %s (-before +after):\n%s", before.Path, cmp.Diff(before.Answer, common(before.Answer, after)))
		}
	}
}

// restore creates a database and runs a dump in it.
func restore(t *testing.T, server, database, dump string) {
	t.Helper()
	cfg, err := pgx.ParseConfig(server)
	if err != nil {
		t.Fatal(err)
	}
	execute(t, cfg, "create database "+database)
	cfg.Database = database
	execute(t, cfg, string(unzip(t, dump)))
}

// execute runs statements on a connection of its own, because a dump changes the connection's settings.
func execute(t *testing.T, cfg *pgx.ConnConfig, statements string) {
	t.Helper()
	conn, err := pgx.ConnectConfig(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.PgConn().Exec(t.Context(), statements).ReadAll(); err != nil {
		t.Fatalf("%s: %v", cfg.Database, err)
	}
}

// recorded is what the earlier version answered to a GET.
type recorded struct {
	Path   string `json:"path"`
	Answer any    `json:"answer"`
}

func answers(t *testing.T) []recorded {
	t.Helper()
	var all []recorded
	if err := json.Unmarshal(unzip(t, "testdata/answers.json.gz"), &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 70 {
		t.Fatalf("only %d answers", len(all))
	}
	return all
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

func unzip(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
