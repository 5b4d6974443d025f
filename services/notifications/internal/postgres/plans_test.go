package postgres

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/migrations"
)

// Every statement of pages and facts uses indexes.
func TestStore_plans(t *testing.T) {
	t.Parallel()
	pool := manyInboxes(t)
	for _, s := range []struct {
		name, sql string
		indexes   []string
	}{
		{"Player", copies.PlayerSQL, []string{"players_pkey"}},
		{"Map", copies.MapSQL, []string{"maps_pkey"}},
		{"Following players", followingPlayersSQL, []string{"player_follows_pkey", "players_pkey"}},
		{"Following maps", followingMapsSQL, []string{"map_follows_pkey", "maps_game_map_id"}},
		{"FollowedPlayers", followedPlayersSQL, []string{"player_follows_pkey"}},
		{"FollowersOfPlayer", followersOfPlayerSQL, []string{"Index Only Scan using player_follows_player"}},
		{"FollowersOfMap", followersOfMapSQL, []string{"Index Only Scan using map_follows_map"}},
		{"Versions", versionsSQL, []string{"maps_game_map_id"}},
		{"IsFollowing", isFollowingSQL, []string{"player_follows", "map_follows"}},
		{"UnfollowPlayer", unfollowPlayerSQL, []string{"player_follows"}},
		{"UnfollowMap", unfollowMapSQL, []string{"map_follows"}},
		{"follower of players", playerFollowerSQL, []string{"player_follows_pkey", "players_pkey"}},
		{"follower of maps", mapFollowerSQL, []string{"map_follows_pkey"}},
		{"Groups", groupsSQL, []string{"notifications_", "removals_pkey", "hidden_players_pkey", "points_lost_pkey"}},
		{"names of players", actorsSQL, []string{"players_pkey"}},
		{"CountUnread", countUnreadSQL, []string{"Index Only Scan using notifications_unread"}},
		{"ReadThrough", readThroughSQL, []string{"notifications_", "inboxes_pkey"}},
		{"was given", wasGivenSQL, []string{"inboxes_pkey"}},
		{"ReadGroup", readGroupSQL, []string{"notifications_pkey"}},
		{"exists", existsSQL, []string{"notifications_pkey"}},
		{"Settings", settingsSQL, []string{"settings_pkey"}},
		{"lock of inboxes", lockInboxesSQL, []string{"inboxes_pkey"}},
		{"Apply, receivers", receiversSQL, []string{"players_pkey", "settings_pkey"}},
		{"Apply", addSQL, []string{"notifications_once", "inboxes_pkey"}},
		{"Add, before", dropReplacedSQL, []string{"notifications_once"}},
		{"Add, trim", trimSQL, []string{"notifications_pkey", "inboxes_pkey"}},
		{"Purge of notifications", purgeNotificationsSQL, []string{"notifications_created_at", "Tid Scan"}},
		{"Purge of removals", purgeRemovalsSQL, []string{"removals_changed_at", "Tid Scan"}},
		{"Purge of lost points", purgePointsLostSQL, []string{"points_lost_at", "Tid Scan"}},
		{"Apply, lost points", addPointsLostSQL, []string{"players_pkey"}},
		{"merge, lost points", mergePointsLostSQL, []string{"points_lost_pkey"}},
		{"merge, merged before", copies.FlattenMergesSQL, []string{"players_merged_into"}},
		{"merge, follows of players", mergePlayerFollowsSQL, []string{"player_follows_pkey", "player_follows_player"}},
		{"merge, follows of maps", mergeMapFollowsSQL, []string{"map_follows_pkey"}},
		{"merge, trim follows of players", trimPlayerFollowsSQL, []string{"player_follows_pkey"}},
		{"merge, trim follows of maps", trimMapFollowsSQL, []string{"map_follows_pkey"}},
		{"merge, own", deleteOwnNotificationsSQL, []string{"notifications_"}},
		{"merge, actors", mergeActorsSQL, []string{"notifications_player"}},
		{"merge, groups", mergeGroupsSQL, []string{"notifications_player"}},
		{"merge, inboxes", mergeInboxesSQL, []string{"notifications_"}},
		{"merge, number", countInboxSQL, []string{"notifications_pkey", "inboxes_pkey"}},
		{"merge, settings", mergeSettingsSQL, []string{"settings_pkey"}},
		{"forget, follows of players", forgetPlayerFollowsSQL, []string{"player_follows_pkey", "player_follows_player"}},
		{"forget, follows of maps", forgetMapFollowsSQL, []string{"map_follows_pkey"}},
		{"forget, inbox", forgetInboxSQL, []string{"notifications_"}},
		{"forget, number", forgetInboxNumberSQL, []string{"inboxes_pkey"}},
		{"forget, settings", forgetSettingsSQL, []string{"settings_pkey"}},
		{"forget, lost points", forgetPointsLostSQL, []string{"points_lost_pkey"}},
		{"forget, webhooks", forgetWebhooksSQL, []string{"webhooks_owner"}},
		{"merge, webhooks", mergeWebhooksSQL, []string{"webhooks_owner"}},
		{"merge, filters of webhooks", mergeWebhookFiltersSQL, []string{"webhooks_player"}},
		{"merge, trim webhooks", trimWebhooksSQL, []string{"webhooks_owner"}},
		{"List of webhooks", listWebhooksSQL, []string{"webhooks_owner", "webhook_deliveries_pkey"}},
		{"Get of a webhook", getWebhookSQL, []string{"webhooks_pkey", "webhook_deliveries_pkey"}},
		{"count of webhooks", countWebhooksSQL, []string{"webhooks_owner"}},
		{"Update of a webhook", updateWebhookSQL, []string{"webhooks_pkey"}},
		{"end of what waits", endWaitingSQL, []string{"webhook_deliveries_", "webhooks_pkey"}},
		{"Deliveries", listDeliveriesSQL, []string{"webhook_deliveries_newest"}},
		{"uses", usesSQL, nil},
		{"forget, uses of webhooks", forgetWebhookUsesSQL, []string{"webhook_uses_pkey"}},
		{"lock of a webhook", lockWebhookSQL, []string{"webhooks_pkey", "webhook_deliveries_pkey"}},
		{"get of a delivery", getDeliverySQL, []string{"webhook_deliveries_pkey"}},
		{"Selecting", selectingSQL, []string{"webhooks_selector", "players_pkey"}},
		{"AddDeliveries, lock", lockEnabledSQL, []string{"webhooks_pkey"}},
		{"AddDeliveries", addDeliveriesSQL, []string{"webhooks_pkey"}},
		{"Take", takeSQL, []string{"webhooks_due", "webhooks_pkey", "webhook_deliveries_waiting"}},
		{"lock of a leased webhook", lockLeasedSQL, []string{"webhooks_pkey", "webhook_deliveries_pkey"}},
		{"Finish, delivery", saveDeliverySQL, []string{"webhook_deliveries_pkey"}},
		{"give back", giveBackSQL, []string{"webhooks_pkey", "webhook_deliveries_waiting"}},
		{"Purge of deliveries", purgeDeliveriesSQL, []string{"webhook_deliveries_created_at", "Tid Scan"}},
		{"latest delivery", latestSQL, []string{"webhooks_due"}},
	} {
		plan := pgtest.GenericPlan(t, pool, s.sql)
		unified := strings.ReplaceAll(plan, "Scan Backward using", "Scan using")
		for _, index := range s.indexes {
			if !strings.Contains(unified, index) {
				t.Errorf("%s does not use %s:\n%s", s.name, index, plan)
			}
		}
		if strings.Contains(plan, "Seq Scan") {
			t.Errorf("%s reads a whole table:\n%s", s.name, plan)
		}
	}
	exporttest.WantPlans(t, pool, Exports)
}

