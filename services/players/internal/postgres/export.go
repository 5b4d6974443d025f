package postgres

import "capzone.dev/platform/export"

// Exports is what the service stores of a player.
var Exports = []export.Part{
	{
		Kind: "player", First: export.FirstID, Tables: []string{"players"},
		SQL: `
			select id::text as key, jsonb_build_object('id', id, 'name', name, 'level', level, 'skin', skin,
				'skinColor', skin_color, 'avatar', '/media/' || avatar_key, 'roles', roles, 'registered', registered,
				'banned', banned,
				'banPublicReason', case when banned then ban_public_reason end,
				'bannedUntil', ban_until, 'language', language, 'createdAt', created_at, 'updatedAt', updated_at)
			from players where id = @player and id > @after::uuid order by id limit @limit`,
	},
	{
		Kind: "formerName", Tables: []string{"former_names"},
		SQL: `
			select f.name_key, jsonb_build_object('name', f.name_key)
			from former_names f where f.player_id = @player and f.name_key > @after order by f.name_key limit @limit`,
	},
	{
		Kind: "deletion", First: export.FirstID, Tables: []string{"deletions"},
		SQL: `
			select player_id::text as key, jsonb_build_object('requestedAt', requested_at, 'scheduledFor', due_at)
			from deletions where player_id = @player and player_id > @after::uuid order by player_id limit @limit`,
	},
	{
		// Without who has changed them.
		Kind: "changeOfRoles", First: "0", Tables: []string{"audit"},
		SQL: `
			select id::text as key, jsonb_build_object('at', at, 'action', action, 'before', before, 'after', after)
			from audit
			where subject = @player and id > @after::bigint and action in ('grant role', 'revoke role', 'change roles')
			order by id limit @limit`,
	},
}

// NotExported are the tables with a player's id that Exports leaves out, with the reason.
var NotExported = map[string]string{
	"map_authors":   "counts the player's maps, which the maps service exports",
	"player_totals": "counts the player's records, which the records service exports",
	"banned_names":  "is of players who are deleted, and holds hashes alone",
}
