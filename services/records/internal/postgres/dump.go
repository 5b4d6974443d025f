package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

const (
	dumpsSQL = `
		select folder, finished_at, manifest from dumps
		where finished_at is not null
		order by day desc
		limit @limit`
	dumpSQL = `select folder, finished_at, manifest from dumps where day = @day::date and finished_at is not null`
)

// Dumps implements record.DumpStore.
func (s *Store) Dumps(ctx context.Context, limit int) ([]record.Dump, error) {
	dumps, err := postgres.Collect(ctx, s.db, scanDump, dumpsSQL, pgx.NamedArgs{"limit": limit})
	if err != nil {
		return nil, fmt.Errorf("dumps: %w", err)
	}
	return dumps, nil
}

// Dump implements record.DumpStore.
func (s *Store) Dump(ctx context.Context, day string) (record.Dump, error) {
	dump, err := postgres.CollectOne(ctx, s.db, scanDump, dumpSQL, pgx.NamedArgs{"day": day})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return record.Dump{}, record.ErrDumpUnknown
	case err != nil:
		return record.Dump{}, fmt.Errorf("dump of %s: %w", day, err)
	}
	return dump, nil
}

func scanDump(row pgx.CollectableRow) (d record.Dump, err error) {
	var manifest []byte
	if err := row.Scan(&d.Folder, &d.FinishedAt, &manifest); err != nil {
		return record.Dump{}, err
	}
	d.FinishedAt = d.FinishedAt.UTC()
	return d, json.Unmarshal(manifest, &d.Manifest)
}

// LockDumps implements record.DumpStore.
func (s *Store) LockDumps(ctx context.Context) (record.DumpLock, error) {
	lock, ok, err := postgres.TryLock(ctx, s.pool, "dump")
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, record.ErrDumpBusy
	}
	// A table takes longer to read than a request's statement may.
	if _, err := lock.Conn.Exec(ctx, `set statement_timeout = 0`); err != nil {
		lock.Unlock()
		return nil, fmt.Errorf("lock the dumps: %w", err)
	}
	return &dumpLock{lock.Conn, lock.Unlock}, nil
}

// dumpLock implements record.DumpLock.
type dumpLock struct {
	conn   *pgx.Conn
	unlock func()
}

// Close implements record.DumpLock.
func (l *dumpLock) Close() { l.unlock() }

const (
	// expireDumpsSQL keeps the first dump of each month, also where it is not that of the first day.
	expireDumpsSQL = `
		update dumps set finished_at = null, manifest = null
		where finished_at is not null and day < @before::date and day > (
			select min(m.day) from dumps m
			where m.finished_at is not null and date_trunc('month', m.day) = date_trunc('month', dumps.day))`
	incompleteDumpsSQL = `select folder from dumps where finished_at is null order by day`
	forgetDumpSQL      = `delete from dumps where folder = @folder and finished_at is null`
	beginDumpSQL       = `insert into dumps (day, folder, began_at) values (@at::date, @folder, @at)`
	finishDumpSQL      = `update dumps set finished_at = @at, manifest = @manifest where folder = @folder`
)

// Expire implements record.DumpLock.
func (l *dumpLock) Expire(ctx context.Context, before time.Time) error {
	day := pgx.NamedArgs{"before": before.UTC().Format(time.DateOnly)}
	if _, err := l.conn.Exec(ctx, expireDumpsSQL, day); err != nil {
		return fmt.Errorf("expire dumps: %w", err)
	}
	return nil
}

// Incomplete implements record.DumpLock.
func (l *dumpLock) Incomplete(ctx context.Context) ([]string, error) {
	folders, err := postgres.Collect(ctx, l.conn, pgx.RowTo[string], incompleteDumpsSQL)
	if err != nil {
		return nil, fmt.Errorf("incomplete dumps: %w", err)
	}
	return folders, nil
}

