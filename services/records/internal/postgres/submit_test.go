package postgres_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/record"
)

func TestStore_Submit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.newMap("Skyline Run", racetime.Medals{Author: 900, Gold: 1000, Silver: 1100, Bronze: 1200})
	p := w.newPlayer("cloudstep")
	slow, fast := w.submitted(m, p, 1000), w.submitted(m, p, 900)
	for _, tt := range []struct {
		record record.Record
		best   bool
		rank   int64
	}{{slow, false, 0}, {fast, true, 1}} {
		got, err := w.get(tt.record.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := record.RankedRecord{
			Record:       tt.record,
			Map:          record.Map{ID: m.ID, Name: m.Name, Medals: m.Medals},
			Player:       record.Player{ID: p.ID, Name: p.Name, SkinImageURL: p.SkinImageURL, SkinColor: p.SkinColor},
			PersonalBest: tt.best, Rank: tt.rank, Of: 1, IsWorldRecord: tt.best,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("entry (-want +got):\n%s", diff)
		}
	}
	w.wantLeaderboard(m, "1 cloudstep 900")
	w.wantStats(record.Stats{Maps: 1, Players: 1, Records: 2})
	w.wantCounts(map[string]int64{m.ID: 2}, map[string]int64{p.ID: 2})
}

func TestStore_Submit_placement(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a, b := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	for _, tt := range []struct {
		name   string
		player record.Player
		time   int
		want   record.Placement
	}{
		{"the first record is best and first", a, 1000,
			record.Placement{Rank: 1, PersonalBest: true, WorldRecord: true}},
		{"a slower player is second", b, 1100, record.Placement{Rank: 2, PersonalBest: true}},
		{"a slower record keeps the best", a, 1033, record.Placement{Rank: 1, PreviousBest: 1000}},
		{"an equal time keeps the first", a, 1000,
			record.Placement{Rank: 1, PreviousBest: 1000, EqualsWorldRecord: true}},
		{"a faster record becomes the world record", b, 900,
			record.Placement{Rank: 1, PersonalBest: true, PreviousBest: 1100, WorldRecord: true}},
		{"a slower record returns the rank of the best", a, 2000, record.Placement{Rank: 2, PreviousBest: 1000}},
		{"a faster record in the same place", a, 967, record.Placement{Rank: 2, PersonalBest: true, PreviousBest: 1000}},
	} {
		got, err := w.submit(w.record(m, tt.player, tt.time))
		w.must(err)
		// TestStore_Submit_tells_losses_once compares these.
		ofOthers := cmpopts.IgnoreFields(record.Placement{}, "Overtook", "PreviousWorldRecord")
		if diff := cmp.Diff(tt.want, got, ofOthers); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	w.wantLeaderboard(m, "1 b 900", "2 a 967")
	w.wantCounts(map[string]int64{m.ID: 7}, map[string]int64{a.ID: 5, b.ID: 2})
}

// A dated replay and an undated one of the same finish are one record, also where both are submitted at once.
func TestStore_Submit_undated_after_dated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
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

func TestStore_Submit_ties(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.newMap("Skyline Run", racetime.Medals{})
	late, early := w.record(m, w.newPlayer("late"), 900), w.record(m, w.newPlayer("early"), 900)
	early.FinishTimeStamp = late.FinishTimeStamp.Add(-time.Hour)
	for _, tt := range []struct {
		record record.Record
		want   record.Placement
	}{
		{late, record.Placement{Rank: 1, PersonalBest: true, WorldRecord: true}},
		// The record with the earlier time stamp is the first, but it was not faster than all before it.
		{early, record.Placement{Rank: 1, PersonalBest: true, EqualsWorldRecord: true, Overtook: []event.MovedPlayer{
			{PlayerID: late.PlayerID, RecordID: late.ID, FinishTime: 900, From: 1, To: 2},
		}}},
	} {
		got, err := w.submit(tt.record)
		w.must(err)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("placement (-want +got):\n%s", diff)
		}
	}
	w.wantLeaderboard(m, "1 early 900", "2 late 900")
	page, err := w.Leaderboard(t.Context(), record.Leaderboard{MapID: m.ID, Page: record.Page{Limit: 10}})
	w.must(err)
	list, err := w.List(t.Context(), record.List{Sort: record.Newest, Page: record.Page{Limit: 10}})
	w.must(err)
	for _, r := range append(page.Records, list.Records...) {
		details, err := w.Details(t.Context(), r.ID)
		w.must(err)
		for _, r := range []record.RankedRecord{r, details.RankedRecord} {
			if r.IsWorldRecord != (r.ID == late.ID) || r.EqualsWorldRecord != (r.ID == early.ID) {
				t.Errorf("the record of %s: world record %v, equals it %v", r.Player.Name, r.IsWorldRecord, r.EqualsWorldRecord)
			}
		}
		if details.WorldRecord.ID != late.ID {
			t.Errorf("the world record is %+v", details.WorldRecord)
		}
	}
}

