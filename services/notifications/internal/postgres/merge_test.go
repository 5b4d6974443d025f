package postgres_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/postgres"
	"capzone.dev/services/notifications/internal/webhook"
)

func TestStore_merge_follows(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for _, follow := range []playerFollow{
		{anna, cloe}, {anna, dora}, {ben, dora}, {anna, ben}, {ben, anna}, {emil, anna}, {cloe, anna}, {cloe, ben},
		{cloe, dora},
	} {
		f.followPlayer(t, follow.Follower, follow.Player)
	}
	for _, follow := range []mapFollow{{anna, 7}, {anna, 8}, {ben, 8}, {ben, 9}, {cloe, 7}} {
		f.followMap(t, follow.Follower, follow.Map)
	}
	f.merge(t, anna, ben)
	f.wantPlayerFollows(t, playerFollow{ben, cloe}, playerFollow{ben, dora}, playerFollow{cloe, ben},
		playerFollow{cloe, dora}, playerFollow{emil, ben})
	f.wantMapFollows(t, mapFollow{ben, 7}, mapFollow{ben, 8}, mapFollow{ben, 9}, mapFollow{cloe, 7})
	// A fact of before the merge names the player under the old id.
	got, err := f.FollowersOfPlayer(t.Context(), anna)
	if diff := cmp.Diff([]string{cloe, emil}, got); diff != "" || err != nil {
		t.Errorf("followers of the merged player: %v (-want +got):\n%s", err, diff)
	}
}

// Of the follows of both players the oldest stay.
func TestStore_merge_trims_follows(t *testing.T) {
	t.Parallel()
	const each = 300 // follows of each player, one hour after the other in turns
	f := setup(t)
	for i, player := range []string{anna, ben} {
		for _, sql := range []string{
			`insert into player_follows
				select $1, gen_random_uuid(), timestamptz '2026-01-01' + (2 * n + $2) * interval '1 hour'
				from generate_series(1, $3::int) n`,
			`insert into map_follows
				select $1, 2 * n + $2, timestamptz '2026-01-01' + (2 * n + $2) * interval '1 hour'
				from generate_series(1, $3::int) n`,
		} {
			pgtest.Exec(t, f.pool, sql, player, i, each)
		}
	}
	f.merge(t, anna, ben)
	type left struct{ Follows, Newest int }
	for _, table := range []string{"player_follows", "map_follows"} {
		got := pgtest.Rows[left](t, f.pool, `
			select count(*) as follows, extract(epoch from max(created_at) - timestamptz '2026-01-01')::int / 3600 as newest
			from `+table+` where follower_id = $1`, ben)
		assert.Equal(t, table, []left{{notification.MaxFollows, notification.MaxFollows + 1}}, got)
	}
}

// The settings of whom a player was merged into stay, and without any those of the merged player do.
func TestStore_merge_settings(t *testing.T) {
	t.Parallel()
	f := setup(t)
	lostShown := notification.Setting{Kind: notification.RecordLost, Delivery: notification.InBrowser}
	f.choose(t, anna, notification.Passed, notification.Off)
	f.choose(t, anna, notification.RecordLost, notification.Off)
	f.choose(t, ben, lostShown.Kind, lostShown.Delivery)
	f.choose(t, cloe, notification.Passed, notification.Off)
	f.merge(t, anna, ben)
	f.wantSettings(t, ben, lostShown)
	f.wantSettings(t, anna)
	f.merge(t, cloe, dora)
	f.wantSettings(t, dora, notification.Setting{Kind: notification.Passed, Delivery: notification.Off})
}

func TestStore_merge_inboxes(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(t,
		followed(anna, dora, 4), lost(anna, cloe, 1), followed(anna, cloe, 6), // 1 to 3
		lost(anna, ben, 3), // becomes one of the own record
	)
	f.readThrough(t, anna, 2, 60)
	sameCause := followed(ben, cloe, 6)
	sameCause.At = minute(7)
	f.add(t, sameCause, lost(ben, anna, 5), lost(ben, cloe, 2)) // 1 to 3
	f.readThrough(t, ben, 1, 60)
	f.add(t, lost(dora, anna, 8), followed(dora, anna, 9), followed(dora, ben, 10))
	f.merge(t, anna, ben)
	want := []stored{
		read(row(lost(ben, cloe, 1), 5)), row(lost(ben, cloe, 2), 6), read(row(followed(ben, dora, 4), 7)),
		row(followed(ben, cloe, 6), 8), // the older one
		row(lost(dora, ben, 8), 1), row(followed(dora, ben, 9), 2), row(followed(dora, ben, 10), 3),
	}
	f.wantStored(t, want...)
	f.merge(t, anna, ben) // again changes nothing
	f.wantStored(t, want...)
	f.add(t, lost(anna, emil, 11))
	f.wantStored(t, slices.Insert(want, 4, row(lost(ben, emil, 11), 9))...)
	if left := pgtest.Value[int](t, f.pool, `select count(*) from inboxes where player_id = $1`, anna); left != 0 {
		t.Error("the row of the merged player's inbox is left")
	}
}

