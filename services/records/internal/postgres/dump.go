package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/dump"
)

const (
	dumpsSQL = `select folder, finished_at, manifest from dumps order by day desc limit @limit`
	dumpSQL  = `select folder, finished_at, manifest from dumps where day = @day::date`
)

// Dumps implements dump.Store.
func (s *Store) Dumps(ctx context.Context, limit int) ([]dump.Dump, error) {
	dumps, err := postgres.Collect(ctx, s.db, scanDump, dumpsSQL, pgx.NamedArgs{"limit": limit})
	return dumps, postgres.Wrap(err, "dumps")
}

// Dump implements dump.Store.
func (s *Store) Dump(ctx context.Context, day string) (dump.Dump, error) {
	found, err := postgres.CollectOne(ctx, s.db, scanDump, dumpSQL, pgx.NamedArgs{"day": day})
	return found, postgres.ReadError(err, dump.ErrUnknown, "dump of %s", day)
}

const hasRecordsSQL = `select exists (select from records)`

// HasRecords implements dump.Store.
func (s *Store) HasRecords(ctx context.Context) (has bool, err error) {
	err = s.db.QueryRow(ctx, hasRecordsSQL).Scan(&has)
	return has, postgres.Wrap(err, "look for a record")
}

func scanDump(row pgx.CollectableRow) (d dump.Dump, err error) {
	var manifest []byte
	if err := row.Scan(&d.Folder, &d.FinishedAt, &manifest); err != nil {
		return dump.Dump{}, err
	}
	return d, json.Unmarshal(manifest, &d.Manifest)
}

// LockDumps implements dump.Store.
func (s *Store) LockDumps(ctx context.Context) (unlock func(), err error) {
	lock, ok, err := postgres.TryLock(ctx, s.pool, "dump")
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, dump.ErrBusy
	}
	return lock.Unlock, nil
}

// Snapshot implements dump.Store. A table takes longer to read than a request's statement may.
func (s *Store) Snapshot(ctx context.Context, fn func(tables []dump.Table) error) error {
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, s.pool, options, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, unlimitedTimeSQL); err != nil {
			return err
		}
		tables := make([]dump.Table, len(dumpTables))
		for i, t := range dumpTables {
			tables[i] = dump.Table{
				Name: t.name, Columns: t.columns,
				Read: func(ctx context.Context, write func(row []*string) error) error { return readTable(ctx, tx, t, write) },
			}
		}
		return fn(tables)
	})
}

// readTable reads row by row, so that a table of any size takes the same memory.
func readTable(ctx context.Context, tx pgx.Tx, table dumpTable, write func(row []*string) error) error {
	rows, err := tx.Query(ctx, table.sql)
	if err != nil {
		return err
	}
	defer rows.Close()
	row, targets := make([]*string, len(table.columns)), make([]any, len(table.columns))
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

const (
	insertDumpSQL = `
		insert into dumps (day, folder, finished_at, manifest) values (@day::date, @folder, @finished_at, @manifest)`
	// deleteExpiredDumpsSQL keeps the first dump of each month, also where it is not that of the first day.
	deleteExpiredDumpsSQL = `
		delete from dumps where day < @before::date and day > (
			select min(m.day) from dumps m where date_trunc('month', m.day) = date_trunc('month', dumps.day))
		returning folder, finished_at, manifest`
)

// SaveDump implements dump.Store.
func (s *Store) SaveDump(
	ctx context.Context, d dump.Dump, files []storedfile.Upload, keptSince time.Time,
) error {
	manifest, err := json.Marshal(d.Manifest)
	if err != nil {
		return fmt.Errorf("save dump %s: %w", d.Folder, err)
	}
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := objectstore.Attach(ctx, tx, files...); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, insertDumpSQL, pgx.NamedArgs{
			"day": d.Date, "folder": d.Folder, "finished_at": d.FinishedAt, "manifest": manifest,
		})
		if err != nil {
			return err
		}
		return deleteExpiredDumps(ctx, tx, keptSince)
	})
	switch {
	case postgres.Violates(err, "dumps_pkey"):
		return dump.ErrExists
	case err != nil:
		return fmt.Errorf("save dump %s: %w", d.Folder, err)
	}
	return nil
}

