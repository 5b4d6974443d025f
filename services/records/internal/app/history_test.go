package app_test

import (
	"testing"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/httpapi"
)

func checkHistory(t *testing.T, b *bundle) {
	t.Helper()
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	path := "/api/v1/maps/" + m.ID + "/history"
	if a := b.get(path); string(a.Data) != `{"holders":[],"steps":[]}` {
		t.Errorf("without records: %s", a.Raw)
	}
	first := b.submitted(ann, m, 50_000).Record
	b.submitted(bob, m, 51_000)
	last := b.submitted(bob, m, 45_000).Record
	a := b.get(path)
	got := servicetest.Data[httpapi.MapHistory](t, a)
	if len(got.Steps) != 2 || got.Steps[0].UnderscoreId != first.UnderscoreId ||
		*got.Steps[0].Until != got.Steps[1].From ||
		got.Steps[1].UnderscoreId != last.UnderscoreId || got.Steps[1].Until != nil || got.Steps[1].Player.Name != "Bob" {
		t.Fatalf("steps %+v", got.Steps)
	}
	held := parseTime(t, got.Steps[1].From).Sub(parseTime(t, got.Steps[0].From)).Milliseconds()
	if len(got.Holders) != 2 || !got.Holders[0].Current || got.Holders[0].Player.Name != "Bob" ||
		got.Holders[1].Reigns != 1 || got.Holders[1].HeldFor != held {
		t.Errorf("holders %+v", got.Holders)
	}
	want := "player:" + ann.ID + " player:" + bob.ID + " map:" + m.ID
	if keys := a.Header.Get(httpserve.SurrogateKeyHeader); keys != want {
		t.Errorf("surrogate keys %q, want %q", keys, want)
	}
	list := read[[]httpapi.ListedWorldRecord](b, "/api/v1/records/world-records?limit=5")
	if len(list) != 2 || list[0].UnderscoreId != last.UnderscoreId || *list[0].PreviousWorldRecord != 50_000 ||
		list[1].PreviousWorldRecord != nil {
		t.Errorf("newest world records %+v", list)
	}
	b.wantCodes(map[string]string{
		"/api/v1/maps/" + newID() + "/history":    "map_unknown",
		"/api/v1/records/world-records?limit=101": "page_invalid",
	})
}
