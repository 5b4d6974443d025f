package postgres

import (
	"context"
	"io"
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
	err = row.Scan(&d.Folder, &d.FinishedAt, &d.Manifest)
	return d, err
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
	return s.inSnapshot(ctx, func(tx pgx.Tx) error {
		return fn(postgres.Column(dumpTables, func(t dumpTable) dump.Table {
			return dump.Table{Name: t.name, Write: func(ctx context.Context, w io.Writer, format dump.Format) (int64, error) {
				tag, err := tx.Conn().PgConn().CopyTo(ctx, w, t.copySQL(format))
				return tag.RowsAffected(), err
			}}
		}))
	})
}

const insertDumpSQL = `
	insert into dumps (day, folder, finished_at, manifest) values (@day::date, @folder, @finished_at, @manifest)`

// SaveDump implements dump.Store.
func (s *Store) SaveDump(ctx context.Context, d dump.Dump, files []storedfile.Upload, keptSince time.Time) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := objectstore.Attach(ctx, tx, files...); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, insertDumpSQL, pgx.NamedArgs{
			"day": d.Date, "folder": d.Folder, "finished_at": d.FinishedAt, "manifest": d.Manifest,
		})
		if err != nil {
			return err
		}
		return purgeDumps(ctx, tx, keptSince)
	})
	if postgres.Violates(err, "dumps_pkey") {
		return dump.ErrExists
	}
	return postgres.Wrap(err, "save dump %s", d.Folder)
}

// wireTime begins an expression of a time as the API writes it.
const wireTime = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

// dumpTable is a table of dumps. The statement selects the columns, whose names are those of the API. Booleans are of
// the type json, so that CSV has true and false.
type dumpTable struct{ name, sql string }

// copySQL returns the statement that writes the table. A line of JSON has no control characters, so that with these
// nothing in it is quoted.
func (t dumpTable) copySQL(format dump.Format) string {
	if format == dump.CSV {
		return `copy (` + t.sql + `) to stdout (format csv, header)`
	}
	return `copy (select row_to_json(t) from (` + t.sql + `) t)
		to stdout (format csv, quote e'\x01', delimiter e'\x02')`
}

// dumpTables are all tables of dumps. All of it is what the site shows to everybody: without removed maps, removed and
// hidden records. docs/programs.md describes it.
var dumpTables = []dumpTable{
	{"maps", `
		select id as "_id", game_map_id as "gameMapId", map_version as version, to_json(not superseded) as newest, name,
			author_id as author, game_mode as mode, to_json(unranked) as unranked,
			nullif(medal_author, 0) as "medalAuthor", nullif(medal_gold, 0) as "medalGold",
			nullif(medal_silver, 0) as "medalSilver", nullif(medal_bronze, 0) as "medalBronze"
		from maps where not removed`},
	{"players", `
		select p.id as "_id", case when not coalesce(t.hidden, false) then p.name end as name,
			to_json(p.registered) as registered, to_json(coalesce(t.hidden, false)) as hidden
		from players p left join player_totals t on t.player_id = p.id
		where not p.removed`},
	{"records", `
		select r.id as "_id", r.map_id as map, r.player_id as player, r.finish_time as "finishTime",
			to_char(r.finished_at at time zone 'UTC', ` + wireTime + `) as "finishTimeStamp",
			to_char(r.created_at at time zone 'UTC', ` + wireTime + `) as "createdAt",
			to_json(b.record_id is not null) as "personalBest"
		from records r left join personal_bests b
			on b.map_id = r.map_id and b.player_id = r.player_id and b.record_id = r.id
		where ` + isActive},
	{"world-records", `
		select record_id as record, map_id as map, player_id as player, finish_time as "finishTime",
			to_char(since at time zone 'UTC', ` + wireTime + `) as since
		from world_records where map_id not in (select id from maps where removed)`},
}
