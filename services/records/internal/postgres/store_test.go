package postgres_test

import (
	"context"
	"testing"

	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/outboxtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
)

// A total of a map that changes while Republish waits for its row is published with the world record of its version,
// which is a new one.
func TestStore_Republish_beside_a_submission(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
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
