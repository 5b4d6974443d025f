package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/records/internal/record"
)

// List implements record.Catalogue. Page and total are read in one round trip.
func (s *Records) List(ctx context.Context, q record.List) (record.Page, error) {
	var page record.Page
	batch := &pgx.Batch{}
	total := func(row pgx.Row) error { return ignoreNoRows(row.Scan(&page.Total)) }
	if q.PlayerID == "" {
		batch.Queue(`select coalesce(sum(count), 0) from site_totals where total = 'runs'`).QueryRow(total)
	} else {
		batch.Queue(`select runs from player_totals where player_id = $1`, q.PlayerID).QueryRow(total)
	}
	batch.Queue(listSQL[listed{q.PlayerID != "", q.Sort}],
		pgx.NamedArgs{"player": q.PlayerID, "limit": q.Limit, "offset": q.Offset}).
		Query(func(rows pgx.Rows) (err error) {
			page.Entries, err = collectEntries(rows)
			return err
		})
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return record.Page{}, fmt.Errorf("list runs: %w", err)
	}
	return page, nil
}

// listed is a kind of list, each with an index of its own.
type listed struct {
	ofPlayer bool
	sort     record.Sort
}

var listSQL = func() map[listed]string {
	sqls := map[listed]string{}
	for _, ofPlayer := range []bool{false, true} {
		where := "removed_at is null"
		if ofPlayer {
			where += " and player_id = @player"
		}
		for sort, order := range map[record.Sort]string{
			{By: record.ByUpdated}:                   "created_at, id",
			{By: record.ByUpdated, Descending: true}: "created_at desc, id desc",
			{By: record.ByTime}:                      "finish_time, finish_stamp, id",
			{By: record.ByTime, Descending: true}:    "finish_time desc, finish_stamp desc, id desc",
		} {
			// Few maps were taken down: they are read once and kept at hand, while the
			// index of the order is walked.
			sqls[listed{ofPlayer, sort}] = `
				with page as materialized (
					select id from runs
					where ` + where + ` and map_id not in (select id from maps where removed)
					order by ` + order + `
					limit @limit offset @offset
				)` + entriesSQL + `
				order by ` + order
		}
	}
	return sqls
}()

// entriesSQL shows the runs whose ids are in page. Each "offset 0" keeps the
// planner from joining whole tables with a page whose length it does not know.
const entriesSQL = `
	select r.*, p.name, p.skin_image_url, p.skin_color, m.map_name, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze,
	       exists (select from bests b where b.map_id = r.map_id and b.player_id = r.player_id and b.run_id = r.id) as personal_best
	from page
	cross join lateral (select ` + runColumns + ` from runs where id = page.id offset 0) r
	left join lateral (select name, skin_image_url, skin_color from players where id = r.player_id offset 0) p on true
	left join lateral (
		select name as map_name, medal_author, medal_gold, medal_silver, medal_bronze from maps where id = r.map_id offset 0
	) m on true`

// entryRow is a run as it is shown. What has no copy is null.
type entryRow struct {
	runRow
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

func collectEntries(rows pgx.Rows) ([]record.Entry, error) {
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[entryRow])
	if err != nil {
		return nil, err
	}
	entries := make([]record.Entry, 0, len(found))
	for _, row := range found {
		entries = append(entries, record.Entry{
			Run:          row.run(),
			Map:          mapRef(row.MapID, row.MapName, [4]*int{row.MedalAuthor, row.MedalGold, row.MedalSilver, row.MedalBronze}),
			Player:       playerRef(row.PlayerID, row.Name, row.SkinImageURL, row.SkinColor),
			PersonalBest: row.PersonalBest,
		})
	}
	return entries, nil
}

const entrySQL = `
	with page as (
		select id from runs
		where id = $1 and removed_at is null and map_id not in (select id from maps where removed)
	)` + entriesSQL

// Entry implements record.Catalogue.
func (s *Records) Entry(ctx context.Context, id string) (record.Entry, error) {
	rows, err := s.pool.Query(ctx, entrySQL, id)
	if err != nil {
		return record.Entry{}, fmt.Errorf("run %s: %w", id, err)
	}
	entries, err := collectEntries(rows)
	if err != nil {
		return record.Entry{}, fmt.Errorf("run %s: %w", id, err)
	}
	if len(entries) == 0 {
		return record.Entry{}, record.ErrRecordUnknown
	}
	entry := entries[0]
	if entry.PersonalBest {
		err = s.pool.QueryRow(ctx, rankSQL, rankArgs(entry.Run)).Scan(&entry.Rank)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return record.Entry{}, fmt.Errorf("rank of run %s: %w", id, err)
		}
	}
	return entry, nil
}
