package postgres_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/record"
)

func TestStore_ApplyPlayer_deleted(t *testing.T) {
	t.Parallel()
	w := setup(t)
	ann, ben, m := w.newPlayer("ann"), w.newPlayer("ben"), w.newMap("m", racetime.Medals{})
	w.submitted(m, ann, 900)
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, p := range []record.Player{ann, ben} {
		w.must(w.PutAside(t.Context(), byPlayer(p.ID), m.ID, now.Add(time.Hour)))
	}
	ann.Version, ann.Name, ann.Deleted = ann.Version+1, "deleted player 3f2a", true
	for range 2 { // a message may come twice
		w.must(w.ApplyPlayer(t.Context(), ann))
	}
	w.wantLeaderboard(m, "1 deleted player 3f2a 900")
	owner := pgtest.Value[string](t, w.pool, "select player_id::text from goals_put_aside")
	if owner != ben.ID {
		t.Errorf("what is put aside is %s's, want %s's", owner, ben.ID)
	}
	err := w.PutAside(t.Context(), byPlayer(ann.ID), m.ID, now.Add(time.Hour))
	if !errors.Is(err, access.ErrDeleted) {
		t.Errorf("putting aside for the deleted player returned %v", err)
	}
	w.merge(ben, ann)
	if n := pgtest.Value[int](t, w.pool, "select count(*) from goals_put_aside"); n != 0 {
		t.Errorf("%d goals are put aside for the deleted player", n)
	}
	if got, err := w.Player(t.Context(), ann.ID); err != nil || !got.Deleted {
		t.Errorf("the copy is %+v, %v", got, err)
	}
}