// manyInboxes returns a database with 20 full inboxes and many follows.
func manyInboxes(tb testing.TB) *postgres.Pool {
	tb.Helper()
	return pgtest.Open(tb, "many inboxes", migrations.FS, fillInboxes)
}

func fillInboxes(ctx context.Context, pool *postgres.Pool) error {
	const createIDSQL = `
		create function invented_id(n int) returns uuid language sql as $$ select lpad(n::text, 32, '0')::uuid $$`
	for _, sql := range []string{
		createIDSQL,
		`insert into players (id, version, removed, merged_into, name, registered)
			select invented_id(n), 1, n % 10 = 0, case when n % 10 = 0 then invented_id(n + 1) end, 'Player ' || n, true
			from generate_series(1, 10000) n`,
		`insert into maps
			select invented_id(n), 1, n % 20 = 0, 'Map ' || n, n / 2, null, n % 2 = 0 from generate_series(1, 10000) n`,
		`insert into player_follows
			select invented_id(n), invented_id((n + m * 37) % 10000 + 1)
			from generate_series(1, 1000) n, generate_series(1, 30) m`,
		`insert into map_follows
			select invented_id(n), (n + m * 37) % 5000 from generate_series(1, 1000) n, generate_series(1, 30) m`,
		`insert into inboxes select invented_id(n), 1000 from generate_series(1, 5000) n`,
		`insert into settings
			select invented_id(n), kind, 'browser'
			from generate_series(1, 5000) n, unnest('{passed, record_lost}'::text[]) kind`,
		`insert into notifications (receiver_id, number, kind, cause_id, subject_id, player_id, map_id, record_id, finish_time,
				place_from, place_to, at, created_at)
			select invented_id(n), m, 'passed', invented_id(n * 1000 + m), invented_id(m), invented_id(n + m), invented_id(m),
				invented_id(n * 1000 + m), 60000, 1, 2, now(), now() - m * interval '1 hour'
			from generate_series(1, 20) n, generate_series(1, 1000) m`,
		`insert into removals
			select invented_id(n * 7), true, now() - n * interval '1 hour' from generate_series(1, 20000) n`,
		`insert into points_lost
			select invented_id(n), invented_id(n * 1000 + m), 658, now() from generate_series(1, 20) n, generate_series(1, 1000) m`,
		`insert into hidden_players select invented_id(n * 5), true, now() from generate_series(1, 2000) n`,
		`insert into webhooks (id, owner_id, url, format, description, types, map_id, player_id, enabled, due_at, failures,
				created_at)
			select invented_id(n), invented_id(n / 5), 'https://webhook.invalid', 'json', '', '{record}',
				case when n % 3 = 0 then invented_id(n % 500) end, case when n % 3 = 1 then invented_id(n % 500) end,
				n % 10 > 0, case when n % 20 = 1 then now() end, n % 7, now()
			from generate_series(1, 5000) n`,
		`insert into webhook_deliveries (webhook_id, id, type, body, state, created_at, next_try_at)
			select invented_id(n), invented_id(n * 100 + m), 'record', '{}', 'delivered', now() - m * interval '1 hour',
				case when m % 20 = 1 then now() end
			from generate_series(1, 200) n, generate_series(1, 100) m`,
	} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return pgtest.Vacuum(ctx, pool, "players", "maps", "player_follows", "map_follows", "inboxes", "settings",
		"notifications", "removals", "hidden_players", "points_lost", "webhooks", "webhook_deliveries")
}
