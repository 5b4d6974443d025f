package postgres

import "capzone.dev/platform/export"

// exportedRecord is a record in an export. A record of a merged player has the id that the player had then.
const exportedRecord = `jsonb_build_object('id', r.id, 'mapId', r.map_id, 'finishTime', r.finish_time,
				'finishTimeStamp', case when not r.undated then r.finished_at end, 'replayHash', r.replay_hash,
				'createdAt', r.created_at, 'rankAtSubmission', r.rank_at_submission, 'removedAt', r.removed_at,
				'submittedById', coalesce(r.submitted_by, r.player_id), 'checks', c.checks)`

// Exports is what the service stores of a player, also removed and hidden records. Why a record was removed is in the
// decision, which the moderation service exports.
var Exports = []export.Part{
	{
		Kind: "record", First: "-infinity|" + export.FirstID, Tables: []string{"records"},
		SQL: `
			select r.created_at || '|' || r.id as key, ` + exportedRecord + `
			from records r join check_lists c on c.hash = r.checks_hash
			where r.player_id = @player and r.removed_at is null and (r.created_at, r.id)
				> (split_part(@after, '|', 1)::timestamptz, split_part(@after, '|', 2)::uuid)
			order by r.created_at, r.id limit @limit`,
	},
	{
		Kind: "removedRecord", First: export.FirstID + "|" + export.FirstID, Tables: []string{"records"},
		SQL: `
			select r.map_id || '|' || r.id, ` + exportedRecord + `
			from records r join check_lists c on c.hash = r.checks_hash
			where r.player_id = @player and r.removed_at is not null and (r.map_id, r.id)
				> (split_part(@after, '|', 1)::uuid, split_part(@after, '|', 2)::uuid)
			order by r.map_id, r.id limit @limit`,
	},
	{
		Kind: "goalPutAside", First: export.FirstID, Tables: []string{"goals_put_aside"},
		SQL: `
			select map_id::text as key, jsonb_build_object('mapId', map_id, 'until', until)
			from goals_put_aside where player_id = @player and map_id > @after::uuid order by map_id limit @limit`,
	},
	{
		Kind: "pointsOfDay", First: "0001-01-01", Tables: []string{"points_days"},
		SQL: `
			select day::text as key, jsonb_build_object('day', day, 'points', points::numeric / 10, 'rank', rank)
			from points_days where player_id = @player and day > @after::date order by day limit @limit`,
	},
	{
		Kind: "visibility", First: export.FirstID, Tables: []string{"player_totals"},
		SQL: `
			select player_id::text as key, jsonb_build_object('records', records, 'hidden', hidden)
			from player_totals where player_id = @player and player_id > @after::uuid order by player_id limit @limit`,
	},
}

const (
	madeOfRecords = "is computed from the records"
	isCopy        = "is a copy of what another service exports"
)

// NotExported are the tables with a player's id that Exports leaves out, with the reason.
var NotExported = map[string]string{
	"personal_bests": madeOfRecords, "world_records": madeOfRecords, "points_players": madeOfRecords,
	"record_points": madeOfRecords, "rankings": madeOfRecords, "points_before": madeOfRecords,
	"points_changes": "says for seconds that points are to be computed",
	"maps":           isCopy, "players": isCopy,
}
