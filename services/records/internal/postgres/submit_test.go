package postgres_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// A dated replay and an undated one of the same finish are one record, also where both are submitted at once.
func TestStore_Submit_undated_after_dated(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, p := w.newMap("m", racetime.Medals{}), w.newPlayer("p")
	dated := w.submitted(m, p, 900)
	undated := w.record(m, p, 900)
	undated.Undated = true
	_, err := w.submit(undated) // without SubmissionStore.FindDuplicate before it
	if !errors.Is(err, record.ErrReplayExists) || problem.From(err).Data["_id"] != dated.ID {
		t.Errorf("returned %v, want %v of the record %s", err, record.ErrReplayExists, dated.ID)
	}
	other, slower := w.record(m, w.newPlayer("other"), 900), w.record(m, p, 933)
	for _, r := range []record.Record{other, slower} {
		r.Undated = true
		_, err := w.submit(r)
		w.must(err)
	}
}

func TestStore_Submit_duplicates(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, other := w.newMap("Skyline Run", racetime.Medals{}), w.newMap("Other", racetime.Medals{})
	a, b := w.newPlayer("a"), w.newPlayer("b")
	first := w.submitted(m, a, 900)
	again := func(change func(*record.Record)) record.Record {
		r := w.record(m, a, 900)
		r.FinishTimeStamp = first.FinishTimeStamp
		change(&r)
		return r
	}
	check := func() {
		for _, tt := range []struct {
			name   string
			record record.Record
			want   error
		}{
			{"the same bytes", again(func(r *record.Record) {
				r.ReplayHash, r.FinishTimeStamp = first.ReplayHash, r.FinishTimeStamp.Add(time.Hour)
			}), record.ErrReplayExists},
			{"the same finish in other bytes", again(func(*record.Record) {}), record.ErrReplayExists},
			{"the same finish under another name", again(func(r *record.Record) { r.PlayerID = b.ID }), record.ErrReplayCopied},
		} {
			existing, err := w.FindDuplicate(t.Context(), tt.record)
			if diff := cmp.Diff(first, existing); diff != "" || err != nil {
				t.Errorf("%s: FindDuplicate returned the error %v and (-want +got):\n%s", tt.name, err, diff)
			}
			_, err = w.submit(tt.record)
			if !errors.Is(err, tt.want) || problem.From(err).Data["_id"] != first.ID {
				t.Errorf("%s: %v, want %v with the _id of the first", tt.name, err, tt.want)
			}
		}
	}
	check()
	w.wantLeaderboard(m, "1 a 900")
	w.remove(first)
	check()
	w.wantLeaderboard(m)
	_, err := w.submit(again(func(r *record.Record) { r.MapID = other.ID }))
	w.must(err)
	_, err = w.submit(again(func(r *record.Record) {
		r.FinishTimeStamp, r.PlayerID = r.FinishTimeStamp.Add(time.Millisecond), b.ID
	}))
	w.must(err)
}

// Without a time stamp, the same player, map and finish time is the same record.
func TestStore_Submit_undated_duplicates(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, a, b := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	undated := func(p record.Player, time int) record.Record {
		r := w.record(m, p, time)
		r.Undated = true
		return r
	}
	first := undated(a, 900)
	errs := make([]error, 12)
	var wg sync.WaitGroup
	for i := range errs {
		again := undated(a, 900)
		if i == 0 {
			again = first
		}
		wg.Go(func() { _, errs[i] = w.submit(again) })
	}
	wg.Wait()
	accepted := 0
	for _, err := range errs {
		if err == nil {
			accepted++
		} else if !errors.Is(err, record.ErrReplayExists) {
			t.Error(err)
		}
	}
	if accepted != 1 {
		t.Errorf("%d of 12 were accepted", accepted)
	}
	for name, tt := range map[string]struct {
		record record.Record
		want   error
	}{
		"undated again":                   {undated(a, 900), record.ErrReplayExists},
		"undated, another time":           {undated(a, 933), nil},
		"undated, of another player":      {undated(b, 900), nil},
		"dated, the same player and time": {w.record(m, a, 900), nil},
	} {
		existing, err := w.FindDuplicate(t.Context(), tt.record)
		if isDuplicate := err == nil; isDuplicate != (tt.want != nil) {
			t.Errorf("%s: FindDuplicate returned %+v, %v", name, existing, err)
		}
		if _, err := w.submit(tt.record); !errors.Is(err, tt.want) {
			t.Errorf("%s: Submit returned %v, want %v", name, err, tt.want)
		}
	}
	// Both players have the same undated finish: their merge violates nothing, and each stays a duplicate.
	w.merge(a, b)
	if _, err := w.FindDuplicate(t.Context(), undated(b, 900)); err != nil {
		t.Errorf("after the merge, FindDuplicate returned %v", err)
	}
}

