package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
)

func TestStore_FindFinish(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, other := w.newMap("Skyline Run", racetime.Medals{}), w.newMap("Other", racetime.Medals{})
	first := w.submitted(m, w.newPlayer("a"), 900)
	finish := event.FindFinish{
		GameMapID: m.GameMapID, FinishTime: int64(first.FinishTime), FinishTimeStamp: first.FinishTimeStamp,
	}
	changed := func(change func(*event.FindFinish)) event.FindFinish {
		f := finish
		change(&f)
		return f
	}
	check := func(when string) {
		for name, tt := range map[string]struct {
			finish event.FindFinish
			want   string
		}{
			"the same finish":  {finish, first.ID},
			"another game map": {changed(func(f *event.FindFinish) { f.GameMapID = other.GameMapID }), ""},
			"another time":     {changed(func(f *event.FindFinish) { f.FinishTime++ }), ""},
			"another moment": {changed(func(f *event.FindFinish) {
				f.FinishTimeStamp = f.FinishTimeStamp.Add(time.Millisecond)
			}), ""},
		} {
			if found, err := w.FindFinish(t.Context(), tt.finish); found.RecordID != tt.want || err != nil {
				t.Errorf("%s, %s: %q, %v, want %q", when, name, found.RecordID, err, tt.want)
			}
		}
	}
	check("submitted")
	w.remove(first)
	check("removed")
}

func TestStore_MapPlayers(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m := w.newMap("m", racetime.Medals{})
	var want []string
	for i := range 5 {
		p := w.newPlayer(fmt.Sprint(i))
		w.submitted(m, p, 1000-33*i)
		want = append(want, p.ID)
	}
	for after, page := range map[string][]string{"": want[:3], want[2]: want[3:], want[4]: nil} {
		got, err := w.MapPlayers(t.Context(), m.ID, after, 3)
		w.must(err)
		if diff := cmp.Diff(page, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("after %q (-want +got):\n%s", after, diff)
		}
	}
}
