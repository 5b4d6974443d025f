package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

const (
	inspectSQL = `
		select r.id, r.map_id, r.player_id, r.finish_time, r.finished_at, r.created_at, r.undated, r.mod_version,
			r.game_version, r.removed_at is not null,
			r.removed_at is null and (
				exists (select from maps where id = r.map_id and removed)
				or exists (select from player_totals where player_id = r.player_id and hidden)),
			coalesce((
				select leaderboard_rank(b.map_id, b.finish_time, b.finished_at, b.record_id) from personal_bests b
				where b.map_id = r.map_id and b.player_id = r.player_id and b.record_id = r.id), 0),
			coalesce((select players from map_totals where map_id = r.map_id), 0),
			not exists (
				select from records o
				where o.player_id = r.player_id and o.removed_at is null and (o.created_at, o.id) < (r.created_at, r.id)),
			p.created_at
		from records r left join players p on p.id = r.player_id
		where r.id = @record`
	// inspectedNeighboursSQL selects the rows of other players next to a record.
	inspectedNeighboursSQL = `
		select n.record_id, n.player_id, n.finish_time,
			leaderboard_rank(r.map_id, n.finish_time, n.finished_at, n.record_id)
		from records r cross join lateral (
			(
				select record_id, player_id, finish_time, finished_at from personal_bests
				where map_id = r.map_id and player_id <> r.player_id
					and (finish_time, finished_at, record_id) < (r.finish_time, r.finished_at, r.id)
				order by finish_time desc, finished_at desc, record_id desc
				limit 1
			)
			union all
			(
				select record_id, player_id, finish_time, finished_at from personal_bests
				where map_id = r.map_id and player_id <> r.player_id
					and (finish_time, finished_at, record_id) > (r.finish_time, r.finished_at, r.id)
				order by finish_time, finished_at, record_id
				limit 1
			)
		) n
		where r.id = @record
		order by n.finish_time, n.finished_at, n.record_id`
	// adjacentSQL selects the player's finishes next to a record in time.
	adjacentSQL = `
		select n.id, n.map_id, n.player_id, n.finish_time, n.finished_at
		from records r cross join lateral (
			(
				select id, map_id, player_id, finish_time, finished_at from records
				where player_id = r.player_id and removed_at is null and not undated and (finished_at, id) < (r.finished_at, r.id)
				order by finished_at desc, id desc
				limit 1
			)
			union all
			(
				select id, map_id, player_id, finish_time, finished_at from records
				where player_id = r.player_id and removed_at is null and not undated and (finished_at, id) > (r.finished_at, r.id)
				order by finished_at, id
				limit 1
			)
		) n
		where r.id = @record and not r.undated
		order by n.finished_at, n.id`
	// copiedSQL selects a record of another player within a frame of 1/30 s of a record that was finished within a minute
	// of it, first one whose replay has the same map data. Finish times are on frames, which are 33 or 34 ms apart.
	copiedSQL = `
		select n.id, r.map_id, n.player_id, n.finish_time, n.finished_at, n.map_data_hash = r.map_data_hash
		from records r cross join unnest('{0, -33, -34, 33, 34}'::int[]) as apart join records n
			on n.map_id = r.map_id and n.finish_time = r.finish_time + apart
			and n.finished_at between r.finished_at - interval '60 seconds' and r.finished_at + interval '60 seconds'
		where r.id = @record and not r.undated and n.player_id <> r.player_id and not n.undated and n.removed_at is null
		order by n.map_data_hash = r.map_data_hash desc, abs(apart), n.finished_at, n.id
		limit 1`
	// mapReplaySQL selects the replay with which the record's map was submitted, if it is known and has a time stamp.
	mapReplaySQL = `
		select m.mod_version, m.game_version, m.finished_at
		from records r join first_records f using (map_id) join records m on m.id = f.record_id
		where r.id = @record and not m.undated`
)

// InspectRecord implements leaderboard.AnswerQueries.
func (s *Store) InspectRecord(ctx context.Context, q event.InspectRecord) (event.InspectedRecord, error) {
	args := pgx.NamedArgs{"record": q.RecordID}
	var r event.InspectedRecord
	var copied []struct {
		event.Finish

		HasSameMapData bool
	}
	var mapReplay []event.MapReplay
	batch := &pgx.Batch{}
	postgres.QueueRow(batch, inspectSQL, args, &r.RecordID, &r.MapID, &r.PlayerID, &r.FinishTime, &r.FinishTimeStamp,
		&r.CreatedAt, &r.Undated, &r.Replay.Mod, &r.Replay.Game, &r.Removed, &r.Hidden, &r.Rank, &r.Finishers, &r.IsFirst,
		(*zeronull.Timestamptz)(&r.PlayerSince))
	if !q.ForFlags {
		postgres.QueueRows(batch, &r.Neighbours, pgx.RowToStructByPos[event.RankedFinish], inspectedNeighboursSQL, args)
	}
	postgres.QueueRows(batch, &r.Adjacent, pgx.RowToStructByPos[event.Finish], adjacentSQL, args)
	postgres.QueueRows(batch, &copied, pgx.RowToStructByPos, copiedSQL, args)
	postgres.QueueRows(batch, &mapReplay, pgx.RowToStructByPos, mapReplaySQL, args)
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return event.InspectedRecord{}, postgres.ReadError(err, record.ErrRecordUnknown, "inspect record %s", q.RecordID)
	}
	if len(copied) > 0 {
		r.Copied, r.CopiedMapData = &copied[0].Finish, copied[0].HasSameMapData
	}
	if len(mapReplay) > 0 {
		r.MapReplay = &mapReplay[0]
	}
	return r, nil
}
