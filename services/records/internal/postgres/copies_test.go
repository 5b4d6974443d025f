package postgres_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

func TestStore_apply_by_version(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m := record.Map{ID: newID(), Version: 2, Name: "two", Mode: "VTOL", GameMapID: 5, MapVersion: 3, Superseded: true,
		Unranked: true, Fingerprint: "f", Medals: racetime.Medals{Author: 1, Gold: 2, Silver: 3, Bronze: 4}, Picture: record.StoredFile{Bucket: "b", Key: "k"}}
	p := record.Player{ID: newID(), Version: 2, Name: "two", SkinImageURL: "/s", SkinColor: "#000000", Registered: true,
		Banned: true, Ban: &event.Ban{}}
	older, olderPlayer := m, p
	older.Version, older.Name = 1, "one"
	olderPlayer.Version, olderPlayer.Name, olderPlayer.Registered = 1, "one", false
	for _, m := range []record.Map{older, m, m, older} {
		w.must(w.ApplyMap(t.Context(), m))
	}
	for _, p := range []record.Player{olderPlayer, p, p, olderPlayer} {
		w.must(w.ApplyPlayer(t.Context(), p))
	}
	gotMap, err := w.Map(t.Context(), m.ID)
	w.must(err)
	byGameID, err := w.MapVersion(t.Context(), 5, "f")
	w.must(err)
	gotPlayer, err := w.Player(t.Context(), p.ID)
	w.must(err)
	for _, diff := range []string{cmp.Diff(m, gotMap), cmp.Diff(m, byGameID), cmp.Diff(p, gotPlayer)} {
		if diff != "" {
			t.Errorf("copy (-want +got):\n%s", diff)
		}
	}
	if _, err := w.MapVersion(t.Context(), 5, "g"); !errors.Is(err, record.ErrMapUnknown) {
		t.Errorf("a version with another fingerprint is found: %v", err)
	}
	w.wantStats(leaderboard.Stats{Players: 1}) // a superseded version is not listed
	newest := record.Map{ID: newID(), Version: 1, Name: "three", GameMapID: 5, MapVersion: 4, Fingerprint: "g"}
	w.must(w.ApplyMap(t.Context(), newest))
	w.wantStats(leaderboard.Stats{Maps: 1, Players: 1})
	if got, err := w.MapVersion(t.Context(), 5, "g"); err != nil || got.ID != newest.ID {
		t.Errorf("the version with the fingerprint is %+v, %v", got, err)
	}
	w.must(w.ApplyMap(t.Context(), record.Map{ID: newest.ID, Version: 2, Removed: true}))

	w.must(w.ApplyPlayer(t.Context(), record.Player{ID: p.ID, Version: 3, Removed: true}))
	w.must(w.ApplyMap(t.Context(), record.Map{ID: m.ID, Version: 3, Removed: true}))
	w.must(w.ApplyMap(t.Context(), m))
	w.must(w.ApplyPlayer(t.Context(), p))
	w.wantStats(leaderboard.Stats{})
	if _, err := w.MapVersion(t.Context(), 5, "f"); !errors.Is(err, record.ErrMapUnknown) {
		t.Errorf("a tombstone is found: %v", err)
	}
	gotMap, err = w.Map(t.Context(), m.ID)
	w.must(err)
	tombstone := m // which keeps what is known of the map
	tombstone.Version, tombstone.Removed = 3, true
	assert.Equal(t, "tombstone", tombstone, gotMap)
}
