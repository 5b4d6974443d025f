package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/webhook"
)

// PlayerColumns says of each column that holds a player's id what a merge does with it. A test compares the columns
// with the database's.
var PlayerColumns = map[string]string{
	"players.id":                 "the row becomes a tombstone",
	"players.merged_into":        "becomes the id of the player merged into, also of players merged before",
	"maps.author_id":             "follows the states of maps",
	"player_follows.follower_id": "becomes that of the player merged into; of two rows one stays, none of oneself, and the 500 oldest",
	"player_follows.player_id":   "becomes that of the player merged into; of two rows one stays, and none of oneself",
	"map_follows.follower_id":    "becomes that of the player merged into; of two rows one stays, and the 500 oldest",
	"inboxes.player_id":          "the two inboxes become that of the player merged into",
	"notifications.receiver_id":  "becomes that of the player merged into, numbered anew by time; of two with one cause the older stays",
	"notifications.player_id":    "becomes that of the player merged into, and those about oneself are deleted",
	"notifications.subject_id":   "becomes that of the player merged into where it is the player of the record",
	"points_lost.player_id":      "becomes that of the player merged into; of two rows of a record one stays",
	"webhooks.owner_id":          "becomes that of the player merged into, and the 5 oldest stay",
	"webhooks.player_id":         "becomes that of the player merged into",
	"webhook_uses.player_id":     "stays: it counts a minute",
	"settings.player_id":         "those of the player merged into stay, if there are any, else those of the other",
	"hidden_players.player_id":   "stays: the records are published as hidden under the other id",
}

const (
	mergePlayerFollowsSQL = `
		with moved as (
			delete from player_follows where @from in (follower_id, player_id) returning *
		)
		insert into player_follows (follower_id, player_id, created_at)
		select f.follower_id, f.player_id, min(f.created_at)
		from (
			select case follower_id when @from then @into::uuid else follower_id end as follower_id,
				case player_id when @from then @into::uuid else player_id end as player_id, created_at
			from moved
		) f
		where f.follower_id <> f.player_id
		group by 1, 2
		on conflict (follower_id, player_id) do update set
			created_at = least(player_follows.created_at, excluded.created_at)`
	mergeMapFollowsSQL = `
		with moved as (delete from map_follows where follower_id = @from returning *)
		insert into map_follows (follower_id, game_map_id, created_at)
		select @into, game_map_id, created_at from moved
		on conflict (follower_id, game_map_id) do update set
			created_at = least(map_follows.created_at, excluded.created_at)`
	trimPlayerFollowsSQL = `
		delete from player_follows where follower_id = @into and player_id in (
			select player_id from player_follows where follower_id = @into order by created_at, player_id offset @follows)`
	trimMapFollowsSQL = `
		delete from map_follows where follower_id = @into and game_map_id in (
			select game_map_id from map_follows where follower_id = @into order by created_at, game_map_id offset @follows)`
	mergeWebhooksSQL       = `update webhooks set owner_id = @into where owner_id = @from`
	mergeWebhookFiltersSQL = `update webhooks set player_id = @into where player_id = @from`
	trimWebhooksSQL        = `
		delete from webhooks where id in (
			select id from webhooks where owner_id = @into order by created_at, id offset @webhooks)`
	deleteOwnNotificationsSQL = `
		delete from notifications
		where receiver_id = @from and player_id = @into or receiver_id = @into and player_id = @from`
	mergeActorsSQL = `update notifications set player_id = @into where player_id = @from`
	// mergeInboxesSQL numbers the notifications of both players by time, above all numbers that were given before. Reading
	// through one of those marks nothing that the reader has not seen.
	mergeInboxesSQL = `
		with moved as (
			delete from notifications where receiver_id in (@from, @into) returning *
		), kept as (
			select distinct on (kind, cause_id) * from moved order by kind, cause_id, at, receiver_id
		)
		insert into notifications (receiver_id, number, kind, cause_id, subject_id, player_id, map_id, record_id,
			decision_id, decision, public_reason, appeal, finish_time, own_finish_time, place_from, place_to, at, sequence,
			created_at, read_at)
		select @into, b.last + row_number() over (order by at, kind, cause_id), kind, cause_id, subject_id, player_id, map_id,
			record_id, decision_id, decision, public_reason, appeal, finish_time, own_finish_time, place_from, place_to, at,
			sequence, created_at, read_at
		from kept cross join (select max(last) as last from inboxes where player_id in (@from, @into)) b`
	// mergeGroupsSQL follows mergeActorsSQL.
	mergeGroupsSQL     = `update notifications set subject_id = @into where player_id = @into and subject_id = @from`
	mergePointsLostSQL = `
		with moved as (delete from points_lost where player_id = @from returning *)
		insert into points_lost (player_id, record_id, points, at)
		select @into, record_id, points, at from moved
		on conflict do nothing`
	countInboxSQL = `
		update inboxes set last = greatest(
			(select max(last) from inboxes where player_id in (@from, @into)),
			(select max(number) from notifications where receiver_id = @into))
		where player_id = @into`
	deleteInboxSQL   = `delete from inboxes where player_id = @from`
	mergeSettingsSQL = `
		with moved as (delete from settings where player_id = @from returning *)
		insert into settings (player_id, kind, delivery)
		select @into, kind, delivery from moved where not exists (select from settings where player_id = @into)`
)

// merge gives everything of a player whose copy is a tombstone to whom the player was merged into.
func merge(ctx context.Context, tx pgx.Tx, from, into string) error {
	args := pgx.NamedArgs{
		"from": from, "into": into, "follows": notification.MaxFollows, "receivers": []string{into},
		"most": notification.MaxInbox, "webhooks": webhook.Max,
	}
	if err := lockInboxes(ctx, tx, from, into); err != nil {
		return err
	}
	err := postgres.ExecBatch(ctx, tx, args, mergePlayerFollowsSQL, trimPlayerFollowsSQL, mergeMapFollowsSQL,
		trimMapFollowsSQL, mergeWebhooksSQL, trimWebhooksSQL, mergeWebhookFiltersSQL, deleteOwnNotificationsSQL,
		mergeActorsSQL, mergeGroupsSQL, mergeInboxesSQL, mergePointsLostSQL, countInboxSQL, trimSQL,
		deleteInboxSQL, mergeSettingsSQL)
	return postgres.Wrap(err, "merge player %s into %s", from, into)
}
