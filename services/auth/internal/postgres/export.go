package postgres

import "capzone.dev/platform/export"

// Exports is what the service stores of a player. Refresh tokens are stored as hashes, which are no player's data.
var Exports = []export.Part{
	{
		Kind: "session", First: export.FirstID, Tables: []string{"families"},
		SQL: `
			select id::text as key, jsonb_build_object('id', id, 'startedAt', created_at, 'expiresAt', expires_at,
				'endedAt', revoked_at, 'endedBy', revoked_by)
			from families where player_id = @player and id > @after::uuid order by id limit @limit`,
	},
	{
		Kind: "personalToken", First: export.FirstID, Tables: []string{"personal_tokens"},
		SQL: `
			select id::text as key, jsonb_build_object('id', id, 'name', name, 'scopes', scopes, 'createdAt', created_at,
				'expiresAt', expires_at, 'lastUsedOn', last_used_on, 'revokedAt', revoked_at, 'revokedBy', revoked_by)
			from personal_tokens where player_id = @player and id > @after::uuid order by id limit @limit`,
	},
}

// NotExported are the tables with a player's id that Exports leaves out, with the reason.
var NotExported = map[string]string{
	"players": "is a copy of what the players service exports",
}
