package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// Leaderboard implements leaderboard.Queries. The map and the page are read in one round trip,
// and are of one moment.
func (s *Store) Leaderboard(ctx context.Context, q leaderboard.Leaderboard) (leaderboard.RankedList, error) {
	var m leaderboardMap
	var list leaderboard.RankedList
	above := min(q.Offset, 1) // the row above the page, which the gap of its first row is computed from
	args := pgx.NamedArgs{
		"map": q.MapID, "limit": q.Limit + above + 1, "offset": q.Offset - above,
		"player": q.PlayerID, "above": q.Neighbours + 1, "below": q.Neighbours,
	}
	if q.After != nil {
		args["time"], args["at"], args["record"] = q.After.FinishTime, q.After.At, q.After.ID
	}
	batch := &pgx.Batch{}
	batch.Queue(leaderboardMapSQL, args).QueryRow(m.scan)
	batch.Queue(leaderboardSQL(q), args).Query(func(rows pgx.Rows) (err error) {
		list.Records, err = pgx.AppendRows(make([]record.RankedRecord, 0, q.Limit+above+1), rows, scanRow)
		return err
	})
	err := s.readSnapshot(ctx, batch)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return leaderboard.RankedList{}, record.ErrMapUnknown
	case err != nil:
		return leaderboard.RankedList{}, fmt.Errorf("leaderboard of map %s: %w", q.MapID, err)
	case m.Removed:
		return leaderboard.RankedList{}, record.ErrMapRemoved
	}
	list.Total = m.players
	for i := range list.Records {
		r := &list.Records[i]
		m.complete(r)
		if i > 0 {
			r.Gap = &record.Gap{ToAbove: r.FinishTime - list.Records[i-1].FinishTime, ToFirst: r.FinishTime - m.worldRecordTime}
		}
	}
	list.Records = asked(list.Records, q)
	if q.PlayerID == "" {
		list.Records, list.HasNext = cut(list.Records, q.Limit)
	}
	if q.PlayerID != "" && q.Neighbours == 0 {
		list.Total = int64(len(list.Records))
		list.Records = list.Records[min(q.Offset, len(list.Records)):]
	}
	return list, nil
}

// leaderboardMap is the map of a leaderboard.
type leaderboardMap struct {
	record.Map
	players     int64
	worldRecord string // its id, empty where there is none
	// worldRecordTime is in milliseconds.
	worldRecordTime int
}

// scan scans a row of leaderboardMapSQL.
func (m *leaderboardMap) scan(row pgx.Row) error {
	return row.Scan(&m.ID, &m.Removed, &m.Name, &m.Medals.Author, &m.Medals.Gold, &m.Medals.Silver, &m.Medals.Bronze,
		&m.players, &m.worldRecord, &m.worldRecordTime)
}

// complete sets what a row of the leaderboard has from its map.
func (m *leaderboardMap) complete(r *record.RankedRecord) {
	r.MapID, r.Map, r.Of = m.ID, m.Map, m.players
	r.IsWorldRecord = r.ID == m.worldRecord
	r.EqualsWorldRecord = !r.IsWorldRecord && r.FinishTime == m.worldRecordTime
}

// asked returns the rows that were asked for of those that were read: without the row above them.
func asked(rows []record.RankedRecord, q leaderboard.Leaderboard) []record.RankedRecord {
	if q.After != nil {
		if len(rows) > 0 && !q.After.IsBefore(rows[0].Record) {
			rows = rows[1:]
		}
		return rows
	}
	first := int64(q.Offset + 1) // rank
	if q.PlayerID != "" {
		own := slices.IndexFunc(rows, func(r record.RankedRecord) bool { return r.PlayerID == q.PlayerID })
		if own >= 0 {
			first = rows[own].Rank - int64(q.Neighbours)
		}
	}
	for len(rows) > 0 && rows[0].Rank < first {
		rows = rows[1:]
	}
	return rows
}

const leaderboardMapSQL = `
	select m.id, m.removed, m.name, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze, coalesce(t.players, 0),
		coalesce(w.record_id::text, ''), coalesce(w.finish_time, 0)
	from maps m left join map_totals t on t.map_id = m.id left join lateral (
		select record_id, finish_time from world_records where map_id = @map order by finish_time limit 1
	) w on true
	where m.id = @map`

// maxScannedOffset is the offset up to which the rows before a page are skipped one by
// one, which costs less than leaderboard_start.
const maxScannedOffset = 1000

// maxFirstPage is the greatest limit of a page from firstPageSQL, which reads one row more.
const maxFirstPage = 100

func leaderboardSQL(q leaderboard.Leaderboard) string {
	switch {
	case q.PlayerID != "":
		return neighboursSQL
	case q.After != nil:
		return afterSQL
	case q.Offset > maxScannedOffset:
		return deepPageSQL
	case q.Offset == 0 && q.Limit <= maxFirstPage:
		return firstPageSQL
	}
	return pageSQL
}

// In the following statements, "limit 1" keeps the planner from joining all players with a
// page whose length it does not know.

const pageSQL = `
	with page as materialized (
		select record_id, player_id, finish_time, finished_at, created_at
		from personal_bests
		where map_id = @map
		order by finish_time, finished_at, record_id
		limit @limit offset @offset
	)
	select b.record_id, b.player_id, b.finish_time, b.finished_at, b.created_at,
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, ''),
		(select points from record_points where map_id = @map and player_id = b.player_id),
		@offset + row_number() over (order by b.finish_time, b.finished_at, b.record_id)
	from page b left join lateral (
		select name, skin_image_url, skin_color from players where id = b.player_id limit 1
	) p on true
	order by b.finish_time, b.finished_at, b.record_id`