// deleteExpiredDumps deletes the dumps that are not kept any more, and releases their files.
func deleteExpiredDumps(ctx context.Context, tx pgx.Tx, keptSince time.Time) error {
	args := pgx.NamedArgs{"before": keptSince.UTC().Format(time.DateOnly)}
	expired, err := postgres.Collect(ctx, tx, scanDump, deleteExpiredDumpsSQL, args)
	if err != nil {
		return err
	}
	for _, d := range expired {
		names := []string{dump.ManifestName}
		for _, file := range d.Files {
			names = append(names, file.Name)
		}
		for _, name := range names {
			if err := objectstore.Release(ctx, tx, d.Folder+name); err != nil {
				return err
			}
		}
	}
	return nil
}

const usesDumpFileSQL = `select exists (select from dumps where starts_with(@key, folder))`

// UsesDumpFile reports whether a dump needs the file under a key.
func (s *Store) UsesDumpFile(ctx context.Context, tx pgx.Tx, key string) (used bool, err error) {
	err = tx.QueryRow(ctx, usesDumpFileSQL, pgx.NamedArgs{"key": key}).Scan(&used)
	return used, postgres.Wrap(err, "use of file %s", key)
}

// wireTime begins an expression of a time as the API writes it.
const wireTime = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

// dumpTable is a table of dumps. The statement selects the columns as texts. The names are those of the API.
type dumpTable struct {
	name    string
	columns []dump.Column
	sql     string
}

func text(name string) dump.Column { return dump.Column{Name: name, Kind: dump.Text} }

func literal(name string) dump.Column { return dump.Column{Name: name, Kind: dump.Literal} }

// dumpTables are all tables of dumps. All of it is what the site shows to everybody: without removed maps, removed and
// hidden records. docs/programs.md describes it.
var dumpTables = []dumpTable{
	{
		name: "maps",
		columns: []dump.Column{
			text("_id"), literal("gameMapId"), literal("version"), literal("newest"), text("name"), text("author"),
			text("mode"), literal("unranked"), literal("medalAuthor"), literal("medalGold"), literal("medalSilver"),
			literal("medalBronze"),
		},
		sql: `
			select id::text, game_map_id::text, map_version::text, (not superseded)::text, name, author_id::text, game_mode,
				unranked::text, nullif(medal_author, 0)::text, nullif(medal_gold, 0)::text, nullif(medal_silver, 0)::text,
				nullif(medal_bronze, 0)::text
			from maps where not removed`,
	},
	{
		name:    "players",
		columns: []dump.Column{text("_id"), text("name"), literal("registered"), literal("hidden")},
		sql: `
			select p.id::text, case when not coalesce(t.hidden, false) then p.name end, p.registered::text,
				coalesce(t.hidden, false)::text
			from players p left join player_totals t on t.player_id = p.id
			where not p.removed`,
	},
	{
		name: "records",
		columns: []dump.Column{
			text("_id"), text("map"), text("player"), literal("finishTime"), text("finishTimeStamp"), text("createdAt"),
			literal("personalBest"),
		},
		sql: `
			select r.id::text, r.map_id::text, r.player_id::text, r.finish_time::text,
				to_char(r.finished_at at time zone 'UTC', ` + wireTime + `),
				to_char(r.created_at at time zone 'UTC', ` + wireTime + `), (b.record_id is not null)::text
			from records r left join personal_bests b
				on b.map_id = r.map_id and b.player_id = r.player_id and b.record_id = r.id
			where ` + isActive,
	},
	{
		name:    "world-records",
		columns: []dump.Column{text("record"), text("map"), text("player"), literal("finishTime"), text("since")},
		sql: `
			select record_id::text, map_id::text, player_id::text, finish_time::text,
				to_char(since at time zone 'UTC', ` + wireTime + `)
			from world_records where map_id not in (select id from maps where removed)`,
	},
}
