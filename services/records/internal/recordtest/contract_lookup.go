package recordtest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/record"
)

func lookups(t *testing.T, s Store) {
	t.Helper()
	w := &world{t: t, Store: s}
	m, other, p := w.newMap("m", racetime.Medals{Gold: 900}), w.newMap("n", racetime.Medals{}), w.newPlayer("a")
	gone := w.newMap("gone", racetime.Medals{})
	merged := w.newPlayer("b")
	first := w.submit(m, p, 900)
	onGone := w.submit(gone, p, 900)
	w.must(s.TakeMap(t.Context(), record.Map{ID: gone.ID, Version: 2, Removed: true}))
	tombstone := record.Player{ID: merged.ID, Version: 2, Removed: true, MergedInto: p.ID}
	w.must(s.TakePlayer(t.Context(), tombstone))
	w.remove(first)

	fresh := w.run(m, p, 900)
	fresh.ID, fresh.MapID, fresh.PlayerID = "", "", ""
	with := func(change func(*record.Run)) record.Run {
		r := fresh
		change(&r)
		return r
	}
	for _, tt := range []struct {
		name     string
		playerID string
		mapID    int64
		run      record.Run
		want     record.Found
	}{
		{"a new run", p.ID, m.BonkDBID, fresh, record.Found{Player: &p, Map: &m}},
		{"of an unknown player", newID(), m.BonkDBID, fresh, record.Found{Map: &m}},
		{"of a merged player", merged.ID, m.BonkDBID, fresh, record.Found{Player: &tombstone, Map: &m}},
		{"on an unknown map", p.ID, -1, fresh, record.Found{Player: &p}},
		{"on a map that was taken down", p.ID, gone.BonkDBID, fresh, record.Found{Player: &p}},
		{
			"with the replay of a removed run", p.ID, m.BonkDBID, with(func(r *record.Run) { r.ReplayHash = first.ReplayHash }),
			record.Found{Player: &p, Map: &m, Twin: &first},
		},
		{
			"with the moment of a removed run", p.ID, m.BonkDBID, with(func(r *record.Run) { r.FinishTimeStamp = first.FinishTimeStamp }),
			record.Found{Player: &p, Map: &m, Twin: &first},
		},
		{
			"with the moment of a run of another map", p.ID, other.BonkDBID, with(func(r *record.Run) { r.FinishTimeStamp = first.FinishTimeStamp }),
			record.Found{Player: &p, Map: &other},
		},
		{
			"with the replay of one run and the moment of another", p.ID, m.BonkDBID,
			with(func(r *record.Run) { r.ReplayHash, r.FinishTimeStamp = onGone.ReplayHash, first.FinishTimeStamp }),
			record.Found{Player: &p, Map: &m, Twin: &onGone},
		},
	} {
		got, err := s.LookUp(t.Context(), tt.playerID, tt.mapID, tt.run)
		w.must(err)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
