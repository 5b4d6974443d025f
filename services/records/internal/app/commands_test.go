package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/service"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/app"
	"capzone.dev/services/records/internal/httpapi"
)

// What an operator removes or hides is not public, and as before once it is restored or shown.
func TestCommands_decisions(t *testing.T) {
	b := setup(t)
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	best := b.submitted(ann, m, 40_000).Record
	b.submitted(bob, m, 45_000)
	id := best.UnderscoreId
	paths := []string{"/records/" + id, "/download/replays/" + id, "/records/" + id + "/verification"}
	ofRecord := fmt.Sprintf("the record of 00:40.00 on map %s by player %s.\n", m.ID, ann.ID)
	rows := func() (all []string) {
		for _, r := range b.leaderboard(m) {
			all = append(all, fmt.Sprintf("%d %s %d", *r.Rank, r.Player.Name, r.FinishTime))
		}
		return all
	}
	before := rows()
	for _, tt := range []struct {
		args    []string
		printed string
		undo    []string
		undone  string
		refused string // what a submission gets
	}{
		{[]string{"remove", id, "edited", "replay"}, "Removed " + ofRecord, []string{"restore", id, "no edit after all"},
			"Restored " + ofRecord, ""},
		{[]string{"hide", ann.ID, "under investigation"}, "Hid the records of Ann.\n",
			[]string{"show", ann.ID, "nothing found"}, "Showed the records of Ann.\n", "player_hidden"},
	} {
		out, err := b.command(tt.args[0], tt.args[1:]...)
		require.NoError(t, err)
		if out != tt.printed {
			t.Errorf("printed %q, want %q", out, tt.printed)
		}
		b.awaitRecords(m.ID, ann.ID, 1, 0)
		if diff := cmp.Diff([]string{"1 Bob 45000"}, rows()); diff != "" {
			t.Errorf("%s: leaderboard (-want +got):\n%s", tt.args[0], diff)
		}
		for _, path := range paths {
			b.wantCodes(map[string]string{"/api/v1" + path: "record_unknown"})
		}
		if tt.refused != "" {
			if a := b.submit(ann, b.replay(m, "Ann", 39_000)); a.Status != http.StatusForbidden || a.Code != tt.refused {
				t.Errorf("a submission: %d %s", a.Status, a.Raw)
			}
		}
		out, err = b.command(tt.undo[0], tt.undo[1:]...)
		require.NoError(t, err)
		if diff := cmp.Diff(before, rows()); diff != "" || out != tt.undone {
			t.Errorf("printed %q, leaderboard (-before +after):\n%s", out, diff)
		}
		b.awaitRecords(m.ID, ann.ID, 2, 1)
	}
	if got := b.count(`
		select count(*) from audit
		where actor = $1 and action = 'remove record' and subject = $2 and reason = 'edited replay'`,
		service.Operator().ID, id); got != 1 {
		t.Errorf("%d entries of the audit", got)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"restore", id, "why"}, "The record is not removed."},
		{[]string{"remove", id, " "}, "A reason is needed, of at most 500 characters."},
		{[]string{"remove", newID(), "why"}, "There is no such record."},
		{[]string{"show", ann.ID, "why"}, "The player's records are not hidden."},
		{[]string{"remove", id}, service.ErrUsage.Error()},
		{[]string{"restore", id}, service.ErrUsage.Error()},
		{[]string{"rebuild", "now"}, service.ErrUsage.Error()},
		{[]string{"republish", "now"}, service.ErrUsage.Error()},
		{[]string{"sweep", "soon"}, service.ErrUsage.Error()},
		{[]string{"sweep", "-1h"}, service.ErrUsage.Error()},
		{[]string{"sweep", "1h", "please"}, service.ErrUsage.Error()},
	} {
		if _, err := b.command(tt.args[0], tt.args[1:]...); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", strings.Join(tt.args, " "), err, tt.want)
		}
	}
	t.Setenv("DATABASE_URL", "")
	if _, err := servicetest.Command(t, app.Commands, "republish"); err == nil || errors.Is(err, service.ErrUsage) ||
		!strings.Contains(err.Error(), "DATABASE_URL") {
		t.Errorf("without a database: %v", err)
	}
}

