package postgres_test

import (
	"testing"
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
)

func TestStore_FindFinish(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
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
