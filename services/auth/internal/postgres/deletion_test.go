package postgres_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/auth/internal/postgres"
	"capzone.dev/services/auth/migrations"
)

func TestDeletion_columns(t *testing.T) {
	t.Parallel()
	deletion := pgtest.Deletion{
		"families: id player_id created_at expires_at revoked_at revoked_by": "kept:" +
			" sessions end, and their rows go when they expire",
		"refresh_tokens: hash family_id expires_at used_at": "kept: they go with their families",
		"personal_tokens: id hash player_id name scopes created_at expires_at last_used_on revoked_at " +
			"revoked_by": "kept: " +
			"they are revoked, and deleted after 30 days",
	}.With()
	deletion.Want(t, pgtest.Open(t, "auth", migrations.FS), postgres.PlayerColumns)
}
