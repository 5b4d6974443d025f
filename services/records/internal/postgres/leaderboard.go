package postgres

import (
	"context"
	"errors"
	"fmt"

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

// standing reads a row of rowsSQL. It is scanned by hand: leaderboards are read
// far more often than anything else.
func standing(row pgx.CollectableRow) (record.Entry, error) {
	e := record.Entry{PersonalBest: true}
	err := row.Scan(&e.ID, &e.PlayerID, &e.FinishTime, &e.FinishTimeStamp, &e.CreatedAt,
		&e.Player.Name, &e.Player.SkinImageURL, &e.Player.SkinColor, &e.Rank)
	e.FinishTimeStamp, e.CreatedAt, e.Player.ID = e.FinishTimeStamp.UTC(), e.CreatedAt.UTC(), e.PlayerID
	return e, err
}

// rowsSQL shows the rows of b; of a player without a copy nothing but the id. A
// rank of 0 is told by the place in the page. "offset 0" keeps the planner from
// joining all players with a page whose length it does not know.
const rowsSQL = `
	select b.run_id, b.player_id, b.finish_time, b.finish_stamp, b.created_at,
	       coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, ''), b.rank
	from b left join lateral (
		select name, skin_image_url, skin_color from players where id = b.player_id offset 0
	) p on true
	order by b.finish_time, b.finish_stamp, b.run_id`

const boardColumns = `run_id, player_id, finish_time, finish_stamp, created_at`

// nearSQL walks from the first row: of the map $1, $2 rows from the offset $3.
const nearSQL = `
	with b as materialized (
		select ` + boardColumns + `, 0::bigint as rank from bests
		where map_id = $1
		order by finish_time, finish_stamp, run_id
		limit $2 offset $3
	)` + rowsSQL

// farSQL is nearSQL from the frame that holds the first row of the page.
const farSQL = `
	with stretch as materialized (
		select start, until, rows_before from (
			select start, lead(start) over board as until, sum(players) over board - players as rows_before
			from stretches where map_id = $1
			window board as (order by start)
		) s
		where rows_before <= $3
		order by start desc
		limit 1
	), frame as materialized (
		select finish_time, rows_before from (
			select f.finish_time, stretch.rows_before + sum(f.players) over (order by f.finish_time) - f.players as rows_before
			from stretch cross join lateral (
				select finish_time, players from frames
				where map_id = $1 and finish_time >= stretch.start and finish_time < coalesce(stretch.until, 2147483647)
			) f
		) s
		where rows_before <= $3
		order by finish_time desc
		limit 1
	), b as materialized (
		select walk.*, 0::bigint as rank
		from frame cross join lateral (
			select ` + boardColumns + ` from bests
			where map_id = $1 and finish_time >= frame.finish_time
			order by finish_time, finish_stamp, run_id
			limit $2 offset $3 - frame.rows_before
		) walk
	)` + rowsSQL

// ofPlayerSQL is the one row of the player $2.
const ofPlayerSQL = `
	with b as materialized (
		select ` + boardColumns + `, 1
			+ coalesce((select sum(players) from stretches where map_id = $1 and start < stretch.start), 0)
			+ coalesce((select sum(players) from frames
				where map_id = $1 and finish_time >= stretch.start and finish_time < own.finish_time), 0)
			+ (select count(*) from bests
				where map_id = $1 and finish_time = own.finish_time
				  and (finish_stamp, run_id) < (own.finish_stamp, own.run_id)) as rank
		from bests own cross join lateral (
			select max(start) as start from stretches where map_id = $1 and start <= own.finish_time
		) stretch
		where map_id = $1 and player_id = $2
	)` + rowsSQL

func (s *Records) queuePage(batch *pgx.Batch, q record.Leaderboard, page *record.Page) {
	sql, args := nearSQL, []any{q.MapID, q.Limit, q.Offset}
	switch {
	case q.PlayerID != "":
		sql, args = ofPlayerSQL, []any{q.MapID, q.PlayerID}
	case q.Offset > s.near:
		sql = farSQL
	}
	batch.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
		if page.Entries, err = pgx.AppendRows(make([]record.Entry, 0, q.Limit), rows, standing); err != nil {
			return err
		}
		for i := range page.Entries {
			if page.Entries[i].Rank == 0 {
				page.Entries[i].Rank = int64(q.Offset + i + 1)
			}
		}
		if q.PlayerID != "" {
			page.Total = int64(len(page.Entries))
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
