package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/e2e/internal/community"
	"capzone.dev/e2e/internal/load"
)

const writerCount = 16

// bareTable is like the table of runs, with all its indexes, and empty.
const bareTable = `
	drop schema if exists bench cascade;
	create schema bench;
	create table bench.runs (like runs including all)`

// bareInsert adds a run in a transaction of its own, and nothing else.
var bareInsert = fmt.Sprintf(`\set m random(%d, %d)
\set p random(1, %d)
\set t random(30000, 90000)
\set s random(1, 1000000000)
insert into bench.runs (id, map_id, player_id, finish_time, finish_stamp, replay_hash, created_at)
values (gen_random_uuid(), %s, %s, :t, now() - :s * interval '1 millisecond', encode(sha256(gen_random_uuid()::text::bytea), 'hex'), now());
`, community.FirstCourse, community.FirstCourse+community.Courses-1, writerCount,
	community.MapIDSQL(":m::bigint"), community.MapIDSQL(":p::bigint"))

// submit measures how many runs 16 players hand in, each of which is kept when it
// is answered, beside the bare insert of a run by pgbench; and where the time of
// a submission goes.
func (b *bench) submit(ctx context.Context) error {
	w, err := newWriters(b.running.Stack, b.gateway(), firstWriter, writerCount)
	if err != nil {
		return err
	}
	database, err := b.running.Database("records")
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, bareTable); err != nil {
		return err
	}
	defer func() { _, _ = conn.Exec(context.WithoutCancel(ctx), "drop schema bench cascade") }()

	before, err := b.observe(ctx)
	if err != nil {
		return err
	}
	var all []time.Duration
	medians, err := b.rounds.Compare(ctx,
		load.Side{Name: "system", Measure: func(ctx context.Context, length time.Duration) (load.Result, error) {
			took, err := w.load(ctx, length)
			all = append(all, took...)
			return resultOf(took, length), err
		}},
		load.Side{Name: "pgbench", Measure: load.Statements{URL: database, Connections: writerCount, Scripts: []string{bareInsert}}.Measure})
	if err != nil {
		return err
	}
	after, err := b.observe(ctx)
	if err != nil {
		return err
	}
	b.report.atLeast(fmt.Sprintf("submissions, %d players at once", writerCount), medians[0], medians[1], "bare inserts", 0.1)
	b.report.note("Where the time of a submission goes", after.since(before).text(resultOf(all, 0), len(all)))
	return nil
}

// resultOf sums up how long things took that were done for a while.
func resultOf(took []time.Duration, length time.Duration) load.Result {
	if len(took) == 0 {
		return load.Result{}
	}
	took = slices.Clone(took)
	slices.Sort(took)
	return load.Result{Rate: float64(len(took)) / length.Seconds(), Median: took[len(took)/2], P99: took[len(took)*99/100]}
}
