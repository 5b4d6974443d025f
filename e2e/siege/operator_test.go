package siege_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
)

// A dump whose process is killed between two of its tables is not shown. The next one is complete.
func TestDumps_interrupted(t *testing.T) {
	db := database(t, "records")
	held, err := db.Begin(t.Context())
	require.NoError(t, err)
	_, err = held.Exec(t.Context(), "lock table records")
	require.NoError(t, err)
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	ended := make(chan error, 1)
	go func() {
		_, err := system.Operate(ctx, "records", "dump")
		ended <- err
	}()
	// The files of maps and players are written before those of records.
	waitsForRecords := func() (waits bool) {
		err := held.QueryRow(t.Context(), `
			select exists (
				select from pg_locks table_lock join pg_locks dump_lock using (pid)
				where table_lock.relation = 'records'::regclass and not table_lock.granted
					and dump_lock.locktype = 'advisory')`).Scan(&waits)
		return err == nil && waits
	}
	waits := false
	for range 2 { // a dump waits for 15 seconds before it reads
		waits = waits || eventually.Poll(waitsForRecords)
	}
	if !waits {
		t.Error("the dump does not wait for the records")
	}
	kill()
	if err := <-ended; err == nil {
		t.Error("the dump was not interrupted")
	}
	require.NoError(t, held.Rollback(t.Context()))
	visitor := newVisitor()
	answer, err := visitor.Send(t.Context(), site.Request{Path: "/dumps/latest", AtRoot: true})
	if err != nil || answer.Status != http.StatusNotFound {
		t.Errorf("an interrupted dump: %d %.100s, %v", answer.Status, answer.Body, err)
	}

	eventually.WaitFor(t, "another dump", func() bool {
		_, err := system.Operate(t.Context(), "records", "dump")
		return err == nil
	})
	answer, err = visitor.Send(t.Context(), site.Request{Path: "/dumps/latest", AtRoot: true})
	require.NoError(t, err)
	if answer.Status == http.StatusFound {
		answer, err = visitor.Send(t.Context(), site.Request{Path: answer.Header.Get("Location"), AtRoot: true})
		require.NoError(t, err)
	}
	var manifest struct {
		Date  string
		Files []struct {
			Name, SHA256 string
			Size         int
		}
	}
	require.NoError(t, json.Unmarshal(answer.Body, &manifest))
	if len(manifest.Files) == 0 {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	for _, f := range manifest.Files {
		path := "/dumps/" + manifest.Date + "/" + f.Name
		answer, err := visitor.Send(t.Context(), site.Request{Path: path, AtRoot: true})
		sum := sha256.Sum256(answer.Body)
		if err != nil || len(answer.Body) != f.Size || hex.EncodeToString(sum[:]) != f.SHA256 {
			t.Errorf("%s: %d, %d bytes, want %d; %v", path, answer.Status, len(answer.Body), f.Size, err)
		}
	}
}

// The rows of an imported file that carry formulas, markup, control characters or 10 MB are refused. The others are
// listed.
func TestImports_of_hostile_files(t *testing.T) {
	rows := []string{
		"map id,name,authors,page",
		`900001,"=HYPERLINK(""https://evil.example"",""Sky"")",mossfoot,`,
		"900002,@SUM(A1:A9),mossfoot,",
		"900003,<script>alert(1)</script>,mossfoot,",
		"900004,Sky\x1b[2J,mossfoot,",
		"900005," + strings.Repeat("a", 10<<20) + ",mossfoot,",
		"900006,Sky,mossfoot,javascript:alert(1)",
		"900007,Sky,=mossfoot,",
		"=900008,Sky,mossfoot,",
		"900009,An honest map,mossfoot,https://bonk.io/maps/900009",
	}
	file := filepath.Join(t.TempDir(), "maps.csv")
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(rows, "\n")), 0o600))
	report, err := system.Operate(t.Context(), "maps", "import", file)
	require.NoError(t, err)
	if !strings.Contains(report, "added: 1, changed: 0, unchanged: 0, already on the site: 0, refused: 8.") ||
		strings.Contains(report, "\x1b") || len(report) > 4<<10 {
		t.Errorf("report:\n%.4000q", report)
	}
	answer, err := newVisitor().Send(t.Context(), site.Request{Path: "/maps/listed"})
	require.NoError(t, err)
	var listed struct{ Data []struct{ Name string } }
	require.NoError(t, json.Unmarshal(answer.Body, &listed))
	if len(listed.Data) != 1 || listed.Data[0].Name != "An honest map" {
		t.Errorf("listed: %s", answer.Body)
	}
}
