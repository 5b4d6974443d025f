package postgres_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

func TestStore_unknown_ids(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, id := t.Context(), newID()
	if _, err := w.get(id); !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("Entry: %v", err)
	}
	if _, err := w.Leaderboard(ctx, leaderboard.Leaderboard{MapID: id, Page: leaderboard.Page{Limit: 10}}); !errors.Is(err,
		record.ErrMapUnknown) {
		t.Errorf("Leaderboard: %v", err)
	}
	if _, err := w.ModerateRecord(ctx, byRoot("none"), access.RemoveRecord, id); !errors.Is(err,
		record.ErrRecordUnknown) {
		t.Errorf("Remove: %v", err)
	}
	if _, err := w.Map(ctx, id); !errors.Is(err, record.ErrMapUnknown) {
		t.Errorf("Map: %v", err)
	}
	if _, err := w.MapVersion(ctx, 1, ""); !errors.Is(err, record.ErrMapUnknown) {
		t.Errorf("MapVersion: %v", err)
	}
	if _, err := w.Player(ctx, id); !errors.Is(err, record.ErrPlayerUnknown) {
		t.Errorf("Player: %v", err)
	}
	if _, err := w.FindDuplicate(ctx, record.Record{MapID: id, PlayerID: id, ReplayHash: "00"}); !errors.Is(err,
		record.ErrRecordUnknown) {
		t.Errorf("FindDuplicate: %v", err)
	}
	w.wantStats(leaderboard.Stats{})
	w.wantLeaderboard(w.newMap("Empty", racetime.Medals{}))
	page, err := w.List(ctx, leaderboard.List{Sort: leaderboard.Newest, Page: leaderboard.Page{Limit: 10}})
	if err != nil || page.Total != 0 || len(page.Records) != 0 {
		t.Errorf("List: %+v, %v", page, err)
	}
}

func TestStore_Details_without_copies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, p := record.Map{ID: newID()}, record.Player{ID: newID()}
	rec := w.submitted(m, p, 900)
	got, err := w.get(rec.ID)
	w.must(err)
	want := record.RankedRecord{Record: rec, Map: m, Player: p, PersonalBest: true, Rank: 1, Of: 1, IsWorldRecord: true}
	assert.Equal(t, "record", want, got)
}

// A leaderboard and a list are read page by page after a position. While records come and go in between, the others are
// read once each.
func TestStore_pages_while_records_change(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a := w.newMap("m", racetime.Medals{}), w.newPlayer("a")
	var kept []string
	for i := range 12 {
		kept = append(kept, w.submitted(m, w.newPlayer(fmt.Sprint(i)), 1000+100*i).ID)
	}
	for name, page := range map[string]func(after *leaderboard.Position) (leaderboard.RankedList, error){
		"a leaderboard": func(after *leaderboard.Position) (leaderboard.RankedList, error) {
			return w.Leaderboard(t.Context(),
				leaderboard.Leaderboard{MapID: m.ID, After: after, Page: leaderboard.Page{Limit: 3}})
		},
		"a list": func(after *leaderboard.Position) (leaderboard.RankedList, error) {
			return w.List(t.Context(),
				leaderboard.List{Sort: leaderboard.FastestFirst, After: after, Page: leaderboard.Page{Limit: 3}})
		},
	} {
		var after *leaderboard.Position
		var read []string
		for hasNext := true; hasNext; {
			list, err := page(after)
			w.must(err)
			for _, r := range list.Records {
				if r.PlayerID != a.ID {
					read = append(read, r.ID)
				}
			}
			position := leaderboard.PositionOf(list.Records[len(list.Records)-1].Record, leaderboard.ByTime)
			after, hasNext = &position, list.HasNext
			w.remove(w.submitted(m, a, 500))
			w.submitted(m, a, 2050-len(read)*100)
		}
		assert.Equal(t, name, kept, read)
	}
}

func TestStore_MapPlayers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
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
