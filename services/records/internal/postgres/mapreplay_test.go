package postgres_test

import (
	"errors"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/racetime"
	"capzone.dev/game/replaycheck"
	"capzone.dev/services/records/internal/record"
)

// The list of a record that turns out to be its map's first one says so. Others keep theirs.
func TestStore_SubmitMapReplay(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, a, banned := w.newMap("m", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("banned")
	list := func(result replaycheck.Result) replaycheck.List {
		return replaycheck.List{{Name: record.FirstRecordOfAuthorOrValidator, Result: result}}
	}
	accepted := func(r record.Record) *record.Accepted {
		return &record.Accepted{Record: r, Checks: list(replaycheck.NotApplicable), Replay: w.upload()}
	}
	again := func(r record.Record) *record.Accepted {
		r.ID = newID()
		return accepted(r)
	}
	submit := func(r record.Record, isUpdate bool, a *record.Accepted) error {
		return w.SubmitMapReplay(t.Context(), &record.PreparedMapReplay{Accepted: a, Replay: record.MapReplay{
			MapID: r.MapID, ReplayHash: r.ReplayHash, IsUpdate: isUpdate,
		}})
	}
	first, other, elsewhere := w.record(m, a, 900), w.record(m, a, 933), w.record(m, a, 933)
	elsewhere.MapID = newID()
	for _, r := range []record.Record{other, first} {
		w.must(submit(r, true, accepted(r)))
	}
	w.must(submit(other, true, again(other))) // submitted meanwhile
	w.must(submit(first, false, again(first)))
	w.must(submit(first, false, nil)) // submitted before
	w.must(submit(w.record(m, a, 967), false, nil))
	w.must(submit(elsewhere, false, nil))
	for id, want := range map[string]replaycheck.List{
		first.ID: list(replaycheck.Passed), other.ID: list(replaycheck.NotApplicable),
	} {
		got, err := w.Evidence(t.Context(), id, false)
		w.must(err)
		assert.Equal(t, "checks", want, got.Checks)
	}
	banned.Version, banned.Banned = 2, true
	w.must(w.ApplyPlayer(t.Context(), banned))
	ofBanned := w.record(m, banned, 867)
	if err := submit(ofBanned, true, accepted(ofBanned)); !errors.Is(err, record.ErrSubmitterBanned) {
		t.Errorf("an update of a player who was banned meanwhile: %v", err)
	}
}
