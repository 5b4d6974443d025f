package postgres_test

import (
	"context"
	"errors"
	"testing"

	"golang.org/x/sync/errgroup"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/leaderboard"
)

// The head of a leaderboard and its rows are of one moment, also while its world record is removed and restored.
func TestStore_Leaderboard_while_records_change(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a, b := w.newMap("m", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	w.submitted(m, a, 900)
	best := w.submitted(m, b, 800)
	by := byRoot("a test")
	ctx, stop := context.WithCancel(t.Context())
	var changes errgroup.Group
	changes.Go(func() error {
		for ctx.Err() == nil {
			_, removed := w.ModerateRecord(t.Context(), by, access.RemoveRecord, best.ID)
			_, restored := w.ModerateRecord(t.Context(), by, access.RestoreRecord, best.ID)
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
