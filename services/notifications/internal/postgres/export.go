package postgres

import "capzone.dev/platform/export"

// Exports is what the service stores of a player. Other players are in it by their ids alone.
var Exports = []export.Part{
	{
		Kind: "followedPlayer", First: export.FirstID, Tables: []string{"player_follows"},
		SQL: `
			select player_id::text as key, jsonb_build_object('playerId', player_id, 'since', created_at)
			from player_follows where follower_id = @player and player_id > @after::uuid order by player_id limit @limit`,
	},
	{
		Kind: "followedMap", First: "-1", Tables: []string{"map_follows"},
		SQL: `
			select game_map_id::text as key, jsonb_build_object('gameMapId', game_map_id, 'since', created_at)
			from map_follows where follower_id = @player and game_map_id > @after::bigint order by game_map_id limit @limit`,
	},
	{
		Kind: "inboxSetting", Tables: []string{"settings"},
		SQL: `
			select kind, jsonb_build_object('kind', kind, 'delivery', delivery)
			from settings where player_id = @player and kind > @after order by kind limit @limit`,
	},
	{
		Kind: "notification", First: "0", Tables: []string{"notifications"},
		SQL: `
			select number::text as key, jsonb_build_object('number', number, 'kind', kind, 'causeId', cause_id,
				'playerId', player_id, 'mapId', map_id, 'recordId', record_id, 'finishTime', finish_time,
				'ownFinishTime', own_finish_time,
				'decisionId', decision_id, 'decision', decision, 'publicReason', public_reason, 'appeal', appeal,
				'placeFrom', place_from, 'placeTo', place_to,
				'at', at, 'readAt', read_at)
			from notifications where receiver_id = @player and number > @after::bigint order by number limit @limit`,
	},
	{
		Kind: "pointsLost", First: export.FirstID, Tables: []string{"points_lost"},
		SQL: `
			select record_id::text as key, jsonb_build_object('recordId', record_id, 'tenthsOfPoints', points, 'at', at)
			from points_lost where player_id = @player and record_id > @after::uuid order by record_id limit @limit`,
	},
	{
		// Without the secrets.
		Kind: "webhook", First: export.FirstID, Tables: []string{"webhooks"},
		SQL: `
			select id::text as key, jsonb_build_object('id', id, 'url', url, 'format', format, 'description', description,
				'types', types, 'mapId', map_id, 'playerId', player_id, 'mode', mode, 'enabled', enabled,
				'offReason', off_reason, 'createdAt', created_at)
			from webhooks where owner_id = @player and id > @after::uuid order by id limit @limit`,
	},
	{
		Kind: "webhookDelivery", First: export.FirstID + "|" + export.FirstID, Tables: []string{"webhook_deliveries"},
		SQL: `
			select d.webhook_id || '|' || d.id as key, jsonb_build_object('webhookId', d.webhook_id, 'id', d.id,
				'type', d.type, 'body', convert_from(d.body, 'UTF8')::jsonb, 'state', d.state, 'tries', d.tries,
				'status', d.status, 'failure', d.failure, 'createdAt', d.created_at, 'lastTryAt', d.last_try_at)
			from webhook_deliveries d
			where d.webhook_id = any (array(select id from webhooks where owner_id = @player)) and (d.webhook_id, d.id)
				> (split_part(@after, '|', 1)::uuid, split_part(@after, '|', 2)::uuid)
			order by d.webhook_id, d.id limit @limit`,
	},
}

// NotExported are the tables with a player's id that Exports leaves out, with the reason.
var NotExported = map[string]string{
	"players": "is a copy of what the players service exports", "maps": "is a copy of what the maps service exports",
	"inboxes":        "counts the notifications",
	"hidden_players": "is a copy of what the records service exports",
	"webhook_uses":   "counts what a player does in a minute",
}
