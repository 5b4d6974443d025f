package app_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// Moderators read the checks and the replay of a record that is not shown to others.
func TestAPI_evidence(t *testing.T) {
	b := setup(t)
	m, ann, moderator := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Mod")
	moderator.Roles, moderator.Version = []string{access.Moderator}, 2
	require.NoError(t, b.Publish(t.Context(), moderator))
	natstest.AwaitSettled(t, b.JetStream, event.RecordsCopies)
	replay := b.replay(m, "Ann", 40_000)
	submitted := servicetest.Data[wireSubmitted](t, b.submit(ann, replay))
	id := submitted.Record.ID
	get := func(path string) servicetest.Answer {
		t.Helper()
		a := b.get("/api/v1/desk/records"+path, "Authorization", "Bearer "+b.keys.Token(moderator))
		if a.Status == http.StatusOK && a.Header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: Cache-Control %q", path, a.Header.Get("Cache-Control"))
		}
		return a
	}
	public := servicetest.Data[map[string]any](t, b.get("/api/v1/records/"+id+"/verification"))

	changed := func(command string, args ...string) {
		t.Helper()
		_, err := b.command(command, append(args, "a test")...)
		require.NoError(t, err)
	}
	for _, tt := range []struct {
		state     string
		hide      func()
		show      func()
		isVisible bool
	}{
		{"shown", func() {}, func() {}, true},
		{"removed", func() { changed("remove", id) }, func() { changed("restore", id) }, false},
		{"of a hidden player", func() { changed("hide", ann.ID) }, func() { changed("show", ann.ID) }, false},
	} {
		tt.hide()
		for _, path := range []string{"/records/" + id + "/verification", "/download/replays/" + id} {
			want := http.StatusNotFound
			if tt.isVisible {
				want = http.StatusOK
			}
			if a := b.get("/api/v1" + path); a.Status != want {
				t.Errorf("%s, %s: %d %s", tt.state, path, a.Status, a.Raw)
			}
		}
		got := servicetest.Data[map[string]any](t, get("/"+id+"/verification"))
		if diff := cmp.Diff(public, got); diff != "" {
			t.Errorf("%s, checks (-want +got):\n%s", tt.state, diff)
		}
		if a := get("/" + id + "/replay"); a.Status != http.StatusOK || !bytes.Equal(a.Raw, replay) ||
			a.Header.Get("Content-Disposition") == "" {
			t.Errorf("%s, replay: %d, %d bytes", tt.state, a.Status, len(a.Raw))
		}
		tt.show()
	}
	for _, path := range []string{
		"/" + newID() + "/verification", "/x/verification", "/" + newID() + "/replay", "/x/replay",
	} {
		if a := get(path); a.Status != http.StatusNotFound || a.Code != "record_unknown" {
			t.Errorf("%s: %d %s", path, a.Status, a.Raw)
		}
	}

	ann.Deleted, ann.Name, ann.Version = true, "deleted player 1", ann.Version+1
	require.NoError(t, b.Publish(t.Context(), ann))
	natstest.AwaitSettled(t, b.JetStream, event.RecordsCopies)
	for _, a := range []servicetest.Answer{get("/" + id + "/replay"), b.get("/api/v1/download/replays/" + id)} {
		if a.Status != http.StatusNotFound || a.Code != "replay_withdrawn" {
			t.Errorf("the replay of a deleted player: %d %s", a.Status, a.Raw)
		}
	}
}
