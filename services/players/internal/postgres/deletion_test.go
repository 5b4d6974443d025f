package postgres_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/players/internal/postgres"
)

func TestDeletion_columns(t *testing.T) {
	t.Parallel()
	deletion := pgtest.Deletion{
		"players: name name_key search_key": "renamed" +
			" deleted player and the end of the id",
		"players: former_names level skin skin_color avatar_key roles language":  "emptied",
		"players: banned ban_reason ban_public_reason ban_decision_id ban_until": "emptied",
		"players: id version registered created_at updated_at merged_into deleted_at": "kept:" +
			" records and maps name the player",
		"former_names: *": "deleted",
		"deletions: *":    "deleted",
		"banned_names: name_hash player_id": "kept:" +
			" until the ban ends, so that a new login does not end it",
		"map_authors: map_id version author_id":                 "kept: the maps stay",
		"player_totals: player_id maps records records_version": "kept: maps and records stay",
	}
	deletion.Want(t, setup(t).Pool, postgres.PlayerColumns)
}
