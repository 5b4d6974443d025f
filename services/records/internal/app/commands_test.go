package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/service"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/app"
)

// Removing the best record of the map's first player restores order, totals and copies.
func TestCommands_remove_the_world_record(t *testing.T) {
	b := setup(t)
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	b.submitted(ann, m, 50_000)
	b.submitted(bob, m, 45_000)
	file := b.replay(m, "Ann", 40_000)
	best := servicetest.Data[wireSubmitted](t, b.submit(ann, file))
	if !best.WorldRecord {
		t.Fatalf("submitted %+v", best)
	}
	b.awaitRecords(m.ID, ann.ID, 3, 2)

	out, err := b.command("remove", best.Record.ID, "edited", "replay")
	require.NoError(t, err)
	if want := fmt.Sprintf("Removed the record of 00:40.00 on map %s by player %s.\n", m.ID, ann.ID); out != want {
		t.Errorf("printed %q, want %q", out, want)
	}
	var rows []string
	for _, r := range b.leaderboard(m) {
		rows = append(rows, fmt.Sprintf("%d %s %d", r.Rank, r.Player.Name, r.FinishTime))
	}
	if diff := cmp.Diff([]string{"1 Bob 45000", "2 Ann 50000"}, rows); diff != "" {
		t.Errorf("leaderboard (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int64{"totalMaps": 1, "totalPlayers": 2, "totalRecords": 2}, b.stats()); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
	b.awaitRecords(m.ID, ann.ID, 2, 1)
	b.awaitRecords(m.ID, bob.ID, 2, 1)

	t.Run("the record is not public", func(t *testing.T) {
		for _, path := range []string{"/records/", "/download/replays/"} {
			if a := b.get("/api/v1" + path + best.Record.ID); a.Status != http.StatusNotFound || a.Code != "record_unknown" {
				t.Errorf("%s: %d %s", path, a.Status, a.Code)
			}
		}
	})
	t.Run("the replay stays a duplicate", func(t *testing.T) {
		if got := b.count("select count(*) from records where id = $1 and removed_reason = 'edited replay'",
			best.Record.ID); got != 1 {
			t.Error("the record's row is gone")
		}
		if a := b.submit(ann, file); a.Code != "replay_exists" {
			t.Errorf("the same bytes: %d %s", a.Status, a.Raw)
		}
		if a := b.submit(ann, append(bytes.Clone(file), '\n')); a.Code != "replay_exists" {
			t.Errorf("the same record: %d %s", a.Status, a.Raw)
		}
	})
	t.Run("audit log and fact", func(t *testing.T) {
		if got := b.count(
			`select count(*) from audit
			where actor = $1 and action = 'remove record' and subject = $2 and reason = 'edited replay'`,
			service.Operator().ID,
			best.Record.ID,
		); got != 1 {
			t.Errorf("%d entries", got)
		}
		if got := b.count("select count(*) from outbox where subject = $1", event.RecordRemovedSubject); got != 1 {
			t.Errorf("%d facts", got)
		}
	})
	t.Run("the record is restored", func(t *testing.T) {
		out, err := b.command("restore", best.Record.ID, "no edit after all")
		require.NoError(t, err)
		if want := fmt.Sprintf("Restored the record of 00:40.00 on map %s by player %s.\n", m.ID, ann.ID); out != want {
			t.Errorf("printed %q, want %q", out, want)
		}
		b.awaitRecords(m.ID, ann.ID, 3, 2)
		history := servicetest.Data[wireHistory](t, b.get("/api/v1/maps/"+m.ID+"/history"))
		if len(history.Steps) != 3 || history.Steps[2].ID != best.Record.ID {
			t.Errorf("history %+v", history.Steps)
		}
		_, err = b.command("remove", best.Record.ID, "edited replay")
		require.NoError(t, err)
	})
	t.Run("the player sets a new world record", func(t *testing.T) {
		if got := b.submitted(ann, m, 39_000); !got.WorldRecord || got.PreviousBest == nil || *got.PreviousBest != 50_000 {
			t.Errorf("submitted %+v", got)
		}
	})
}

func TestCommands_sweep(t *testing.T) {
	b := setup(t)
	t.Setenv("S3_ENDPOINT", b.cfg.Endpoint)
	t.Setenv("S3_ACCESS_KEY", b.cfg.AccessKey)
	t.Setenv("S3_SECRET_KEY", b.cfg.SecretKey)
	t.Setenv("S3_BUCKET", b.cfg.Bucket)
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	rec := b.submitted(ann, m, 50_000)
	store, err := objectstore.Open(t.Context(), b.cfg.For(app.Name))
	require.NoError(t, err)
	orphan := []byte("an upload that broke off")
	upload, err := objectstore.NewUploads(store, b.Pool).Put(t.Context(), objectstore.Key("replays", orphan, ".lbReplay"),
		"text/plain", orphan)
	require.NoError(t, err)

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
	if a := b.get("/api/v1/download/replays/" + rec.Record.ID); a.Status != http.StatusOK {
		t.Errorf("the replay of a record: %d %s", a.Status, a.Raw)
	}
}

func TestCommands_hide_and_show(t *testing.T) {
	b := setup(t)
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	best := b.submitted(ann, m, 40_000)
	b.submitted(bob, m, 45_000)
	public := func() (all []string) {
		for _, path := range []string{
			"/records?map=" + m.ID, "/records", "/records?player=" + ann.ID, "/records/" + best.Record.ID, "/stats",
			"/maps/" + m.ID + "/history", "/records/world-records", "/records/" + best.Record.ID + "/verification",
			"/download/replays/" + best.Record.ID,
		} {
			var body map[string]any
			a := b.get("/api/v1" + path)
			if json.Unmarshal(a.Raw, &body) == nil {
				delete(body, "requestId")
			}
			all = append(all, fmt.Sprint(path, " ", a.Status, " ", body))
		}
		return all
	}
	before := public()
	out, err := b.command("hide", ann.ID, "under investigation")
	require.NoError(t, err)
	if out != "Hid the records of Ann.\n" {
		t.Errorf("printed %q", out)
	}
	b.awaitRecords(m.ID, ann.ID, 1, 0)
	rows := b.leaderboard(m)
	if len(rows) != 1 || rows[0].Player.Name != "Bob" || rows[0].Rank != 1 {
		t.Errorf("leaderboard %+v", rows)
	}
	for _, path := range []string{"/records/" + best.Record.ID, "/download/replays/" + best.Record.ID,
		"/records/" + best.Record.ID + "/verification"} {
		if a := b.get("/api/v1" + path); a.Code != "record_unknown" {
			t.Errorf("%s: %d %s", path, a.Status, a.Code)
		}
	}
	if a := b.submit(ann, b.replay(m, "Ann", 39_000)); a.Status != http.StatusForbidden || a.Code != "player_hidden" {
		t.Errorf("a submission: %d %s", a.Status, a.Raw)
	}
	_, err = b.command("hide", ann.ID, "again")
	if err == nil || err.Error() != "The player's records are hidden already." {
		t.Errorf("hidden again: %v", err)
	}
	out, err = b.command("show", ann.ID, "nothing found")
	require.NoError(t, err)
	if out != "Showed the records of Ann.\n" {
		t.Errorf("printed %q", out)
	}
	if diff := cmp.Diff(before, public()); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	b.submitted(ann, m, 39_000)
}

func TestCommands_labels(t *testing.T) {
	b := setup(t)
	t.Setenv("S3_ENDPOINT", b.cfg.Endpoint)
	t.Setenv("S3_ACCESS_KEY", b.cfg.AccessKey)
	t.Setenv("S3_SECRET_KEY", b.cfg.SecretKey)
	t.Setenv("S3_BUCKET", b.cfg.Bucket)
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	for i, lines := range []string{"Note: ab\n", "Inputs: 1234567890\nNOTE: a\nnote: abcd\n", ""} {
		a := b.submit(ann, append(b.replay(m, "Ann", 50_000+1000*i), lines...))
		if a.Status != http.StatusCreated {
			t.Fatalf("%d %s", a.Status, a.Raw)
		}
	}
	out, err := b.command("labels")
	require.NoError(t, err)
	want := `3 replays read
LABEL     REPLAYS  LINES  BYTES  LONGEST
"inputs"  1        1      10     10
"note"    2        3      7      4
3 replays, 0 missing, 2 unknown labels
`
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("printed (-want +got):\n%s", diff)
	}
}

func TestCommands_refused(t *testing.T) {
	b := setup(t)
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	id, other := b.submitted(ann, m, 50_000).Record.ID, b.submitted(ann, m, 51_000).Record.ID
	_, err := b.command("remove", id, "first")
	require.NoError(t, err)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"remove", id, "again"}, "The record was removed before."},
		{[]string{"remove", id, " "}, "A reason is needed, of at most 500 characters."},
		{[]string{"remove", newID(), "why"}, "There is no such record."},
		{[]string{"remove", "x", "why"}, "There is no such record."},
		{[]string{"remove", id}, service.ErrUsage.Error()},
		{[]string{"restore", id, " "}, "A reason is needed, of at most 500 characters."},
		{[]string{"restore", newID(), "why"}, "There is no such record."},
		{[]string{"restore", other, "why"}, "The record is not removed."},
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
	if got := b.count("select count(*) from audit"); got != 1 {
		t.Errorf("there are %d audit entries, want 1", got)
	}
	t.Setenv("DATABASE_URL", "")
	if _, err := servicetest.Command(t, app.Commands, "republish"); err == nil || errors.Is(err, service.ErrUsage) ||
		!strings.Contains(err.Error(), "DATABASE_URL") {
		t.Errorf("without a database: %v", err)
	}
}
