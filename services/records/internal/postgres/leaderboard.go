package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// Leaderboard implements leaderboard.Queries. The map and the page are of one moment.
func (s *Store) Leaderboard(ctx context.Context, q leaderboard.Leaderboard) (leaderboard.RankedList, error) {
	above := min(q.Offset, 1) // the row above the page, which the gap of its first row is computed from
	args := pgx.NamedArgs{
		"map": q.MapID, "limit": q.Limit + above + 1, "offset": q.Offset - above,
		"player": q.PlayerID, "above": q.Neighbours + 1, "below": q.Neighbours,
	}
	if q.After != nil {
		args["time"], args["at"], args["record"] = q.After.FinishTime, q.After.At, q.After.ID
	}
	m, records, err := s.rows(ctx, leaderboardSQL(q), args, q.Limit+above+1, nil)
	if err != nil {
		return leaderboard.RankedList{}, err
	}
	gaps := make([]record.Gap, len(records))
	for i := range records {
		r := &records[i]
		r.Rank += int64(i) + 1 // it was the number of rows before the page
		if i == 0 {
			continue
		}
		gaps[i] = record.Gap{ToAbove: r.FinishTime - records[i-1].FinishTime, ToFirst: r.FinishTime - m.worldRecordTime}
		r.Gap = &gaps[i]
	}
	list := leaderboard.RankedList{Records: asked(records, q), Total: m.players}
	switch {
	case q.PlayerID == "":
		list.Records, list.HasNext = cut(list.Records, q.Limit)
	case q.Neighbours == 0:
		list.Total = int64(len(list.Records))
		list.Records = list.Records[min(q.Offset, len(list.Records)):]
	}
	return list, nil
}

// rows returns rows of a leaderboard with their map. The statement selects rowColumns, a rank or what is before it,
// and, unless more is nil, what more returns the targets of. It returns record.ErrMapUnknown or record.ErrMapRemoved.
func (s *Store) rows(
	ctx context.Context, sql string, args pgx.NamedArgs, limit int, more func() []any,
) (m leaderboardMap, records []record.RankedRecord, err error) {
	rows, err := s.db.Query(ctx, sql, args)
	if err == nil {
		records, err = pgx.AppendRows(make([]record.RankedRecord, 0, limit), rows, m.scanRow(more))
	}
	if err == nil && len(records) == 0 { // without a row the statement has not read the map
		err = s.db.QueryRow(ctx, leaderboardMapSQL, args).Scan(m.targets()...)
	}
	switch {
	case err != nil:
		return m, nil, postgres.ReadError(err, record.ErrMapUnknown, "leaderboard of map %s", args["map"])
	case m.Removed:
		return m, nil, record.ErrMapRemoved
	}
	return m, records, nil
}

// leaderboardMap is the map of a leaderboard.
type leaderboardMap struct {
	record.Map
	players     int64
	worldRecord string // its id, empty where there is none
	// worldRecordTime is in milliseconds.
	worldRecordTime int
}

// targets returns where a row of leaderboardMapSQL is scanned to.
func (m *leaderboardMap) targets() []any {
	return []any{
		&m.ID, &m.Removed, &m.Name, &m.Medals.Author, &m.Medals.Gold, &m.Medals.Silver, &m.Medals.Bronze, &m.players,
		&m.worldRecord, &m.worldRecordTime,
	}
}

