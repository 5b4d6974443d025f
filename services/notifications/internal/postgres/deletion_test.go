package postgres_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/notifications/internal/postgres"
	"capzone.dev/services/notifications/migrations"
)

func TestDeletion_columns(t *testing.T) {
	t.Parallel()
	deletion := pgtest.Deletion{
		"player_follows: *":     "deleted",
		"map_follows: *":        "deleted",
		"inboxes: *":            "deleted",
		"settings: *":           "deleted",
		"points_lost: *":        "deleted",
		"webhooks: *":           "deleted",
		"webhook_uses: *":       "deleted",
		"webhook_deliveries: *": "deleted with the webhooks",
		"notifications: receiver_id number kind cause_id subject_id player_id map_id record_id finish_time own_finish_time " +
			"place_from place_to decision_id decision public_reason appeal sequence at created_at read_at": "deleted from the " +
			"player's inbox; those of others show the new name",
		"hidden_players: player_id hidden changed_at": "kept: the records stay",
		"removals: *": "kept: no player's",
		"maps: id version removed name game_map_id author_id superseded unranked": "kept: the map stays",
	}.With()
	deletion.Want(t, pgtest.Open(t, "notifications", migrations.FS), postgres.PlayerColumns)
}
