package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/leaderboard"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
)

func (w *world) merge(from, into record.Player) {
	w.t.Helper()
	w.must(w.ApplyPlayer(w.t.Context(), tombstone(from, into)))
}

// tombstone returns the state that says that a player was merged into another.
func tombstone(from, into record.Player) record.Player {
	return record.Player{ID: from.ID, Version: from.Version + 1, Removed: true, MergedInto: into.ID}
}

func TestStore_ApplyPlayer_merged_in_any_order(t *testing.T) {
	t.Parallel()
	w := setup(t)
	for _, published := range [][]int{{0, 1}, {1, 0}, {1, 0, 1}, {0, 1, 0}} {
		m := w.newMap("m", racetime.Medals{})
		a, b, c := w.newPlayer("a"), w.newPlayer("b"), w.newPlayer("c")
		w.submitted(m, a, 900)
		w.submitted(m, b, 1000)
		links := []record.Player{tombstone(a, b), tombstone(b, c)}
		for _, i := range published {
			w.must(w.ApplyPlayer(t.Context(), links[i]))
		}
		w.must(w.ApplyPlayer(t.Context(), a)) // an older state, late
		w.wantLeaderboard(m, "1 c 900")
		if _, players := w.counts(); players[a.ID] != 0 || players[b.ID] != 0 || players[c.ID] != 2 {
			t.Errorf("merged in the order %v: %d, %d and %d records", published, players[a.ID], players[b.ID], players[c.ID])
		}
	}
}

func TestStore_Submit_of_merged_player(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, old, kept := w.newMap("m", racetime.Medals{}), w.newPlayer("old"), w.newPlayer("kept")
	w.merge(old, kept)
	placement, err := w.submit(w.record(m, old, 900))
	w.must(err)
	assert.Equal(t, "player", kept.ID, placement.PlayerID)
	w.wantLeaderboard(m, "1 kept 900")
	w.wantStats(leaderboard.Stats{Maps: 1, Players: 1, Records: 1})
	got, err := w.Player(t.Context(), old.ID)
	w.must(err)
	assert.Equal(t, "copy", tombstone(old, kept), got)
}

// The records of a player who was merged into a hidden one become hidden, with the same fact.
func TestStore_ApplyPlayer_merged_into_hidden(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, quiet := w.newMap("m", racetime.Medals{}), w.newMap("quiet", racetime.Medals{})
	from, into, other := w.newPlayer("from"), w.newPlayer("into"), w.newPlayer("other")
	second := w.submitted(m, other, 2000)
	w.submitted(m, from, 1000)
	w.submitted(quiet, other, 500)
	w.submitted(quiet, from, 600)
	w.must(w.setHidden(into, true))
	facts[event.RecordsHidden](w)
	w.merge(from, into)
	want := []event.RecordsHidden{{PlayerID: into.ID, WorldRecords: []event.MapWorldRecord{{
		MapID:       m.ID,
		WorldRecord: event.WorldRecord{RecordID: second.ID, PlayerID: other.ID, FinishTime: 2000, At: second.CreatedAt},
	}}, Reason: "Two players were merged, and the records of one of them are hidden."}}
	got := facts[event.RecordsHidden](w)
	assert.Equal(t, "facts", want, got, cmpopts.IgnoreFields(event.RecordsHidden{}, "At"))
	const auditSQL = `
		select count(*) from audit where actor_kind = 'system' and action = 'hide player' and subject = $1 and reason = $2`
	if n := pgtest.Value[int](t, w.pool, auditSQL, into.ID, want[0].Reason); n != 1 {
		t.Errorf("%d rows in the audit, want 1", n)
	}
	w.wantLeaderboard(m, "1 other 2000")
}

// All columns that hold players are in the list of what a merge does.
func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	pgtest.WantPlayerColumns(t, setup(t).pool, records.PlayerColumns, "map_id", "record_id")
}
