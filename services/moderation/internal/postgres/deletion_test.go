package postgres_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/moderation/internal/postgres"
	"capzone.dev/services/moderation/migrations"
)

func TestDeletion_columns(t *testing.T) {
	t.Parallel()
	deletion := pgtest.Deletion{
		"reports: text":         "emptied",
		"appeal_messages: text": "emptied",
		"reports: id case_id reporter_id reason weight created_at confirmed closed_at": "kept:" +
			" for the case",
		"appeal_messages: id appeal_id from_moderator created_at": "kept:" +
			" for the case",
		"appeals: id decision_id player_id state waiting_since answered_at granted_by created_at": "kept:" +
			" for the case",
		"cases: id subject_kind subject_id player_id map_id finish_time open priority reports flags opened_at closed_at " +
			"claimed_by claimed_until decision_id": "kept: what was decided stays",
		"decisions: id kind subject_kind subject_id player_id map_id finish_time by_id public_reason text " +
			"state refusal_code " +
			"refusal_message until keep_records into_id case_id undoes needless created_at": "kept:" +
			" what was decided stays",
		"flags: *":             "kept: the record stays",
		"decision_commands: *": "kept: what was decided stays",
		"audit_log: *":         "kept: nobody can change it",
		"maps: id version removed name game_map_id author_id superseded unranked": "kept: the map stays",
	}.With()
	deletion.Want(t, pgtest.Open(t, "moderation", migrations.FS), postgres.PlayerColumns)
}
