package postgres_test

import (
	"context"
	"errors"
	"testing"

	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/outboxtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// A total of a map that changes while Republish waits for its row is published with the world record of its version,
// which is a new one.
func TestStore_Republish_beside_a_submission(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, p := w.newMap("m", racetime.Medals{}), w.newPlayer("p")
	w.submitted(m, p, 1000)
	faster := w.record(m, p, 900)
	tx, err := w.pool.Begin(t.Context())
	w.must(err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	// A submission locks the map's total before it waits for this row.
	locked{"player_totals", "player_id", p.ID}.lock(t, tx, "for update")
	var group errgroup.Group
	group.Go(func() error {
		_, err := w.submit(faster)
		return err
	})
	eventually.WaitFor(t, "a submission that waits for the player", func() bool { return w.waiting() == 1 })
	group.Go(func() error {
		_, err := w.Republish(t.Context())
		return err
	})
	eventually.WaitFor(t, "a republication that waits for the map", func() bool { return w.waiting() == 2 })
	w.must(tx.Commit(t.Context()))
	w.must(group.Wait())

	type state struct{ Version, WorldRecord int64 }
	var got []state
	for _, message := range outboxtest.All(t, w.pool) {
		if message.Subject == event.MapStatsPrefix+m.ID {
			stats := outboxtest.Data[event.MapStats](t, message)
			got = append(got, state{stats.Version, stats.WorldRecord.FinishTime})
		}
	}
	assert.Equal(t, "published states of the map", []state{{1, 1000}, {2, 900}, {3, 900}}, got)
}

func TestStore_unknown_ids(t *testing.T) {
	t.Parallel()
	w := setup(t)
	ctx, id := t.Context(), newID()
	if _, err := w.get(id); !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("Entry: %v", err)
	}
	if _, err := w.Leaderboard(ctx, leaderboard.Leaderboard{MapID: id, Page: leaderboard.Page{Limit: 10}}); !errors.Is(err,
		record.ErrMapUnknown) {
		t.Errorf("Leaderboard: %v", err)
	}
	if _, err := w.ModerateRecord(ctx, moderation(access.RemoveRecord, id)); !errors.Is(err,
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
