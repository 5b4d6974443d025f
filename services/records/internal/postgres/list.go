package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

const (
	siteTotalSQL   = `select coalesce(sum(records), 0) from map_totals`
	playerTotalSQL = `select coalesce((select records from player_totals where player_id = @player), 0)`
)

// List implements leaderboard.Queries. The page and the total are read in one round trip.
func (s *Store) List(ctx context.Context, q leaderboard.List) (leaderboard.RankedList, error) {
	totalSQL := siteTotalSQL
	if q.PlayerID != "" {
		totalSQL = playerTotalSQL
	}
	var list leaderboard.RankedList
	args := pgx.NamedArgs{"player": q.PlayerID, "limit": q.Limit + 1, "offset": q.Offset}
	if q.After != nil {
		args["at"], args["time"], args["record"] = q.After.At, q.After.FinishTime, q.After.ID
	}
	batch := &pgx.Batch{}
	postgres.QueueRow(batch, totalSQL, args, &list.Total)
	postgres.QueueRows(batch, &list.Records, scanRanked, listSQL(q.PlayerID != "", q.After != nil, q.Sort), args)
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return leaderboard.RankedList{}, fmt.Errorf("list records: %w", err)
	}
	list.Records, list.HasNext = cut(list.Records, q.Limit)
	return list, nil
}

// cut returns at most limit rows, and whether there are more.
func cut(rows []record.RankedRecord, limit int) (page []record.RankedRecord, hasNext bool) {
	if len(rows) <= limit {
		return rows, false
	}
	return rows[:limit], true
}

// listOrder is an order of lists. Each has an index for all records and one for the records of a player.
type listOrder struct {
	// after is the condition of the records that come after a position, and orderBy the order.
	after, orderBy string
}

var listOrders = map[leaderboard.Sort]listOrder{
	{By: leaderboard.ByUpdated}: {
		` and (created_at, id) > (@at, @record)`, ` order by created_at, id`},
	{By: leaderboard.ByUpdated, Descending: true}: {
		` and (created_at, id) < (@at, @record)`, ` order by created_at desc, id desc`},
	{By: leaderboard.ByTime}: {
		` and (finish_time, finished_at, id) > (@time, @at, @record)`, ` order by finish_time, finished_at, id`},
	{By: leaderboard.ByTime, Descending: true}: {
		` and (finish_time, finished_at, id) < (@time, @at, @record)`, ` order by finish_time desc, finished_at desc, id desc`},
}

// listSQL returns the statement of a list, from the beginning or after a position. Removed maps and hidden players are
// few: the planner reads them once, while it scans the index of the order.
func listSQL(ofPlayer, after bool, sort leaderboard.Sort) string {
	order, filter := listOrders[sort], ``
	if ofPlayer {
		filter = ` and player_id = @player`
	}
	if after {
		filter += order.after
	}
	return `with page as materialized (
		select id from records r
		where ` + isActive + filter + order.orderBy + `
		limit @limit offset @offset
	) select ` + rankedColumns + ` from page join records r on r.id = page.id ` + rankedJoins + order.orderBy
}

// recordColumns are the columns of recordTargets.
const recordColumns = `r.id, r.map_id, r.player_id, r.finish_time, r.finished_at, r.undated, r.replay_hash, r.created_at`

// recordTargets returns where a row of recordColumns is scanned to.
func recordTargets(r *record.Record) []any {
	return []any{
		&r.ID, &r.MapID, &r.PlayerID, &r.FinishTime, &r.FinishTimeStamp, &r.Undated, &r.ReplayHash, &r.CreatedAt,
	}
}

// selectRecord returns the record of a query for recordColumns, or record.ErrRecordUnknown.
func selectRecord(ctx context.Context, conn postgres.Conn, sql string, args pgx.NamedArgs) (record.Record, error) {
	var r record.Record
	err := conn.QueryRow(ctx, sql, args).Scan(recordTargets(&r)...)
	return r, postgres.ReadError(err, record.ErrRecordUnknown, "read a record")
}

