package postgres_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	maps "capzone.dev/services/maps/internal/postgres"
	"capzone.dev/services/maps/migrations"
)

func TestDeletion_columns(t *testing.T) {
	t.Parallel()
	deletion := pgtest.Deletion{
		"maps: description":  "emptied",
		"maps: contributors": "emptied of the player's names",
		"maps: id version game_map_id map_version superseded name search_key game_mode author_id submitted_by_id tags " +
			"medal_author medal_gold medal_silver medal_bronze remix_game_map_id remix_name remix_author " +
			"fingerprint replay_key " +
			"image_key thumbnail_key drawing_key picture_key picture_thumbnail_key picture_bucket drawing_due unranked " +
			"unranked_reason created_at updated_at removed_at listed": "kept: records of others depend on the map",
		"map_edits: before after": "emptied of the descriptions",
		"map_edits: id map_id at editor_id before_image_key before_thumbnail_key undoes reason": "kept:" +
			" moderators undo edits",
		"map_stats: map_id version records listed world_record_id world_record_player_id " +
			"world_record_time": "kept: records stay",
		"map_data: *":       "kept: the map stays",
		"update_replays: *": "kept: the map stays",
		"tag_counts: *":     "kept: no player's",
		"listed_maps: *":    "kept: names of authors who need not be players, until the map is taken off the list",
	}.With("name_key", "search_key", "forgotten")
	deletion.Want(t, pgtest.Open(t, "maps", migrations.FS), maps.PlayerColumns)
}