// scanRow returns a pgx.RowToFunc of rowColumns, a rank and more. The map is the same in each row, and is scanned once.
func (m *leaderboardMap) scanRow(more func() []any) pgx.RowToFunc[record.RankedRecord] {
	const others = 16 // the targets that follow those of the map, for which all rows share the room
	targets := slices.Grow(m.targets(), others)
	return func(row pgx.CollectableRow) (record.RankedRecord, error) {
		r := record.RankedRecord{PersonalBest: true}
		all := targets
		all = append(all, &r.ID, &r.PlayerID, &r.FinishTime, &r.FinishTimeStamp, &r.CreatedAt,
			&r.Player.Name, &r.Player.SkinImageURL, &r.Player.SkinColor, &r.Points, &r.Rank)
		if more != nil {
			all = append(all, more()...)
		}
		if err := row.Scan(all...); err != nil {
			return r, err
		}
		clear(targets) // Scan skips nil: the other rows have the same map
		r.Player.ID, r.MapID, r.Map, r.Of = r.PlayerID, m.ID, m.Map, m.players
		r.IsWorldRecord = r.ID == m.worldRecord
		r.EqualsWorldRecord = !r.IsWorldRecord && r.FinishTime == m.worldRecordTime
		return r, nil
	}
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

const (
	// leaderboardMapSQL selects the map of a leaderboard.
	leaderboardMapSQL = `
		select m.id, m.removed, m.name, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze,
			coalesce(t.players, 0), coalesce(w.record_id::text, ''), coalesce(w.finish_time, 0)
		from maps m left join map_totals t on t.map_id = m.id left join lateral (
			select record_id, finish_time from world_records where map_id = @map order by finish_time limit 1
		) w on true
		where m.id = @map`

	// bestColumns are what a page b has of personal_bests.
	bestColumns = `record_id, player_id, finish_time, finished_at, created_at`
	// rowColumns and rowSource are the rows of a page b with their map. "limit 1" keeps the planner from joining the map
	// first, after which it would sort the page anew, and all players with a page whose length it does not know.
	rowColumns = `m.*, b.record_id, b.player_id, b.finish_time, b.finished_at, b.created_at,
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, ''),
		(select points from record_points where map_id = @map and player_id = b.player_id)`
	rowSource = ` b left join lateral (` + leaderboardMapSQL + ` limit 1) m on true left join lateral (
			select name, skin_image_url, skin_color from players where id = b.player_id limit 1
		) p on true
	order by b.finish_time, b.finished_at, b.record_id`
	// pageColumns are rowColumns with the number of rows before the page b, which it has in each row.
	pageColumns = rowColumns + `, b.rows_before`
)

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

const pageSQL = `
	select ` + pageColumns + `
	from (
		select ` + bestColumns + `, @offset::bigint as rows_before
		from personal_bests
		where map_id = @map
		order by finish_time, finished_at, record_id
		limit @limit offset @offset
	)` + rowSource

// firstPageSQL is pageSQL without an offset. Where the planner does not know the limit, it expects a tenth of all rows.
// The constant limit keeps that below a page, so that PostgreSQL keeps the plan and does not make it anew for each
// request, which costs more than to execute it.
const firstPageSQL = `
	select ` + pageColumns + `
	from (
		select ` + bestColumns + `, 0 as rows_before
		from personal_bests
		where map_id = @map
		order by finish_time, finished_at, record_id
		limit 101
	)` + rowSource + `
	limit @limit`

// pageFromSQL selects the rows of a page asked, which has how many rows there are before it and in it, from the finish
// time on that holds the first one.
const pageFromSQL = `
	select ` + pageColumns + `
	from (
		select best.*, asked.rows_before
		from asked cross join lateral leaderboard_start(@map, asked.rows_before) as start cross join lateral (
			select ` + bestColumns + `
			from personal_bests
			where map_id = @map and finish_time >= start.finish_time
			order by finish_time, finished_at, record_id
			limit asked.rows offset asked.rows_before - start.rows_before
		) best
	)` + rowSource

// deepPageSQL is pageSQL for any offset.
const deepPageSQL = `
	with asked as materialized (select @offset::bigint as rows_before, @limit::bigint as rows)` + pageFromSQL

// neighboursSQL selects a player's row, @above rows above it and @below rows below it.
const neighboursSQL = `
	with own as materialized (
		select leaderboard_rank(map_id, finish_time, finished_at, record_id) as rank
		from personal_bests
		where map_id = @map and player_id = @player
	), asked as materialized (
		select greatest(rank - 1 - @above, 0) as rows_before, rank + @below - greatest(rank - 1 - @above, 0) as rows
		from own
	)` + pageFromSQL

// afterSQL selects the rows after a position, from the row above them on, which is the position's if it is still there.
const afterSQL = `
	with above as materialized (
		select leaderboard_rank(@map, @time, @at, @record) - 1 + (
			select count(*) from personal_bests
			where map_id = @map and finish_time = @time and finished_at = @at and record_id = @record
		) as rows
	), asked as materialized (
		select greatest(rows - 1, 0) as rows_before, @limit + least(rows, 1) as rows from above
	)` + pageFromSQL

const (
	// followedSQL looks the players' rows up one by one ("limit 1"), of which the planner expects too many.
	followedSQL = `
	with followed as materialized (
		select b.*, first_value(b.finish_time) over best_first as first_time, lag(b.finish_time) over best_first as above_time
		from (select distinct id from unnest(@players::uuid[]) as listed (id)) asked cross join lateral (
			select ` + bestColumns + ` from personal_bests
			where map_id = @map and player_id = asked.id
			limit 1
		) b
		window best_first as (order by b.finish_time, b.finished_at, b.record_id)
	), page as materialized (
		select * from followed order by finish_time, finished_at, record_id limit @limit offset @offset
	)
	select ` + rowColumns + `, leaderboard_rank(@map, b.finish_time, b.finished_at, b.record_id),
		b.first_time, b.above_time, (select count(*) from followed)
	from page` + rowSource
	// countFollowedSQL is for a page past the end.
	countFollowedSQL = `select count(*) from personal_bests where map_id = @map and player_id = any (@players::uuid[])`
)

// FollowedLeaderboard implements leaderboard.Queries.
func (s *Store) FollowedLeaderboard(
	ctx context.Context, mapID string, playerIDs []string, page leaderboard.Page,
) (list leaderboard.RankedList, err error) {
	args := pgx.NamedArgs{"map": mapID, "players": playerIDs, "limit": page.Limit, "offset": page.Offset}
	first, above := []int{}, []*int{}
	_, list.Records, err = s.rows(ctx, followedSQL, args, page.Limit, func() []any {
		first, above = append(first, 0), append(above, nil)
		return []any{&first[len(first)-1], &above[len(above)-1], &list.Total}
	})
	if err != nil {
		return leaderboard.RankedList{}, err
	}
	for i := range list.Records {
		if r := &list.Records[i]; above[i] != nil {
			r.Gap = &record.Gap{ToAbove: r.FinishTime - *above[i], ToFirst: r.FinishTime - first[i]}
		}
	}
	if len(list.Records) > 0 {
		return list, nil
	}
	err = s.db.QueryRow(ctx, countFollowedSQL, args).Scan(&list.Total)
	return list, postgres.Wrap(err, "players' rows on map %s", mapID)
}
