package postgres

import (
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/objectstore"
	"capzone.dev/services/records/internal/record"
)

// The first half of a transaction that adds runs: it counts them on their maps and
// of their players, which locks both, looks what they find, and claims their
// replays, in one round trip with few statements: runs are handed in often.

// Each of these counts one run, and waits for the lock of the row that it counts in.
const (
	countOnMapSQL = `
		insert into map_totals as t (map_id, version, runs, players) values ($1, 1, 1, 0)
		on conflict (map_id) do update set version = t.version + 1, runs = t.runs + 1
		returning 1, version, runs`
	countOfPlayerSQL = `
		insert into player_totals as t (player_id, version, runs) values ($1, 1, 1)
		on conflict (player_id) do update set version = t.version + 1, runs = t.runs + 1
		returning 1, version, runs`
)

// Each of these counts runs in the rows that are there and that nobody has locked.
const (
	countOnMapsSQL = `
		update map_totals t set version = t.version + 1, runs = t.runs + 1
		from (
			select t.map_id, run.n
			from unnest($1::uuid[]) with ordinality as run (map_id, n) join map_totals t using (map_id)
			for update of t skip locked
		) free
		where t.map_id = free.map_id
		returning free.n, t.version, t.runs`
	countOfPlayersSQL = `
		update player_totals t set version = t.version + 1, runs = t.runs + 1
		from (
			select t.player_id, run.n
			from unnest($1::uuid[]) with ordinality as run (player_id, n) join player_totals t using (player_id)
			for update of t skip locked
		) free
		where t.player_id = free.player_id
		returning free.n, t.version, t.runs`
)

// enterSQL sees what was committed while the statement before waited for a map's
// lock. Where the copy of a map was lost, the map stands for all that is known.
var enterSQL = `
	select run.n, coalesce((select removed from maps where id = run.map_id), false),
	       coalesce((select merged_into is not null from players where id = run.player_id for share), false),
	       b.run_id, b.finish_time, b.finish_stamp, b.runs, (` + rankOfSQL("run") + `)
	from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::int[], $6::timestamptz[])
		with ordinality as run (map_id, player_id, run_id, start, finish_time, finish_stamp, n)
	left join bests b on b.map_id = run.map_id and b.player_id = run.player_id`

// rankOfSQL is rankSQL of the run in a row of a table.
func rankOfSQL(table string) string {
	return strings.NewReplacer(
		"@map", table+".map_id", "@start", table+".start", "@time", table+".finish_time",
		"@stamp", table+".finish_stamp", "@run::uuid", table+".run_id",
	).Replace(rankSQL)
}

// enterTogether leaves the totals of those zero whose map or player is new or locked.
func enterTogether(all []*addition) *pgx.Batch {
	batch := &pgx.Batch{}
	queueCount(batch, countOnMapsSQL, column(all, mapOf), func(n int, version, runs int64) {
		all[n].ofMap.Version, all[n].ofMap.Records = version, runs
	})
	queueEnter(batch, all)
	queueCount(batch, countOfPlayersSQL, column(all, playerOf), func(n int, version, runs int64) {
		all[n].ofPlayer.Version, all[n].ofPlayer.Records = version, runs
	})
	claim(batch, all)
	return batch
}

// enterAlone also notes the message that the run came with.
func enterAlone(a *addition) *pgx.Batch {
	batch := &pgx.Batch{}
	if d := a.Delivery; d != (record.Delivery{}) {
		eventbus.QueueOnce(batch, d.Consumer, d.ID, record.ErrDelivered)
	}
	queueCount(batch, countOnMapSQL, a.Run.MapID, func(_ int, version, runs int64) {
		a.ofMap.Version, a.ofMap.Records = version, runs
	})
	queueEnter(batch, []*addition{a})
	queueCount(batch, countOfPlayerSQL, a.Run.PlayerID, func(_ int, version, runs int64) {
		a.ofPlayer.Version, a.ofPlayer.Records = version, runs
	})
	claim(batch, []*addition{a})
	return batch
}

func mapOf(a *addition) string    { return a.Run.MapID }
func playerOf(a *addition) string { return a.Run.PlayerID }

// queueCount queues a statement that counts runs. Told is called for each that was
// counted, by its place.
func queueCount(batch *pgx.Batch, sql string, ids any, told func(n int, version, runs int64)) {
	batch.Queue(sql, ids).Query(func(rows pgx.Rows) error {
		var n int
		var version, runs int64
		_, err := pgx.ForEachRow(rows, []any{&n, &version, &runs}, func() error {
			told(n-1, version, runs)
			return nil
		})
		return err
	})
}

func queueEnter(batch *pgx.Batch, all []*addition) {
	batch.Queue(enterSQL,
		column(all, mapOf), column(all, playerOf),
		column(all, func(a *addition) string { return a.Run.ID }),
		column(all, func(a *addition) int { return stretchOf(a.Run.FinishTime) }),
		column(all, func(a *addition) int { return a.Run.FinishTime }),
		column(all, func(a *addition) time.Time { return a.Run.FinishTimeStamp }),
	).Query(each(scanFound, func(f found) {
		a := all[f.n-1]
		a.removed, a.merged, a.rank = f.removed, f.merged, f.rank
		if f.id != nil {
			a.best = &record.Run{
				ID: *f.id, MapID: a.Run.MapID, PlayerID: a.Run.PlayerID,
				FinishTime: *f.finish, FinishTimeStamp: *f.stamp,
			}
			a.runs = *f.runs
		}
	}))
}

// found is a row of enterSQL.
type found struct {
	n               int
	removed, merged bool
	id              *string
	finish          *int
	stamp           *time.Time
	runs            *int
	rank            int64
}

func scanFound(row pgx.Row) (f found, err error) {
	err = row.Scan(&f.n, &f.removed, &f.merged, &f.id, &f.finish, &f.stamp, &f.runs, &f.rank)
	return f, err
}

func claim(batch *pgx.Batch, all []*addition) {
	var pending []objectstore.Upload
	for _, a := range all {
		pending = append(pending, a.pending...)
	}
	if len(pending) > 0 {
		objectstore.QueueClaim(batch, pending...)
	}
}