// Forget implements record.DumpLock.
func (l *dumpLock) Forget(ctx context.Context, folder string) error {
	if _, err := l.conn.Exec(ctx, forgetDumpSQL, pgx.NamedArgs{"folder": folder}); err != nil {
		return fmt.Errorf("forget dump %s: %w", folder, err)
	}
	return nil
}

// Begin implements record.DumpLock. A process that lost its lock may still upload files: into the folder of its own
// attempt.
func (l *dumpLock) Begin(ctx context.Context, at time.Time) (folder string, err error) {
	day := at.UTC().Format(time.DateOnly)
	folder = "dumps/" + day + "/" + uuid.NewString()[:8] + "/"
	_, err = l.conn.Exec(ctx, beginDumpSQL, pgx.NamedArgs{"day": day, "at": at, "folder": folder})
	if postgres.Violates(err, "dumps_pkey") {
		return "", record.ErrDumpExists
	}
	if err != nil {
		return "", fmt.Errorf("begin dump %s: %w", folder, err)
	}
	return folder, nil
}

// Snapshot implements record.DumpLock.
func (l *dumpLock) Snapshot(ctx context.Context, fn func(read record.ReadTable) error) error {
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, l.conn, options, func(tx pgx.Tx) error {
		return fn(func(ctx context.Context, table record.DumpTable, write func(row []*string) error) error {
			return readTable(ctx, tx, table, write)
		})
	})
}

// readTable reads row by row, so that a table of any size takes the same memory.
func readTable(ctx context.Context, tx pgx.Tx, table record.DumpTable, write func(row []*string) error) error {
	rows, err := tx.Query(ctx, dumpTableSQL[table.Name])
	if err != nil {
		return err
	}
	defer rows.Close()
	row, targets := make([]*string, len(table.Columns)), make([]any, len(table.Columns))
	for i := range row {
		targets[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		if err := write(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Finish implements record.DumpLock.
func (l *dumpLock) Finish(ctx context.Context, folder string, m record.Manifest, at time.Time) error {
	manifest, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("finish dump %s: %w", folder, err)
	}
	args := pgx.NamedArgs{"folder": folder, "at": at, "manifest": manifest}
	tag, err := l.conn.Exec(ctx, finishDumpSQL, args)
	if err == nil && tag.RowsAffected() == 0 {
		err = record.ErrDumpUnknown
	}
	if err != nil {
		return fmt.Errorf("finish dump %s: %w", folder, err)
	}
	return nil
}

// wireTime begins an expression of a time as the API writes it.
const wireTime = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

// dumpTableSQL are the statements of record.DumpTables, whose columns they select as texts. All of it is what the site
// shows to everybody: without removed maps, removed and hidden records.
var dumpTableSQL = map[string]string{
	"maps": `
		select id::text, game_map_id::text, map_version::text, (not superseded)::text, name, author_id::text, game_mode,
			unranked::text, nullif(medal_author, 0)::text, nullif(medal_gold, 0)::text, nullif(medal_silver, 0)::text,
			nullif(medal_bronze, 0)::text
		from maps where not removed`,
	"players": `
		select p.id::text, case when not coalesce(t.hidden, false) then p.name end, p.registered::text,
			coalesce(t.hidden, false)::text
		from players p left join player_totals t on t.player_id = p.id
		where not p.removed`,
	"records": `
		select r.id::text, r.map_id::text, r.player_id::text, r.finish_time::text,
			to_char(r.finished_at at time zone 'UTC', ` + wireTime + `),
			to_char(r.created_at at time zone 'UTC', ` + wireTime + `), (b.record_id is not null)::text
		from records r left join personal_bests b
			on b.map_id = r.map_id and b.player_id = r.player_id and b.record_id = r.id
		where ` + isActive,
	"world-records": `
		select record_id::text, map_id::text, player_id::text, finish_time::text,
			to_char(since at time zone 'UTC', ` + wireTime + `)
		from world_records where map_id not in (select id from maps where removed)`,
}
