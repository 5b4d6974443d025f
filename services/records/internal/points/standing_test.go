package points_test

import (
	"slices"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/points"
)

func TestThresholds_Counts(t *testing.T) {
	t.Parallel()
	thresholds := points.Thresholds{Finishers: 5, Maps: 5, Authors: 3}
	for _, tt := range []struct {
		name   string
		change func(*points.Player)
		want   bool
	}{
		{"as many as needed", func(*points.Player) {}, true},
		{"not registered", func(p *points.Player) { p.Registered = false }, false},
		{"banned", func(p *points.Player) { p.Banned = true }, false},
		{"removed", func(p *points.Player) { p.Removed = true }, false},
		{"a map fewer", func(p *points.Player) { p.Maps = 4 }, false},
		{"an author fewer", func(p *points.Player) { p.Authors = 2 }, false},
	} {
		p := points.Player{Registered: true, Maps: 5, Authors: 3}
		tt.change(&p)
		if got := thresholds.Counts(p); got != tt.want {
			t.Errorf("%s: counts %v, want %v", tt.name, got, tt.want)
		}
	}
}

// best is a personal best on map m.
func best(player string, finishTime int) points.PersonalBest {
	return points.PersonalBest{Key: points.Key{MapID: "m", PlayerID: player}, FinishTime: finishTime}
}

// standing is one on a map with four players, of which three suffice.
func standing(slower, tied int64) points.Standing {
	r := points.Result{Opponents: 3, Slower: slower, Tied: tied}
	return points.Standing{Result: r, Points: points.Of(r).Points()}
}

func TestThresholds_Standings(t *testing.T) {
	t.Parallel()
	first := best("first", 900)
	first.IsWorldRecord = true
	elsewhere := points.PersonalBest{Key: points.Key{MapID: "other", PlayerID: "first"}, FinishTime: 100}
	got := points.Thresholds{Finishers: 3}.Standings([]points.PersonalBest{
		best("last", 1200), best("tied", 1000), elsewhere, first, best("same", 1000),
	})
	ofFirst := standing(3, 0)
	ofFirst.IsWorldRecord = true
	want := map[points.Key]points.Standing{
		first.Key: ofFirst, {MapID: "m", PlayerID: "tied"}: standing(1, 1), {MapID: "m", PlayerID: "same"}: standing(1, 1),
		{MapID: "m", PlayerID: "last"}: standing(0, 0),
		elsewhere.Key:                  {}, // one finisher of three
	}
	assert.Equal(t, "standings", want, got)
}

func TestCompare(t *testing.T) {
	t.Parallel()
	key := func(player string) points.Key { return points.Key{MapID: "m", PlayerID: player} }
	before := map[points.Key]points.Standing{
		key("a"): standing(3, 0), key("b"): standing(2, 0), key("gone"): standing(1, 0),
	}
	after := map[points.Key]points.Standing{
		key("a"): standing(3, 0), key("b"): standing(1, 0), key("new"): standing(2, 0),
	}
	want := []points.Change{
		{Key: key("b"), Before: standing(2, 0), After: standing(1, 0), Counts: true},
		{Key: key("gone"), Before: standing(1, 0)},
		{Key: key("new"), After: standing(2, 0), Counts: true},
	}
	assert.Equal(t, "changes", want, points.Compare(before, after))
}

func TestChange_ChangesTotals(t *testing.T) {
	t.Parallel()
	more := standing(3, 0)
	more.Opponents++
	record := standing(3, 0)
	record.IsWorldRecord = true
	for _, tt := range []struct {
		name  string
		after points.Standing
		want  bool
	}{
		{"other points", standing(2, 0), true},
		{"the same points by more opponents", more, false},
		{"a world record", record, true},
	} {
		if got := (points.Change{Before: standing(3, 0), After: tt.after}).ChangesTotals(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestLosses(t *testing.T) {
	t.Parallel()
	key := func(player string) points.Key { return points.Key{MapID: "m", PlayerID: player} }
	lost := points.Change{Key: key("passed"), Before: standing(2, 0), After: standing(1, 0), Counts: true}
	won := points.Change{Key: key("passed"), Before: standing(1, 0), After: standing(2, 0), Counts: true}
	gone := points.Change{Key: key("passed"), Before: standing(2, 0)}
	by := func(player, recordID string) points.Pass {
		return points.Pass{Key: key("passed"), RecordID: recordID, By: player}
	}
	for _, tt := range []struct {
		name   string
		passes []points.Pass
		change points.Change
		want   string // the record
	}{
		{"by the latest of two records", []points.Pass{by("one", "r1"), by("two", "r2")}, lost, "r2"},
		{"nobody has passed", nil, lost, ""},
		{"more is won than lost", []points.Pass{by("one", "r1")}, won, ""},
		{"the passed player does not count", []points.Pass{by("one", "r1")}, gone, ""},
		{"who passed does not count", []points.Pass{by("stranger", "r1")}, lost, ""},
		{"the record was removed", []points.Pass{by("", "r1")}, lost, ""},
		{"the latest record was removed", []points.Pass{by("one", "r1"), by("", "r2")}, lost, "r1"},
	} {
		after := map[points.Key]points.Standing{key("one"): standing(3, 0), key("two"): standing(2, 0)}
		var want []points.Loss
		if tt.want != "" {
			want = []points.Loss{{tt.change.Key, tt.want, tt.change.Before.Points, tt.change.After.Points}}
		}
		assert.Equal(t, tt.name, want, points.Losses(tt.passes, []points.Change{tt.change}, after))
	}
}

func TestLossFacts(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 11, 18, 2, 33, 0, time.UTC)
	loss := points.Loss{Key: points.Key{MapID: "a", PlayerID: "p"}, RecordID: "r", Before: 20, After: 10}
	other := loss
	other.MapID = "b"
	got := points.LossFacts(append(slices.Repeat([]points.Loss{loss}, event.MaxPointsChanges+1), other), at)
	change := event.PointsChange{PlayerID: "p", RecordID: "r", Before: 20, After: 10}
	want := []event.PointsChanged{
		{MapID: "a", Changes: slices.Repeat([]event.PointsChange{change}, event.MaxPointsChanges), At: at},
		{MapID: "a", Changes: []event.PointsChange{change}, At: at},
		{MapID: "b", Changes: []event.PointsChange{change}, At: at},
	}
	assert.Equal(t, "facts", want, got)
}

func TestInterval(t *testing.T) {
	t.Parallel()
	for finishers, want := range map[int]time.Duration{0: 0, 1999: 0, 2000: 15 * time.Second} {
		if got := points.Interval(finishers); got != want {
			t.Errorf("a map with %d finishers rests for %v, want %v", finishers, got, want)
		}
	}
}
