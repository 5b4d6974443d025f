// Package upgrade holds the test that runs the present programs on the databases of an earlier version. The files in
// testdata are dumps of these databases and the answers of the public API at that time; record_test.go writes them.
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
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testservers"
	"capzone.dev/e2e/harness"
	"capzone.dev/e2e/outside"
)

// snapshot is the folder of the earlier version.
const snapshot = "testdata/1.0.0"

// services are those with a database.
var services = []string{"auth", "maps", "moderation", "notifications", "players", "records"}

// answer is what the public API answered on a path.
type answer struct {
	Path   string `json:"path"`
	Answer any    `json:"answer"`
}

// address is the address of the site on the earlier databases.
var address string

// TestMain starts the site on the databases of the earlier version. With RECORD=1 it fills a new site, whose databases
// and answers become the snapshot; the test then compares the same site with them. E2E_SITE_URL names a site that has
// these databases already.
func TestMain(m *testing.M) {
	if address = os.Getenv("E2E_SITE_URL"); address != "" {
		os.Exit(m.Run())
	}
	options := harness.Options{Name: "upgrade", Outside: true, Prepare: restore, Ready: func(s harness.System) error {
		address = s.Running.Site
		return nil
	}}
	if os.Getenv("RECORD") != "" {
		options.PostgresHome, options.Prepare, options.Ready = testservers.PostgreSQLHome, nil, record
	}
	harness.Main(m, options)
}

// restore creates the databases of the earlier version.
func restore(ctx context.Context, servers *outside.Servers) error {
	for _, service := range services {
		cfg, err := pgx.ParseConfig(servers.Settings()["DATABASE_URL"])
		if err != nil {
			return err
		}
		dump, err := unzip(snapshot + "/" + service + ".sql.gz")
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
	recorded, err := unzip(snapshot + "/answers.json.gz")
	require.NoError(t, err)
	var answers []answer
	if err := json.Unmarshal(recorded, &answers); err != nil || len(answers) < 20 {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	for _, before := range answers {
		var after any
		same := func() bool {
			if after, err = get(t.Context(), before.Path); err != nil {
				t.Fatal(err)
			}
			return cmp.Equal(before.Answer, common(before.Answer, after))
		}
		// Copies of other services' entities may still follow an event that was published late.
		if !eventually.Poll(same) {
			t.Fatalf("GET %s (-before +after):\n%s", before.Path, cmp.Diff(before.Answer, common(before.Answer, after)))
		}
	}
}

// get returns what the site answers on a path of its public API.
func get(ctx context.Context, path string) (answer any, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/api/v1"+path, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return answer, json.NewDecoder(response.Body).Decode(&answer)
}

// common returns what of got has a counterpart in want: fields of objects that want lacks are left out. Sentences are
// those of want, because they may be written anew.
func common(want, got any) any {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return got
		}
		kept := map[string]any{}
		for name, value := range object {
			if old, ok := want[name]; ok && name == "sentence" {
				kept[name] = old
			} else if ok {
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
