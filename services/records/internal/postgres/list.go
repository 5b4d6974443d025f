package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/record"
)

const (
	siteTotalSQL   = `select coalesce(sum(records), 0) from map_totals`
	playerTotalSQL = `select coalesce((select records from player_totals where player_id = @player), 0)`
)

// List implements record.Queries. The page and the total are read in one round trip.
func (s *Store) List(ctx context.Context, q record.List) (record.EntryList, error) {
	totalSQL := siteTotalSQL
	if q.PlayerID != "" {
		totalSQL = playerTotalSQL
	}
	var list record.EntryList
	args := pgx.NamedArgs{"player": q.PlayerID, "limit": q.Limit, "offset": q.Offset}
	batch := &pgx.Batch{}
	batch.Queue(totalSQL, args).QueryRow(func(row pgx.Row) error { return row.Scan(&list.Total) })
	batch.Queue(listSQL(q.PlayerID != "", q.Sort), args).Query(func(rows pgx.Rows) (err error) {
		list.Entries, err = collectEntries(rows)
		return err
	})
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return record.EntryList{}, fmt.Errorf("list records: %w", err)
	}
	return list, nil
}

// listOrders are the orders of lists. Each has an index for all records and one for the
// records of a player.
var listOrders = map[record.Sort]string{
	{By: record.ByUpdated}:                   ` order by created_at, id`,
	{By: record.ByUpdated, Descending: true}: ` order by created_at desc, id desc`,
	{By: record.ByTime}:                      ` order by finish_time, finished_at, id`,
	{By: record.ByTime, Descending: true}:    ` order by finish_time desc, finished_at desc, id desc`,
}

// listSQL returns the statement of a list. Removed maps are few: the planner reads them
// once, while it scans the index of the order.
func listSQL(ofPlayer bool, sort record.Sort) string {
	filter := ``
	if ofPlayer {
		filter = ` and player_id = @player`
	}
	order := listOrders[sort]
	return `with page as materialized (
		select id from records
		where removed_at is null and map_id not in (select id from maps where removed)` + filter + order + `
		limit @limit offset @offset
	)` + selectEntriesSQL + order
}

// selectEntriesSQL selects the records whose ids are in page.
const selectEntriesSQL = ` select ` + entryColumns + entriesOfPage

// entryColumns are the columns of entryRow.
const entryColumns = `
	r.*, p.name, p.skin_image_url, p.skin_color,
	m.map_name, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze,
	exists (
		select from personal_bests b
		where b.map_id = r.map_id and b.player_id = r.player_id and b.record_id = r.id) as personal_best`

// entriesOfPage joins the records whose ids are in page. Each "offset 0" keeps the planner from
// joining whole tables with a page whose length it does not know.
const entriesOfPage = `
	from page
	cross join lateral (select ` + recordColumns + ` from records where id = page.id offset 0) r
	left join lateral (
		select name, skin_image_url, skin_color from players where id = r.player_id offset 0
	) p on true
	left join lateral (
		select name as map_name, medal_author, medal_gold, medal_silver, medal_bronze from maps where id = r.map_id offset 0
	) m on true`

// entryRow is a row of selectEntriesSQL. The columns of a map or a player without a copy
// are null.
type entryRow struct {
	recordRow
	Name         *string
	SkinImageURL *string
	SkinColor    *string
	MapName      *string
	MedalAuthor  *int
	MedalGold    *int
	MedalSilver  *int
	MedalBronze  *int
	PersonalBest bool
}

func (row entryRow) entry() record.Entry {
	e := record.Entry{
		Record: row.record(), Map: record.Map{ID: row.MapID}, Player: record.Player{ID: row.PlayerID},
		PersonalBest: row.PersonalBest,
	}
	if row.MapName != nil {
		e.Map.Name = *row.MapName
		e.Map.Medals = racetime.Medals{Author: *row.MedalAuthor, Gold: *row.MedalGold, Silver: *row.MedalSilver,
			Bronze: *row.MedalBronze}
	}
	if row.Name != nil {
		e.Player.Name, e.Player.SkinImageURL, e.Player.SkinColor = *row.Name, *row.SkinImageURL, *row.SkinColor
	}
	return e
}

func collectEntries(rows pgx.Rows) ([]record.Entry, error) {
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[entryRow])
	if err != nil {
		return nil, err
	}
	entries := make([]record.Entry, len(found))
	for i, row := range found {
		entries[i] = row.entry()
	}
	return entries, nil
}

const (
	getSQL = `
		with page as (
			select id from records
			where id = $1 and removed_at is null and map_id not in (select id from maps where removed)
		)` + selectEntriesSQL
	rankSQL = `select leaderboard_rank(@map, @finish_time, @finished_at, @id)`
)

// Get implements record.Queries.
func (s *Store) Get(ctx context.Context, id string) (record.Entry, error) {
	rows, err := s.pool.Query(ctx, getSQL, id)
	if err != nil {
		return record.Entry{}, fmt.Errorf("record %s: %w", id, err)
	}
	entries, err := collectEntries(rows)
	if err != nil {
		return record.Entry{}, fmt.Errorf("record %s: %w", id, err)
	}
	if len(entries) == 0 {
		return record.Entry{}, record.ErrRecordUnknown
	}
	entry := entries[0]
	if !entry.PersonalBest {
		return entry, nil
	}
	args := pgx.NamedArgs{
		"map": entry.MapID, "finish_time": entry.FinishTime, "finished_at": entry.FinishTimeStamp, "id": entry.ID,
	}
	if err := s.pool.QueryRow(ctx, rankSQL, args).Scan(&entry.Rank); err != nil {
		return record.Entry{}, fmt.Errorf("rank of record %s: %w", id, err)
	}
	return entry, nil
}
