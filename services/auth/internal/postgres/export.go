package postgres

import (
	"context"
	"errors"

	"capzone.dev/platform/event"
	"capzone.dev/platform/export"
	"capzone.dev/services/auth/internal/session"
)

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

// ExportID returns the id of a player, whose rows keep it after a merge. It returns event.ErrPlayerDeleted for a player
// whose account was deleted. Among removed players, only such a player has a name.
func (s *Store) ExportID(ctx context.Context, playerID string) (string, error) {
	p, err := s.Player(ctx, playerID)
	switch {
	case errors.Is(err, session.ErrPlayerUnknown): // the copy has not arrived
		return playerID, nil
	case err != nil:
		return "", err
	case p.Removed && p.Name != "":
		return "", event.ErrPlayerDeleted
	}
	return playerID, nil
}
