package postgres

import "capzone.dev/platform/export"

// exportedMap is a map in an export, without what the game's file has, which the site shows to everybody.
const exportedMap = `jsonb_build_object('id', id, 'gameMapId', game_map_id, 'mapVersion', map_version, 'name', name,
				'gameMode', game_mode, 'description', description, 'tags', tags, 'medalTimes', jsonb_build_object(
					'author', medal_author, 'gold', medal_gold, 'silver', medal_silver, 'bronze', medal_bronze),
				'image', '/media/' || image_key, 'unranked', unranked, 'createdAt', created_at, 'updatedAt', updated_at,
				'removedAt', removed_at)`

// Exports is what the service stores of a player: the maps that the player made or submitted, also removed ones, and
// edits.
var Exports = []export.Part{
	{
		Kind: "map", First: export.FirstID, Tables: []string{"maps"},
		SQL: `
			select id::text as key, ` + exportedMap + `
			from maps where author_id = @player and id > @after::uuid order by id limit @limit`,
	},
	{
		Kind: "submittedMap", First: export.FirstID, Tables: []string{"maps"},
		SQL: `
			select id::text as key, ` + exportedMap + `
			from maps where submitted_by_id = @player and author_id <> @player and id > @after::uuid order by id limit @limit`,
	},
	{
		Kind: "editOfMap", First: export.FirstID, Tables: []string{"map_edits"},
		SQL: `
			select id::text as key, jsonb_build_object('id', id, 'mapId', map_id, 'at', at, 'before', before, 'after', after,
				'undoes', undoes, 'reason', reason)
			from map_edits where editor_id = @player and id > @after::uuid order by id limit @limit`,
	},
}

// NotExported are the tables with a player's id that Exports leaves out, with the reason.
var NotExported = map[string]string{
	"players":   "is a copy of what the players service exports",
	"map_stats": "says who has the world record of a map, which the records service exports",
}
