package postgres

import (
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/services/records/internal/record"
)

const (
	addRunsSQL = `
		insert into runs (id, map_id, player_id, finish_time, finish_stamp, replay_hash, created_at)
		select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::timestamptz[], $6::text[], $7::timestamptz[])`
	countRunsSQL = `
		update bests b set runs = b.runs + 1
		from unnest($1::uuid[], $2::uuid[]) as row (map_id, player_id)
		where b.map_id = row.map_id and b.player_id = row.player_id`
	countPlayersSQL = `update map_totals set players = players + 1 where map_id = any($1)`
)

// ranksSQL tells the ranks of rows of leaderboards.
var ranksSQL = `
	select run.n, (` + rankOfSQL("run") + `)
	from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::timestamptz[])
		with ordinality as run (map_id, run_id, start, finish_time, finish_stamp, n)`

// keep is the second half of a transaction that adds runs: it keeps and ranks
// them, under their maps' locks, and tells of them. Standings have the place of the
// player's best run.
func keep(all []*addition) (*pgx.Batch, error) {
	batch := &pgx.Batch{}
	queueRuns(batch, all)
	var better []row
	var others []*addition
	var newcomers []string
	for _, a := range all {
		switch {
		case a.best == nil:
			a.standing = record.Standing{Rank: a.rank, PersonalBest: true}
			newcomers = append(newcomers, a.Run.MapID)
			better = append(better, row{board: a.board, now: &a.Run, runs: 1})
		case a.Run.Beats(*a.best):
			a.standing = record.Standing{Rank: a.rank, PersonalBest: true, PreviousBest: a.best.FinishTime}
			better = append(better, row{board: a.board, now: &a.Run, runs: a.runs + 1})
		default:
			a.standing = record.Standing{PreviousBest: a.best.FinishTime}
			others = append(others, a)
		}
	}
	setRows(batch, better)
	if len(newcomers) > 0 {
		batch.Queue(countPlayersSQL, newcomers)
	}
	if len(others) > 0 {
		batch.Queue(countRunsSQL, column(others, mapOf), column(others, playerOf))
		queueRanks(batch, others)
	}
	countSite(batch, totalRuns, int64(len(all)))
	return batch, tell(batch, all)
}

func queueRuns(batch *pgx.Batch, all []*addition) {
	batch.Queue(addRunsSQL,
		column(all, func(a *addition) string { return a.Run.ID }), column(all, mapOf), column(all, playerOf),
		column(all, func(a *addition) int { return a.Run.FinishTime }),
		column(all, func(a *addition) time.Time { return a.Run.FinishTimeStamp }),
		column(all, func(a *addition) string { return a.Run.ReplayHash }),
		column(all, func(a *addition) time.Time { return a.Run.CreatedAt }))
}

// queueRanks queues the ranks of best runs that stay.
func queueRanks(batch *pgx.Batch, all []*addition) {
	batch.Queue(ranksSQL, column(all, mapOf),
		column(all, func(a *addition) string { return a.best.ID }),
		column(all, func(a *addition) int { return stretchOf(a.best.FinishTime) }),
		column(all, func(a *addition) int { return a.best.FinishTime }),
		column(all, func(a *addition) time.Time { return a.best.FinishTimeStamp }),
	).Query(func(rows pgx.Rows) error {
		var n int
		var rank int64
		_, err := pgx.ForEachRow(rows, []any{&n, &rank}, func() error {
			all[n-1].standing.Rank = rank
			return nil
		})
		return err
	})
}

// tell queues the news of the runs, each as part of what has caused it.
func tell(batch *pgx.Batch, all []*addition) error {
	var news outbox.Batch
	for _, a := range all {
		err := news.Add(a.headers, a.ofMap, a.ofPlayer, event.RecordSubmitted{
			RecordID: a.Run.ID, MapID: a.Run.MapID, PlayerID: a.Run.PlayerID, FinishTime: int64(a.Run.FinishTime),
			PersonalBest: a.standing.PersonalBest, WorldRecord: a.standing.WorldRecord(), At: a.Run.CreatedAt,
		})
		if err != nil {
			return err
		}
	}
	news.Queue(batch)
	return nil
}
