package app_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/httpapi"
)

func checkVerification(t *testing.T, b *bundle) {
	t.Helper()
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	record := b.submitted(ann, m, 50_000).Record
	path := "/api/v1/records/" + record.UnderscoreId + "/verification"
	got := read[httpapi.Verification](b, path)
	if len(got.Checks) == 0 || got.Checks[0].Name != "read_by_server" || got.Checks[0].Result != "passed" ||
		got.Checks[0].Sentence == "" || got.NotChecked[0].Name != "simulation" || got.CheckedAt != record.CreatedAt {
		t.Errorf("verification %+v", got)
	}
	b.wantCodes(map[string]string{"/api/v1/records/" + newID() + "/verification": "record_unknown"})
}

// Moderators read the checks and the replay of a record that is not shown to others.
func checkEvidence(t *testing.T, b *bundle) {
	t.Helper()
	m, ann, moderator := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Mod")
	moderator.Roles, moderator.Version = []string{access.Moderator}, 2
	b.publish(moderator)
	replay := b.replay(m, "Ann", 40_000)
	id := servicetest.Data[httpapi.Submitted](t, b.submit(ann, replay)).Record.UnderscoreId
	desk, public := "/api/v1/desk/records/"+id, "/api/v1/download/replays/"+id
	checks := read[httpapi.Verification](b, "/api/v1/records/"+id+"/verification")
	for _, tt := range []struct{ hide, show []string }{
		{[]string{"remove", id, "a test"}, []string{"restore", id, "a test"}},
		{[]string{"hide", ann.ID, "a test"}, []string{"show", ann.ID, "a test"}},
	} {
		b.commands(tt.hide)
		b.wantCodes(map[string]string{public: "record_unknown"})
		a := b.get(desk+"/verification", b.bearer(moderator)...)
		b.wantPrivate(a)
		if diff := cmp.Diff(checks, servicetest.Data[httpapi.Verification](t, a)); diff != "" {
			t.Errorf("%v: checks (-want +got):\n%s", tt.hide, diff)
		}
		if a := b.get(desk+"/replay", b.bearer(moderator)...); !bytes.Equal(a.Raw, replay) ||
			a.Header.Get("Content-Disposition") == "" || a.Header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%v: replay: %d, %v", tt.hide, a.Status, a.Header)
		}
		b.commands(tt.show)
	}
	unknown := "/api/v1/desk/records/" + newID()
	b.wantCodes(map[string]string{unknown + "/verification": "record_unknown", unknown + "/replay": "record_unknown"},
		b.bearer(moderator)...)
	ann.Deleted, ann.Name, ann.Version = true, "deleted player 1", ann.Version+1
	b.publish(ann)
	b.wantCodes(map[string]string{desk + "/replay": "replay_withdrawn", public: "replay_withdrawn"},
		b.bearer(moderator)...)
}