func TestStore_Submit_duplicates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
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
func TestStore_Submit_undatedDuplicates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
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

func TestStore_Submit_expiredUpload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a")
	removed := storedfile.Upload{ID: uuid.Must(uuid.NewV7()), Key: "replays/any.lbReplay"} // by the sweeper
	_, err := w.Submit(t.Context(), record.Accepted{Record: w.record(m, a, 900), Replay: removed})
	if !errors.Is(err, objectstore.ErrUploadExpired) {
		t.Errorf("Submit returned %v, want ErrUploadExpired", err)
	}
	w.wantLeaderboard(m)
	w.wantStats(record.Stats{Maps: 1, Players: 1})
	w.wantCounts(map[string]int64{}, map[string]int64{})
}

func TestStore_Submit_concurrentDuplicates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, p := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a")
	rec := w.record(m, p, 900)
	errs := make([]error, 20)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			same := rec
			same.ID = newID()
			_, errs[i] = w.submit(same)
		})
	}
	wg.Wait()
	added := 0
	for _, err := range errs {
		if err == nil {
			added++
		} else if !errors.Is(err, record.ErrReplayExists) {
			t.Error(err)
		}
	}
	if added != 1 {
		t.Errorf("%d records were accepted", added)
	}
	w.wantLeaderboard(m, "1 a 900")
	w.wantStats(record.Stats{Maps: 1, Players: 1, Records: 1})
}

func TestStore_Submit_concurrent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	maps := []record.Map{w.newMap("m", racetime.Medals{}), w.newMap("n", racetime.Medals{})}
	players := []record.Player{w.newPlayer("a"), w.newPlayer("b"), w.newPlayer("c")}
	var records []record.Record
	for i := range 60 {
		records = append(records, w.record(maps[i%2], players[i%3], 3000-i*33))
	}
	var wg sync.WaitGroup
	for _, r := range records {
		wg.Go(func() {
			_, err := w.submit(r)
			if err == nil && r.FinishTime%2 == 0 {
				_, err = w.Remove(t.Context(), r.ID, access.Attribution{Actor: access.Operator("root"), Reason: "even"})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	model := newModel()
	for _, p := range players {
		model.players[p.ID] = p
	}
	for _, r := range records {
		_, err := model.submit(r)
		w.must(err)
		if r.FinishTime%2 == 0 {
			w.must(model.remove(r.ID))
		}
	}
	w.wantCounts(model.counts())
	for _, m := range maps {
		var want []string
		for _, e := range model.leaderboard(record.Leaderboard{MapID: m.ID, Page: record.Page{Limit: 100}}).Records {
			want = append(want, fmt.Sprintf("%d %s %d", e.Rank, e.Player.Name, e.FinishTime))
		}
		w.wantLeaderboard(m, want...)
	}
}