// What has changed since the checks decides: a player who was banned or deleted meanwhile is refused. A map's first
// record is accepted all the same, also on a removed map and of a hidden player, and is on the leaderboard as soon as
// both are shown.
func TestStore_Submit_changed_meanwhile(t *testing.T) {
	t.Parallel()
	changePlayer := func(change func(*record.Player)) func(*world, record.Map, record.Player) {
		return func(w *world, _ record.Map, p record.Player) {
			p.Version++
			change(&p)
			w.must(w.ApplyPlayer(w.t.Context(), p))
		}
	}
	removeMap := func(w *world, m record.Map, _ record.Player) {
		w.must(w.ApplyMap(w.t.Context(), record.Map{ID: m.ID, Version: 2, Removed: true}))
	}
	for name, tt := range map[string]struct {
		change, undo func(*world, record.Map, record.Player)
		want         error // of a record that is not the first one
	}{
		"a banned player":  {changePlayer(func(p *record.Player) { p.Banned = true }), nil, record.ErrSubmitterBanned},
		"a deleted player": {changePlayer(func(p *record.Player) { p.Deleted = true }), nil, access.ErrDeleted},
		"a hidden player": {
			func(w *world, _ record.Map, p record.Player) { w.must(w.setHidden(p, true)) },
			func(w *world, _ record.Map, p record.Player) { w.must(w.setHidden(p, false)) }, record.ErrPlayerHidden,
		},
		"a removed map": {removeMap, func(w *world, m record.Map, _ record.Player) {
			m.Version = 3
			w.must(w.ApplyMap(w.t.Context(), m))
		}, record.ErrMapRemoved},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			m, p := w.newMap("m", racetime.Medals{}), w.newPlayer("p")
			tt.change(w, m, p)
			if _, err := w.submit(w.record(m, p, 900)); !errors.Is(err, tt.want) {
				t.Errorf("a record: %v, want %v", err, tt.want)
			}
			w.wantCounts(map[string]int64{}, map[string]int64{})
			first := record.Accepted{Record: w.record(m, p, 900), GameMapID: m.GameMapID, Replay: w.upload(), First: true}
			_, err := w.Submit(t.Context(), first)
			w.must(err)
			fact := outboxtest.Last[event.RecordSubmitted](t, w.pool)
			if isInactive := tt.undo != nil; fact.RecordID != first.Record.ID || fact.Inactive != isInactive {
				t.Errorf("fact %+v", fact)
			}
			if tt.undo != nil {
				tt.undo(w, m, p)
			}
			w.wantLeaderboard(m, "1 p 900")
		})
	}
}

// Submissions on a map are one after the other, and their facts are in that order: each world record names the one
// before it.
func TestStore_Submit_facts_in_order(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, p := w.newMap("m", racetime.Medals{}), w.newPlayer("p")
	var group errgroup.Group
	for i := range 30 {
		r := w.record(m, p, 1000+i*7919%30*33)
		group.Go(func() error {
			_, err := w.submit(r)
			return err
		})
	}
	w.must(group.Wait())
	var fastest *event.WorldRecord
	for _, fact := range facts[event.RecordSubmitted](w) {
		isFastest := fastest == nil || fact.FinishTime < fastest.FinishTime
		if fact.WorldRecord != isFastest || isFastest && !cmp.Equal(fact.PreviousWorldRecord, fastest) {
			t.Errorf("fact %+v after the world record %+v", fact, fastest)
		}
		if isFastest {
			fastest = &event.WorldRecord{
				RecordID: fact.RecordID, PlayerID: p.ID, FinishTime: fact.FinishTime, At: fact.At,
			}
		}
	}
}

func TestStore_Submit_expired_upload(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, a := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a")
	removed := storedfile.Upload{ID: uuid.Must(uuid.NewV7()), Key: "replays/any.lbReplay"} // by the sweeper
	_, err := w.Submit(t.Context(), record.Accepted{Record: w.record(m, a, 900), Replay: removed})
	if !errors.Is(err, objectstore.ErrUploadExpired) {
		t.Errorf("Submit returned %v, want ErrUploadExpired", err)
	}
	w.wantLeaderboard(m)
	w.wantStats(leaderboard.Stats{Maps: 1, Players: 1})
	w.wantCounts(map[string]int64{}, map[string]int64{})
}

// One finish on several versions of a map at the same instant, by two players, is accepted once.
func TestStore_Submit_on_versions_at_once(t *testing.T) {
	t.Parallel()
	w := setup(t)
	players := []record.Player{w.newPlayer("a"), w.newPlayer("b")}
	var versions []record.Map
	for i := range 6 {
		m := record.Map{ID: newID(), Version: 1, Name: "m", GameMapID: 7, MapVersion: i + 1, Fingerprint: fmt.Sprint(i)}
		w.must(w.ApplyMap(t.Context(), m))
		versions = append(versions, m)
	}
	for round := range 20 {
		finish := w.record(versions[0], players[0], 900+33*round)
		var wg sync.WaitGroup
		errs := make([]error, len(versions))
		for i, m := range versions {
			r := w.record(m, players[i%2], finish.FinishTime)
			r.FinishTimeStamp = finish.FinishTimeStamp
			wg.Go(func() { _, errs[i] = w.submit(r) })
		}
		wg.Wait()
		accepted := 0
		for _, err := range errs {
			switch {
			case err == nil:
				accepted++
			case !errors.Is(err, record.ErrReplayExists) && !errors.Is(err, record.ErrReplayCopied):
				t.Error(err)
			}
		}
		if accepted != 1 {
			t.Fatalf("round %d: %d of %d were accepted", round, accepted, len(versions))
		}
	}
}

// While a map is restored, its first record is neither active nor inactive: it is submitted again later.
func TestStore_Submit_first_record_of_a_map_that_is_being_restored(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, p := w.newMap("m", racetime.Medals{}), w.newPlayer("p")
	pgtest.Exec(t, w.pool, "update maps set removed = true, restoring = true where id = $1", m.ID)
	accepted := record.Accepted{Record: w.record(m, p, 700), GameMapID: m.GameMapID, Replay: w.upload(), First: true}
	if _, err := w.Submit(t.Context(), accepted); err == nil || problem.IsPermanent(err) {
		t.Errorf("returned %v, want what another attempt may change", err)
	}
	w.must(w.ApplyMap(t.Context(), m))
	_, err := w.Submit(t.Context(), accepted)
	w.must(err)
	w.wantLeaderboard(m, "1 p 700")
}
