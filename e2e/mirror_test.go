package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
	"capzone.dev/game/bonkmap"
)

// TestMirror builds a mirror with docs/examples/mirror.sh, from a dump and the live events after it, and compares
// every leaderboard with the API's.
func TestMirror(t *testing.T) {
	t.Parallel()
	needOperator(t)
	for _, tool := range []string{"bash", "curl", "jq", "sqlite3"} {
		testdeps.Program(t, tool, tool)
	}
	root, err := checkout.Root()
	require.NoError(t, err)
	db := filepath.Join(t.TempDir(), "mirror.db")
	mirror := func() {
		program := filepath.Join(root, "docs", "examples", "mirror.sh")
		output := start(t, []string{program}, "bash", "SITE="+capzone.Address(), "DB="+db)
		go func() {
			for output.Scan() {
				t.Log("mirror: " + output.Text())
			}
		}()
	}

	m, entry, author := submitted(t)
	lost, lostEntry, _ := submitted(t)
	ann, bob, cid, eve := newPlayer(t), newPlayer(t), newPlayer(t), newPlayer(t)
	best := finished(t, ann, m, 30_000)
	finished(t, ann, m, 33_000)
	finished(t, cid, m, 32_000)
	restored := finished(t, bob, m, 29_000)
	finished(t, bob, m, 31_000)
	finished(t, eve, m, 28_000)
	onLost := finished(t, ann, lost, 40_000)
	finished(t, ann, lost, 42_000)
	finished(t, bob, lost, 41_000)
	operate(t, "records", "remove", restored.Record.ID, "A mistake.")
	operate(t, "records", "hide", eve.Player.ID, "A test.")
	operate(t, "maps", "remove", lostEntry.ID, "A mistake.")
	dump(t)

	// What happens between the dump and the start of the mirror.
	finished(t, bob, m, 30_500)
	operate(t, "records", "remove", best.Record.ID, "Edited.")
	operate(t, "records", "restore", restored.Record.ID, "It was right.")
	mirror()
	eventually.WaitFor(t, "the mirror to be made", func() bool { _, err := mirrored(t, db, entry.ID); return err == nil })

	// What happens while it runs.
	operate(t, "players", "ban", cid.Player.Name, "A test.")
	operate(t, "records", "hide", cid.Player.ID, "A test.")
	operate(t, "records", "show", eve.Player.ID, "It was a test.")
	operate(t, "maps", "restore", lostEntry.ID, "It was one.")
	kept := newPlayer(t)
	finished(t, kept, m, 35_000)
	operate(t, "players", "merge", bob.Player.Name, kept.Player.Name, "Renamed in the game.")
	next := *m
	next.Shapes = append([]bonkmap.Shape{bonkmap.Box{Width: 33, Height: 33}}, m.Shapes[1:]...)
	version, err := author.SubmitMap(t.Context(), submission(t, &next, author.Player.Name))
	require.NoError(t, err)
	finished(t, ann, &next, 29_000)
	eventually.WaitFor(t, "the map to be restored", func() bool { return len(leaderboard(t, lostEntry.ID)) > 0 })
	operate(t, "records", "remove", onLost.Record.ID, "Edited.")

	// All of the site, with what other tests do meanwhile.
	maps := append(mapIDs(t), entry.ID, version.ID, lostEntry.ID)
	for _, id := range maps {
		var want, got []string
		same := eventually.Poll(func() bool {
			want = leaderboard(t, id)
			got, err = mirrored(t, db, id)
			return err == nil && cmp.Equal(want, got, cmpopts.EquateEmpty())
		})
		if !same {
			t.Errorf("map %s, %v (-site +mirror):\n%s", id, err, cmp.Diff(want, got))
		}
	}
	if rows := leaderboard(t, entry.ID); len(rows) < 4 || len(maps) < 3 {
		t.Errorf("%d maps were compared, one with the rows %v", len(maps), rows)
	}
}

// dump writes the dump of the day, unless there is one. The service may be writing it meanwhile.
func dump(t *testing.T) {
	t.Helper()
	eventually.WaitFor(t, "the dump of the day", func() bool {
		output, err := local.Operate(t.Context(), "records", "dump")
		written := err == nil || strings.Contains(output, "There is a dump of this day")
		if !written && !strings.Contains(output, "Another process is writing a dump") {
			t.Fatal(output, err)
		}
		return written
	})
}

// mirrored returns the rows of a leaderboard in the mirror, as leaderboard does.
func mirrored(t *testing.T, db, mapID string) ([]string, error) {
	t.Helper()
	const rows = `select rank || ' ' || player || ' ' || id || ' ' || time from leaderboard where map = '%s' order by rank`
	out, err := exec.CommandContext(t.Context(), "sqlite3", "-readonly", "-cmd", ".timeout 5000", db,
		fmt.Sprintf(rows, mapID)).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", out, err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' }), nil
}

// listedRecords is a page of records.
type listedRecords struct {
	Data []struct {
		ID     string `json:"_id"`
		Player struct {
			ID string `json:"_id"`
		}
		FinishTime int
		Rank       int
	}
	Pagination struct{ Next *string }
}

// leaderboard returns the rows of a leaderboard of the site, read to its end. A map that is not there has none.
func leaderboard(t *testing.T, mapID string) (rows []string) {
	t.Helper()
	for next := ""; ; {
		var page listedRecords
		if !readAPI(t, "/records?limit=3&map="+mapID+"&after="+url.QueryEscape(next), &page) {
			return nil
		}
		for _, r := range page.Data {
			rows = append(rows, fmt.Sprintf("%d %s %s %d", r.Rank, r.Player.ID, r.ID, r.FinishTime))
		}
		if page.Pagination.Next == nil {
			return rows
		}
		next = *page.Pagination.Next
	}
}

// mapIDs returns the ids of all maps.
func mapIDs(t *testing.T) (ids []string) {
	t.Helper()
	var page struct {
		Data []struct {
			ID string `json:"_id"`
		}
	}
	if !readAPI(t, "/maps/ids?page=1", &page) {
		t.Fatal("no maps")
	}
	for _, m := range page.Data {
		ids = append(ids, m.ID)
	}
	return ids
}

// readAPI reads an answer of the API, and reports whether it was successful.
func readAPI(t *testing.T, path string, answer any) bool {
	t.Helper()
	resp, err := http.Get(capzone.Address() + "/api/v1" + path)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	if resp.StatusCode == http.StatusOK {
		err = json.Unmarshal(body, answer)
	}
	require.NoError(t, err)
	return resp.StatusCode == http.StatusOK
}