// firstPageSQL is pageSQL without an offset. Of a limit that it does not know the planner expects a tenth of all rows.
// The constant limit keeps that below a page, so that PostgreSQL keeps the plan and does not make it anew for each
// request, which costs more than to execute it.
const firstPageSQL = `
	with page as materialized (
		select record_id, player_id, finish_time, finished_at, created_at
		from (
			select record_id, player_id, finish_time, finished_at, created_at
			from personal_bests
			where map_id = @map
			order by finish_time, finished_at, record_id
			limit 101
		) b
		order by finish_time, finished_at, record_id
		limit @limit
	)
	select b.record_id, b.player_id, b.finish_time, b.finished_at, b.created_at,
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, ''),
		(select points from record_points where map_id = @map and player_id = b.player_id),
		row_number() over (order by b.finish_time, b.finished_at, b.record_id)
	from page b left join lateral (
		select name, skin_image_url, skin_color from players where id = b.player_id limit 1
	) p on true
	order by b.finish_time, b.finished_at, b.record_id`

// deepPageSQL is pageSQL from the finish time that holds the first row of the page.
const deepPageSQL = `
	with page as materialized (
		select b.record_id, b.player_id, b.finish_time, b.finished_at, b.created_at
		from leaderboard_start(@map, @offset) as start cross join lateral (
			select record_id, player_id, finish_time, finished_at, created_at
			from personal_bests
			where map_id = @map and finish_time >= start.finish_time
			order by finish_time, finished_at, record_id
			limit @limit offset @offset - start.rows_before
		) b
	)
	select b.record_id, b.player_id, b.finish_time, b.finished_at, b.created_at,
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, ''),
		(select points from record_points where map_id = @map and player_id = b.player_id),
		@offset + row_number() over (order by b.finish_time, b.finished_at, b.record_id)
	from page b left join lateral (
		select name, skin_image_url, skin_color from players where id = b.player_id limit 1
	) p on true
	order by b.finish_time, b.finished_at, b.record_id`

// neighboursSQL selects a player's row, @above rows above it and @below rows below it.
const neighboursSQL = `
	with own as materialized (
		select rank, greatest(rank - 1 - @above, 0) as row_offset
		from (
			select leaderboard_rank(map_id, finish_time, finished_at, record_id) as rank
			from personal_bests
			where map_id = @map and player_id = @player
		) b
	), page as materialized (
		select b.*, own.row_offset
		from own cross join lateral leaderboard_start(@map, own.row_offset) as start cross join lateral (
			select record_id, player_id, finish_time, finished_at, created_at
			from personal_bests
			where map_id = @map and finish_time >= start.finish_time
			order by finish_time, finished_at, record_id
			limit own.rank + @below - own.row_offset offset own.row_offset - start.rows_before
		) b
	)
	select b.record_id, b.player_id, b.finish_time, b.finished_at, b.created_at,
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, ''),
		(select points from record_points where map_id = @map and player_id = b.player_id),
		b.row_offset + row_number() over (order by b.finish_time, b.finished_at, b.record_id)
	from page b left join lateral (
		select name, skin_image_url, skin_color from players where id = b.player_id limit 1
	) p on true
	order by b.finish_time, b.finished_at, b.record_id`

// afterSQL selects the rows after a position, from the row above them on, which is the position's if it is still there.
const afterSQL = `
	with above as materialized (
		select greatest(rows_before - 1, 0) as row_offset, least(rows_before, 1) as rows
		from (
			select leaderboard_rank(@map, @time, @at, @record) - 1 + (
				select count(*) from personal_bests
				where map_id = @map and finish_time = @time and finished_at = @at and record_id = @record
			) as rows_before
		) position
	), page as materialized (
		select b.*, above.row_offset
		from above cross join lateral leaderboard_start(@map, above.row_offset) as start cross join lateral (
			select record_id, player_id, finish_time, finished_at, created_at
			from personal_bests
			where map_id = @map and finish_time >= start.finish_time
			order by finish_time, finished_at, record_id
			limit @limit + above.rows offset above.row_offset - start.rows_before
		) b
	)
	select b.record_id, b.player_id, b.finish_time, b.finished_at, b.created_at,
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, ''),
		(select points from record_points where map_id = @map and player_id = b.player_id),
		b.row_offset + row_number() over (order by b.finish_time, b.finished_at, b.record_id)
	from page b left join lateral (
		select name, skin_image_url, skin_color from players where id = b.player_id limit 1
	) p on true
	order by b.finish_time, b.finished_at, b.record_id`

// scanRow scans a row of a leaderboard. It does so without reflection, because
// leaderboards are read more often than anything else.
func scanRow(row pgx.CollectableRow) (record.RankedRecord, error) {
	e := record.RankedRecord{PersonalBest: true}
	err := row.Scan(&e.ID, &e.PlayerID, &e.FinishTime, &e.FinishTimeStamp, &e.CreatedAt,
		&e.Player.Name, &e.Player.SkinImageURL, &e.Player.SkinColor, &e.Points, &e.Rank)
	e.FinishTimeStamp, e.CreatedAt, e.Player.ID = e.FinishTimeStamp.UTC(), e.CreatedAt.UTC(), e.PlayerID
	return e, err
}
