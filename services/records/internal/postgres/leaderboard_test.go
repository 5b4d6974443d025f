package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/leaderboard"
)

// The head of a leaderboard and its rows are of one moment, also while its world record is removed and restored.
func TestStore_Leaderboard_while_records_change(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, a, b := w.newMap("m", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	w.submitted(m, a, 900)
	best := w.submitted(m, b, 800)
	ctx, stop := context.WithCancel(t.Context())
	var changes errgroup.Group
	changes.Go(func() error {
		for ctx.Err() == nil {
			_, removed := w.ModerateRecord(t.Context(), moderation(access.RemoveRecord, best.ID))
			_, restored := w.ModerateRecord(t.Context(), moderation(access.RestoreRecord, best.ID))
			if err := errors.Join(removed, restored); err != nil {
				return err
			}
		}
		return nil
	})
	for range 200 {
		list, err := w.Leaderboard(t.Context(), leaderboard.Leaderboard{MapID: m.ID, Page: leaderboard.Page{Limit: 10}})
		if err != nil || list.Total != int64(len(list.Records)) || !list.Records[0].IsWorldRecord {
			t.Errorf("a total of %d for %+v, %v", list.Total, list.Records, err)
			break
		}
		followed, err := w.FollowedLeaderboard(t.Context(), m.ID, []string{a.ID, b.ID}, leaderboard.Page{Limit: 10})
		if err != nil || !followed.Records[0].IsWorldRecord || followed.Records[0].Of != followed.Total {
			t.Errorf("the rows of followed players are %+v, %v", followed, err)
			break
		}
	}
	stop()
	w.must(changes.Wait())
}

// A leaderboard and a list are read page by page after a position. While records come and go in between, the others are
// read once each.
func TestStore_pages_while_records_change(t *testing.T) {
	t.Parallel()
	w := setup(t)
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