func TestStore_merge_trims(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.fill(t, anna, notification.MaxInbox)
	f.fill(t, ben, 10)
	f.merge(t, anna, ben)
	f.wantNumbers(t, ben, notification.MaxInbox+11, 2*notification.MaxInbox+10)
	f.wantUnread(t, ben, notification.MaxInbox)
}

// A request that has found its player before a merge changes what belongs to whom the player was merged into.
func TestStore_changes_by_a_merged_player(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.followPlayer(t, anna, cloe)
	f.followPlayer(t, anna, dora)
	f.followMap(t, anna, 7)
	f.add(t, lost(anna, cloe, 1))
	f.merge(t, anna, ben)
	f.merge(t, dora, emil)
	lostOff := notification.Setting{Kind: notification.RecordLost, Delivery: notification.Off}
	for _, follow := range []playerFollow{{anna, ben}, {ben, anna}} {
		err := f.Follow(t.Context(), by(follow.Follower), toPlayer(follow.Player), minute(0))
		if !errors.Is(err, notification.ErrFollowSelf) {
			t.Errorf("%+v returned %v", follow, err)
		}
	}
	for _, err := range []error{
		f.Unfollow(t.Context(), by(anna), toPlayer(cloe)),
		f.Unfollow(t.Context(), by(anna), toPlayer(dora)),
		f.Unfollow(t.Context(), by(anna), toMap(7)),
		f.UpdateSettings(t.Context(), by(anna), []notification.Setting{lostOff}),
		f.Read(t.Context(), by(anna), 2, false, minute(60)),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	f.wantPlayerFollows(t)
	f.wantMapFollows(t)
	f.wantSettings(t, ben, lostOff)
	f.wantStored(t, read(row(lost(ben, cloe, 1), 2)))
	f.wantUnnamed(t, anna)
}

func TestStore_merge_of_a_merged_player(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		merges [][2]string
		first  int64 // number
	}{
		{"in order", [][2]string{{anna, ben}, {ben, cloe}}, 4},
		{"the later merge first", [][2]string{{ben, cloe}, {anna, ben}}, 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.add(t, lost(anna, emil, 1), lost(ben, emil, 2), lost(cloe, emil, 3), lost(cloe, anna, 4))
			f.add(t, followed(dora, anna, 5), followed(dora, ben, 6))
			f.followPlayer(t, anna, dora)
			f.followPlayer(t, emil, anna)
			f.followPlayer(t, emil, ben)
			for _, m := range tt.merges {
				f.merge(t, m[0], m[1])
			}
			f.wantStored(t, row(lost(cloe, emil, 1), tt.first), row(lost(cloe, emil, 2), tt.first+1),
				row(lost(cloe, emil, 3), tt.first+2), row(followed(dora, cloe, 5), 1), row(followed(dora, cloe, 6), 2))
			f.wantPlayerFollows(t, playerFollow{cloe, dora}, playerFollow{emil, cloe})
			f.wantMergedInto(t, anna, cloe)
			f.wantMergedInto(t, ben, cloe)
		})
	}
}

func (f fixture) wantMergedInto(tb testing.TB, from, into string) {
	tb.Helper()
	got, err := f.Player(tb.Context(), from)
	require.NoError(tb, err)
	require.Equal(tb, "merged player", tombstone(from, into), got)
}

