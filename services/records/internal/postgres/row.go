package postgres

import (
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/records/internal/record"
)

// row is a player's row of a leaderboard that changes: from the best run of its
// board to another one. Either is nil where there is no row.
type row struct {
	board
	now *record.Run
	// runs is how many runs the player then has on the map.
	runs int
}

const setRowsSQL = `
	insert into bests (map_id, player_id, run_id, finish_time, finish_stamp, created_at, runs)
	select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::timestamptz[], $6::timestamptz[], $7::int[])
	on conflict (map_id, player_id) do update
		set run_id = excluded.run_id, finish_time = excluded.finish_time, finish_stamp = excluded.finish_stamp,
		    created_at = excluded.created_at, runs = excluded.runs`

// setRows queues rows of different maps that come or change.
func setRows(batch *pgx.Batch, rows []row) {
	if len(rows) == 0 {
		return
	}
	batch.Queue(setRowsSQL,
		column(rows, func(r row) string { return r.mapID }),
		column(rows, func(r row) string { return r.now.PlayerID }),
		column(rows, func(r row) string { return r.now.ID }),
		column(rows, func(r row) int { return r.now.FinishTime }),
		column(rows, func(r row) time.Time { return r.now.FinishTimeStamp }),
		column(rows, func(r row) time.Time { return r.now.CreatedAt }),
		column(rows, func(r row) int { return r.runs }))
	moveCounts(batch, rows)
}
