package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
)

const applyStatsSQL = `
	insert into map_stats as c
		(map_id, version, records, world_record_id, world_record_player_id, world_record_time, listed)
	values (@id, @version, @records, @world_record_id, @world_record_player_id, @world_record_time,
		exists (select from maps where id = @id and listed))
	on conflict (map_id) do update set
		version = excluded.version, records = excluded.records, world_record_id = excluded.world_record_id,
		world_record_player_id = excluded.world_record_player_id, world_record_time = excluded.world_record_time
	where c.version < excluded.version`

// ApplyStats stores how many records a map has, and its world record, unless the copy is as new.
// The map need not exist yet.
func (s *Store) ApplyStats(ctx context.Context, stats event.MapStats) error {
	args := pgx.NamedArgs{
		"id": stats.MapID, "version": stats.Version, "records": stats.Records,
		"world_record_id": nil, "world_record_player_id": nil, "world_record_time": nil,
	}
	if w := stats.WorldRecord; w != nil {
		args["world_record_id"], args["world_record_player_id"] = w.RecordID, w.PlayerID
		args["world_record_time"] = w.FinishTime
	}
	_, err := s.db.Exec(ctx, applyStatsSQL, args)
	return postgres.Wrap(err, "apply stats of map %s", stats.MapID)
}

const (
	markListedSQL = `
		insert into map_stats as s (map_id, listed) select id, true from maps where listed
		on conflict (map_id) do update set listed = true where not s.listed`
	markNotListedSQL = `
		update map_stats s set listed = false
		where listed and not exists (select from maps m where m.id = s.map_id and m.listed)`
	clearTagsSQL = `delete from tag_counts`
	countTagsSQL = `
		insert into tag_counts (tag, maps)
		select tag, count(*) from maps cross join unnest(tags) as tag where listed group by tag`
	setNewestVersionsSQL = `
		update listed_maps l set map_id = ` + newestVersionSQL + ` where map_id is distinct from ` + newestVersionSQL
)

// Rebuild derives the list of maps by records, the counts of tags and the newest versions of imported maps from the
// maps again, for tables that were lost. Maps are neither made nor changed meanwhile; reading continues.
func (s *Store) Rebuild(ctx context.Context) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		err := postgres.ExecBatch(ctx, tx, nil, "set local statement_timeout = 0",
			"lock table maps, map_stats in exclusive mode",
			markListedSQL, markNotListedSQL, clearTagsSQL, countTagsSQL, setNewestVersionsSQL)
		return postgres.Wrap(err, "rebuild lists of maps")
	})
}
