package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/e2e/internal/community"
	"capzone.dev/e2e/internal/load"
)

const (
	writerCount   = 16
	settleTimeout = 30 * time.Second
)

// bareTables are like the tables of runs and of events, with all their indexes, and
// empty.
const bareTables = `
	drop schema if exists bench cascade;
	create schema bench;
	create table bench.runs (like records including all);
	create table bench.outbox (like outbox including all)`

var bareValues = fmt.Sprintf(`\set m random(%d, %d)
\set p random(1, %d)
\set t random(30000, 90000)
\set s random(1, 1000000000)
`, community.FirstCourse, community.FirstCourse+community.Courses-1, writerCount)

var bareRun = fmt.Sprintf(`insert into bench.runs (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at)
values (gen_random_uuid(), %s, %s, :t, now() - :s * interval '1 millisecond', encode(sha256(gen_random_uuid()::text::bytea), 'hex'), now())
`, community.MapIDSQL(":m::bigint"), community.MapIDSQL(":p::bigint"))

// bareRow adds a run in a transaction of its own, and nothing else. bareInsert is
// the transaction that a submission cannot do without: the run and, with it, its
// three events, in one statement.
var (
	bareRow    = bareValues + bareRun + ";\n"
	bareInsert = bareValues + "with run as (" + bareRun + `)
insert into bench.outbox (id, subject, version, body, headers)
select gen_random_uuid(), subject, version, convert_to('{"data": {"id": "' || gen_random_uuid() || '", "records": ' || :s || '}}', 'utf8'), '{}'
from (values ('facts.v1.record.submitted', 0), ('state.v1.mapstats.' || :m, :s), ('state.v1.playerstats.' || :p, :s)) as news (subject, version);
`
)

// submit measures how many runs 16 players hand in, each of which is kept when it
// is answered, beside the bare insert of a run and its events by pgbench; and where
// the time of a submission goes.
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
	if _, err := conn.Exec(ctx, bareTables); err != nil {
		return err
	}
	defer func() { _, _ = conn.Exec(context.WithoutCancel(ctx), "drop schema bench cascade") }()

	var all []time.Duration
	spent := newCost()
	medians, err := b.rounds.Compare(ctx,
		load.Side{Name: "system", Measure: func(ctx context.Context, length time.Duration) (load.Result, error) {
			before, err := b.observe(ctx)
			if err != nil {
				return load.Result{}, err
			}
			took, err := w.load(ctx, length)
			all = append(all, took...)
			// What follows a submission belongs to it, and not to the reference that comes next.
			if err := errors.Join(err, settled(ctx, conn)); err != nil {
				return load.Result{}, err
			}
			after, err := b.observe(ctx)
			spent.add(after.since(before))
			return resultOf(took, length), err
		}},
		load.Side{Name: "pgbench", Measure: load.Statements{URL: database, Connections: writerCount, Scripts: []string{bareInsert}}.Measure},
		load.Side{Name: "pgbench, the row alone", Measure: load.Statements{URL: database, Connections: writerCount, Scripts: []string{bareRow}}.Measure})
	if err != nil {
		return err
	}
	b.report.atLeast(fmt.Sprintf("submissions, %d players at once", writerCount), medians[0], medians[1], "bare inserts of a run and its events", 0.1)
	b.report.beside("– beside inserts of the row alone", medians[0], medians[2], "pgbench")
	b.report.note("Where the time of a submission goes", spent.text(resultOf(all, 0), len(all)))
	return nil
}

// settled waits until all events are published.
func settled(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, settleTimeout)
	defer cancel()
	for {
		var waiting bool
		err := conn.QueryRow(ctx, "select exists (select from outbox where published_at is null)").Scan(&waiting)
		if err != nil || !waiting {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("events are not published: %w", ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
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
