package postgres_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/migrations"
)

const keptRecord = "kept: the places and points of others depend on it"

func TestDeletion_columns(t *testing.T) {
	t.Parallel()
	deletion := pgtest.Deletion{
		"records: id seq map_id player_id finish_time finished_at undated replay_hash created_at submitted_by " +
			"rank_at_submission checks_hash map_data_hash mod_version game_version removed_at " +
			"removed_reason replay_purged_at": keptRecord,
		"personal_bests: map_id player_id record_id finish_time finished_at created_at records": keptRecord,
		"world_records: map_id finish_time record_id player_id seq since":                       keptRecord,
		"player_totals: player_id version records hidden":                                       keptRecord,
		"goals_put_aside: *": "deleted",
		"maps: id version removed restoring name game_map_id map_version superseded unranked unranked_reason gives_points " +
			"game_mode author_id fingerprint medal_author medal_gold medal_silver medal_bronze " +
			"picture_bucket picture_key": "kept: " +
			"the map stays",
		"points_players: player_id maps authors counts":                             keptRecord,
		"record_points: map_id player_id opponents slower tied points world_record": keptRecord,
		"rankings: period mode player_id kind value":                                keptRecord,
		"points_before: player_id map_id day points":                                keptRecord,
		"points_days: player_id day points rank":                                    keptRecord,
		"points_changes: id map_id player_id record_id map_changed at": "kept:" +
			" for seconds, until the points are computed",
		"check_lists: *":    "kept: no player's",
		"first_records: *":  "kept: the record stays",
		"rank_counts: *":    "kept: no player's",
		"ranking_counts: *": "kept: no player's",
		"map_totals: *":     "kept: no player's",
		"points_state: *":   "kept: no player's",
		"points_maps: *":    "kept: no player's",
		"dumps: *":          "kept: no player's",
	}.With()
	deletion.Want(t, pgtest.Open(t, "records", migrations.FS), records.PlayerColumns)
}