func TestCommands_files(t *testing.T) {
	b := setup(t)
	b.storageEnv()
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	store, err := objectstore.Open(t.Context(), b.cfg.For(app.Name))
	require.NoError(t, err)
	orphan := []byte("an upload that broke off")
	upload, err := objectstore.NewUploads(store, b.Pool).Put(t.Context(), objectstore.Key("replays", orphan, ".lbReplay"),
		"text/plain", orphan)
	require.NoError(t, err)
	var id string
	for i, lines := range []string{"Note: ab\n", "Inputs: 1234567890\nNOTE: a\nnote: abcd\n", ""} {
		a := b.submit(ann, append(b.replay(m, "Ann", 50_000+1000*i), lines...))
		id = servicetest.Data[httpapi.Submitted](t, a).Record.UnderscoreId
	}
	for _, step := range []struct {
		args    []string
		printed string
		left    error
	}{
		{nil, "Removed 0 files.\n", nil}, // it may be under way
		{[]string{"0s"}, "Removed 1 files.\n", storedfile.ErrUnknown},
	} {
		out, err := b.command("sweep", step.args...)
		require.NoError(t, err)
		file, err := store.Open(t.Context(), upload.Key)
		if err == nil {
			require.NoError(t, file.Close())
		}
		if out != step.printed || !errors.Is(err, step.left) {
			t.Errorf("sweep %v printed %q; the file: %v", step.args, out, err)
		}
	}
	b.wantCodes(map[string]string{"/api/v1/download/replays/" + id: ""})
	out, err := b.command("labels")
	require.NoError(t, err)
	want := `3 replays read
LABEL     REPLAYS  LINES  BYTES  LONGEST
"inputs"  1        1      10     10
"note"    2        3      7      4
3 replays, 0 missing, 2 unknown labels
`
	assert.Equal(t, "printed", want, out)
}

func TestCommands_rebuild_and_republish(t *testing.T) {
	b := setup(t)
	m, gone, ann := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann")
	b.submitted(ann, m, 41_267)
	b.submitted(ann, gone, 41_267)
	b.publish(m.MapState, ann, event.MapState{ID: gone.ID, Version: 2, Removed: true})
	b.awaitRecords(gone.ID, ann.ID, 0, 1)
	before, stats := b.get("/api/v1/records").Raw, b.get("/api/v1/stats").Raw
	// From here on the owners do not know them: the copies come from the stream alone.
	b.owners.mu.Lock()
	b.owners.maps, b.owners.players = nil, nil
	b.owners.mu.Unlock()

	_, err := b.Pool.Exec(t.Context(), "truncate maps, players")
	require.NoError(t, err)
	for range 2 {
		if out, err := b.command("rebuild"); err != nil || out != "Rebuilt from 3 states.\n" {
			t.Errorf("printed %q, %v", out, err)
		}
	}
	if diff := cmp.Diff(string(before)+string(stats),
		string(b.get("/api/v1/records").Raw)+string(b.get("/api/v1/stats").Raw)); diff != "" {
		t.Errorf("list and totals (-before +after):\n%s", diff)
	}
	stream, err := b.JetStream.Stream(t.Context(), event.StateStream.Name)
	require.NoError(t, err)
	require.NoError(t, stream.Purge(t.Context()))
	if out, err := b.command("republish"); err != nil || !strings.HasPrefix(out, "3 totals") {
		t.Errorf("printed %q, %v", out, err)
	}
	b.awaitRecords(m.ID, ann.ID, 1, 1)
	b.awaitRecords(gone.ID, ann.ID, 0, 1)
}