const (
	// isActive is the condition of an active record r.
	isActive = `r.removed_at is null and r.map_id not in (select id from maps where removed)
		and r.player_id not in (select player_id from player_totals where hidden)`
	// rankedColumns are the columns of rankedTargets.
	rankedColumns = recordColumns + `,
		r.map_id, r.player_id,
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, ''), coalesce(p.deleted, false),
		coalesce(m.name, ''), coalesce(m.medal_author, 0), coalesce(m.medal_gold, 0), coalesce(m.medal_silver, 0),
		coalesce(m.medal_bronze, 0),
		own.record_id is not null,
		case when own.record_id is null then 0 else leaderboard_rank(r.map_id, r.finish_time, r.finished_at, r.id) end,
		coalesce((select players from map_totals where map_id = r.map_id), 0),
		coalesce(w.record_id = r.id, false),
		coalesce(w.record_id <> r.id and w.finish_time = r.finish_time, false)`
	// rankedJoins join records r with what is shown of them. A map or a player without a copy has no columns. Each limit
	// keeps the planner from joining whole tables with a page whose length it does not know.
	rankedJoins = `
		left join lateral (select * from players where id = r.player_id limit 1) p on true
		left join lateral (select * from maps where id = r.map_id limit 1) m on true
		left join lateral (
			select record_id, finish_time, player_id, since from world_records
			where map_id = r.map_id order by finish_time limit 1
		) w on true
		left join lateral (
			select finish_time, finished_at, record_id from personal_bests
			where map_id = r.map_id and player_id = r.player_id and record_id = r.id
			limit 1
		) own on true`
)

// rankedTargets returns where a row of rankedColumns is scanned to. The names of a map or a player without a copy are
// empty.
func rankedTargets(r *record.RankedRecord) []any {
	return append(recordTargets(&r.Record), &r.Map.ID, &r.Player.ID,
		&r.Player.Name, &r.Player.SkinImageURL, &r.Player.SkinColor, &r.Player.Deleted, &r.Map.Name,
		&r.Map.Medals.Author, &r.Map.Medals.Gold, &r.Map.Medals.Silver, &r.Map.Medals.Bronze,
		&r.PersonalBest, &r.Rank, &r.Of, &r.IsWorldRecord, &r.EqualsWorldRecord)
}

// scanRanked is a pgx.RowToFunc of rankedColumns.
func scanRanked(row pgx.CollectableRow) (r record.RankedRecord, err error) {
	err = row.Scan(rankedTargets(&r)...)
	return r, err
}

// detailsSQL compares a record with the active records that were accepted before it, and with the
// map's world record now, at one moment.
const detailsSQL = `
	select ` + rankedColumns + `,
		coalesce(r.rank_at_submission, 0),
		coalesce((
			select min(b.finish_time) from records b
			where b.map_id = r.map_id and b.player_id = r.player_id and b.removed_at is null and b.seq < r.seq
		), 0),
		coalesce((
			select min(b.finish_time) from world_records b where b.map_id = r.map_id and b.seq < r.seq
		), 0),
		coalesce(m.map_version, 0), coalesce(m.superseded, false),
		coalesce(m.picture_bucket, ''), coalesce(m.picture_key, ''),
		coalesce(w.record_id::text, ''), coalesce(w.finish_time, 0), coalesce(w.since, 'epoch'),
		coalesce(w.player_id::text, ''), coalesce(o.name, ''), coalesce(o.skin_image_url, ''), coalesce(o.skin_color, ''),
		coalesce(a.record_id::text, ''), coalesce(a.finish_time, 0),
		coalesce(a.player_id::text, ''), coalesce(n.name, ''), coalesce(n.skin_image_url, ''), coalesce(n.skin_color, '')
	from records r ` + rankedJoins + `
		left join players o on o.id = w.player_id
		left join lateral (
			select b.record_id, b.finish_time, b.player_id
			from personal_bests b
			where b.map_id = r.map_id
				and (b.finish_time, b.finished_at, b.record_id) < (own.finish_time, own.finished_at, own.record_id)
			order by b.finish_time desc, b.finished_at desc, b.record_id desc
			limit 1
		) a on true
		left join players n on n.id = a.player_id
	where r.id = @id and ` + isActive

// Details implements leaderboard.Queries. What is said of the world record is empty for a map without one, and what is
// said of the row above for a record without one.
func (s *Store) Details(ctx context.Context, id string) (leaderboard.Details, error) {
	var d leaderboard.Details
	w, a := &d.WorldRecord, &d.Above
	err := s.db.QueryRow(ctx, detailsSQL, pgx.NamedArgs{"id": id}).Scan(append(rankedTargets(&d.RankedRecord),
		&d.RankAtSubmission, &d.PreviousBest, &d.PreviousWorldRecord,
		&d.Map.MapVersion, &d.Map.Superseded, &d.Map.Picture.Bucket, &d.Map.Picture.Key,
		&w.ID, &w.FinishTime, &w.Since, &w.Player.ID, &w.Player.Name, &w.Player.SkinImageURL, &w.Player.SkinColor,
		&a.ID, &a.FinishTime, &a.Player.ID, &a.Player.Name, &a.Player.SkinImageURL, &a.Player.SkinColor)...)
	return d, postgres.ReadError(err, record.ErrRecordUnknown, "record %s", id)
}
