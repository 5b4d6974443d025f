package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/record"
)

// Leaderboard implements record.Catalogue. Map and page are read in one round trip.
func (s *Records) Leaderboard(ctx context.Context, q record.Leaderboard) (record.Page, error) {
	var (
		m     record.Map
		page  record.Page
		batch = &pgx.Batch{}
	)
	batch.Queue(headSQL, q.MapID).
		QueryRow(func(row pgx.Row) error {
			return row.Scan(&m.ID, &m.Removed, &m.Name, &m.Medals.Author, &m.Medals.Gold, &m.Medals.Silver, &m.Medals.Bronze, &page.Total)
		})
	s.queuePage(batch, q, &page)
	err := s.pool.SendBatch(ctx, batch).Close()
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return record.Page{}, record.ErrMapUnknown
	case err != nil:
		return record.Page{}, fmt.Errorf("leaderboard of map %s: %w", q.MapID, err)
	case m.Removed:
		return record.Page{}, record.ErrMapRemoved
	}
	for i := range page.Entries {
		page.Entries[i].MapID, page.Entries[i].Map = m.ID, m
	}
	return page, nil
}

const headSQL = `
	select m.id, m.removed, m.name, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze, coalesce(t.players, 0)
	from maps m left join map_totals t on t.map_id = m.id
	where m.id = $1`

// standingRow is a row of a leaderboard.
type standingRow struct {
	RunID        string
	PlayerID     string
	FinishTime   int
	FinishStamp  time.Time
	CreatedAt    time.Time
	Name         *string
	SkinImageURL *string
	SkinColor    *string
	// Rank is null where the place in the page tells it.
	Rank *int64
}

func (r standingRow) entry() record.Entry {
	return record.Entry{
		Run: record.Run{
			ID: r.RunID, PlayerID: r.PlayerID,
			FinishTime: r.FinishTime, FinishTimeStamp: r.FinishStamp.UTC(), CreatedAt: r.CreatedAt.UTC(),
		},
		Player:       playerRef(r.PlayerID, r.Name, r.SkinImageURL, r.SkinColor),
		PersonalBest: true,
	}
}

// rowsSQL shows the rows of b. "offset 0" keeps the planner from joining all
// players with a page whose length it does not know.
const rowsSQL = `
	select b.run_id, b.player_id, b.finish_time, b.finish_stamp, b.created_at, p.name, p.skin_image_url, p.skin_color, b.rank
	from b left join lateral (
		select name, skin_image_url, skin_color from players where id = b.player_id offset 0
	) p on true
	order by b.finish_time, b.finish_stamp, b.run_id`

const boardColumns = `run_id, player_id, finish_time, finish_stamp, created_at`

// nearSQL walks from the first row.
const nearSQL = `
	with b as materialized (
		select ` + boardColumns + `, null::bigint as rank from bests
		where map_id = @map
		order by finish_time, finish_stamp, run_id
		limit @limit offset @offset
	)` + rowsSQL

// farSQL walks from the stretch that holds the first row of the page.
const farSQL = `
	with first as materialized (
		select start, rows_before from (
			select start, sum(players) over (order by start) - players as rows_before
			from stretches where map_id = @map
		) s
		where rows_before <= @offset
		order by start desc
		limit 1
	), b as materialized (
		select walk.*, null::bigint as rank
		from first cross join lateral (
			select ` + boardColumns + ` from bests
			where map_id = @map and finish_time >= first.start
			order by finish_time, finish_stamp, run_id
			limit @limit offset @offset - first.rows_before
		) walk
	)` + rowsSQL

// ofPlayerSQL is the one row of a player.
const ofPlayerSQL = `
	with b as materialized (
		select ` + boardColumns + `, 1
			+ coalesce((select sum(players) from stretches where map_id = @map and start < own_stretch.start), 0)
			+ (select count(*) from bests
				where map_id = @map and finish_time >= own_stretch.start
				  and (finish_time, finish_stamp, run_id) < (own.finish_time, own.finish_stamp, own.run_id)) as rank
		from bests own cross join lateral (
			select max(start) as start from stretches where map_id = @map and start <= own.finish_time
		) own_stretch
		where map_id = @map and player_id = @player
	)` + rowsSQL

func (s *Records) queuePage(batch *pgx.Batch, q record.Leaderboard, page *record.Page) {
	sql, args := nearSQL, pgx.NamedArgs{"map": q.MapID, "limit": q.Limit, "offset": q.Offset}
	switch {
	case q.PlayerID != "":
		sql, args = ofPlayerSQL, pgx.NamedArgs{"map": q.MapID, "player": q.PlayerID}
	case q.Offset > s.near:
		sql = farSQL
	}
	batch.Queue(sql, args).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, pgx.RowToStructByName[standingRow])
		if err != nil {
			return err
		}
		page.Entries = make([]record.Entry, 0, len(found))
		for i, row := range found {
			entry := row.entry()
			entry.Rank = int64(q.Offset + i + 1)
			if row.Rank != nil {
				entry.Rank = *row.Rank
			}
			page.Entries = append(page.Entries, entry)
		}
		if q.PlayerID != "" {
			page.Total = int64(len(found))
			page.Entries = page.Entries[min(q.Offset, len(page.Entries)):]
		}
		return nil
	})
}

func playerRef(id string, name, skinImageURL, skinColor *string) record.Player {
	p := record.Player{ID: id}
	if name != nil {
		p.Name, p.SkinImageURL, p.SkinColor = *name, *skinImageURL, *skinColor
	}
	return p
}

func mapRef(id string, name *string, medals [4]*int) record.Map {
	m := record.Map{ID: id}
	if name != nil {
		m.Name = *name
		m.Medals = racetime.Medals{Author: *medals[0], Gold: *medals[1], Silver: *medals[2], Bronze: *medals[3]}
	}
	return m
}