// A notice of a decision leads to the decision also after a merge.
func TestStore_merge_decisions(t *testing.T) {
	t.Parallel()
	f := setup(t)
	moderated := lost(anna, "", 1)
	moderated.Kind, moderated.CauseID, moderated.DecisionID = notification.Moderated, id(302), id(303)
	moderated.Outcome = notification.Outcome{Decision: "warn", PublicReason: "name", Appeal: "kept"}
	f.add(t, moderated)
	f.merge(t, anna, ben)
	if got := f.groups(t, ben, notification.Page{}); len(got) != 1 || got[0].DecisionID != id(303) ||
		got[0].Outcome != moderated.Outcome {
		t.Errorf("%+v", got)
	}
}

// What names a player who is being merged waits for the merge, and is of whom the player was merged into.
func TestStore_during_merge(t *testing.T) {
	t.Parallel()
	const followsSQL = "select count(*) from player_follows where follower_id = $1"
	for name, tt := range map[string]struct {
		do       func(f fixture) error
		countSQL string
		of       string
	}{
		"AddDeliveries": {
			func(f fixture) error { return f.tryPublish(t.Context(), ben, 10) },
			"select count(*) from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.player_id = $1", anna,
		},
		"Follow": {
			func(f fixture) error { return f.Follow(t.Context(), by(ben), toPlayer(dora), minute(0)) }, followsSQL, anna,
		},
		"Apply, notifications": {
			func(f fixture) error { return f.Apply(t.Context(), effectOf(lost(ben, dora, 1))) },
			"select count(*) from notifications where receiver_id = $1", anna,
		},
		"Apply, lost points": {
			func(f fixture) error {
				lost := []notification.PointsLost{{PlayerID: ben, RecordID: record(1), Points: 7}}
				return f.Apply(t.Context(), notification.Effect{PointsLost: lost})
			},
			"select count(*) from points_lost where player_id = $1", anna,
		},
		"another merge": {
			func(f fixture) error { return f.ApplyPlayer(t.Context(), tombstone(anna, emil)) }, followsSQL, emil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.hook(t, cloe, 1, webhook.JSON, publicevent.Filter{Types: publicevent.TypeRecord, PlayerID: ben})
			if name == "another merge" {
				f.followPlayer(t, ben, dora)
			}
			merge := func(f fixture) error { return f.ApplyPlayer(t.Context(), tombstone(ben, anna)) }
			require.NoError(t, f.waits(t, merge, func() error { return tt.do(f) }))
			if rows := pgtest.Value[int](t, f.pool, tt.countSQL, tt.of); rows != 1 {
				t.Errorf("%d rows of whom the player was merged into", rows)
			}
			f.wantUnnamed(t, ben)
		})
	}
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

// Of the webhooks of a merged player and of whom the player was merged into, the 5 oldest are left. Filters name whom a
// player was merged into.
func TestStore_merge_webhooks(t *testing.T) {
	t.Parallel()
	f := setup(t)
	filter := publicevent.Filter{Types: publicevent.TypeRecord, PlayerID: ben}
	for n := range 4 {
		f.hook(t, anna, 2*n, webhook.JSON, allRecords)
		f.hook(t, ben, 2*n+1, webhook.JSON, filter)
	}
	f.hook(t, cloe, 20, webhook.JSON, filter)
	f.merge(t, ben, anna)
	type hook struct{ ID, Owner, Player string }
	got := pgtest.Rows[hook](t, f.pool, `
		select id::text, owner_id::text as owner, coalesce(player_id::text, '') as player from webhooks order by id`)
	var want []hook
	for n := range webhook.Max {
		player := []string{"", anna}[n%2]
		want = append(want, hook{id(2000 + n), anna, player})
	}
	require.Equal(t, "webhooks", append(want, hook{id(2020), cloe, anna}), got)
	f.publishAt(t, anna, 30)
	if rows := pgtest.Value[int](t, f.pool, "select count(*) from webhook_deliveries"); rows != 6 {
		t.Errorf("%d deliveries of a record of whom the player was merged into", rows)
	}
	f.publishAt(t, ben, 31)
	if rows := pgtest.Value[int](t, f.pool, "select count(*) from webhook_deliveries"); rows != 12 {
		t.Errorf("%d deliveries after a record that names the merged player", rows)
	}
	// Who was merged still gets at the own webhooks.
	require.NoError(t, f.DeleteWebhook(t.Context(), by(ben), id(2001)))
}

func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	pgtest.WantPlayerColumns(t, setup(t).pool, postgres.PlayerColumns, "map_id", "cause_id", "record_id", "decision_id",
		"webhook_id", "last_delivery_id", "lease_id")
}
