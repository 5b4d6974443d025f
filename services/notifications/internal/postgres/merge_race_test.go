package postgres_test

import (
	"context"
	"fmt"
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/notifications/internal/notification"
)

// Notifications that are added while their receivers and actors are merged are neither lost nor left behind.
func TestStore_merge_with_concurrent_Add(t *testing.T) {
	t.Parallel()
	f := open(t)
	const rounds, each = 5, 4
	for round := range rounds {
		from, into, last, actor, actorInto := f.invent(t, round, 0), f.invent(t, round, 1), f.invent(t, round, 2),
			f.invent(t, round, 3), f.invent(t, round, 4)
		atOnce(t, 6, func(ctx context.Context, i int) error {
			switch i {
			case 3:
				return f.ApplyPlayer(ctx, tombstone(from, into))
			case 4:
				return f.ApplyPlayer(ctx, tombstone(into, last))
			case 5:
				return f.ApplyPlayer(ctx, tombstone(actor, actorInto))
			}
			for j := range each {
				n := i*each + j
				if err := f.Add(ctx, []notification.Notification{
					lost([]string{from, into, last}[i], actor, n), followed([]string{into, from, from}[i], actor, 100+n),
				}); err != nil {
					return err
				}
			}
			return nil
		})
		const firstSQL = `select min(number) from notifications where receiver_id = $1` // depends on when the merges came
		first := pgtest.Value[int](t, f.pool, firstSQL, last)
		f.wantNumbers(t, last, first, first+3*each*2-1)
		for _, merged := range []string{from, into, actor} {
			f.wantUnnamed(t, merged)
		}
		f.wantMergedInto(t, from, last)
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
}

// invent returns the id of a new player, whose copy is stored.
func (f fixture) invent(tb testing.TB, round, n int) string {
	tb.Helper()
	player := id(10_000 + 10*round + n)
	f.apply(tb, notification.Player{ID: player, Version: 1, Name: fmt.Sprintf("Player %d of round %d", n, round)})
	return player
}

// wantUnnamed fails the test if a merged player is named by anything but the tombstone.
func (f fixture) wantUnnamed(tb testing.TB, playerID string) {
	tb.Helper()
	type place struct{ Name string }
	for _, found := range pgtest.Rows[place](tb, f.pool, `
		select 'players.merged_into' as name from players where merged_into = $1
		union all select 'player_follows' from player_follows where $1 in (follower_id, player_id)
		union all select 'map_follows' from map_follows where follower_id = $1
		union all select 'inboxes' from inboxes where player_id = $1
		union all select 'notifications.receiver_id' from notifications where receiver_id = $1
		union all select 'notifications.player_id' from notifications where player_id = $1
		union all select 'notifications.subject_id' from notifications where subject_id = $1
		union all select 'settings' from settings where player_id = $1`, playerID) {
		tb.Errorf("the merged player %s is named in %s", playerID, found.Name)
	}
}
