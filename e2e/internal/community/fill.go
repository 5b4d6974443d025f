package community

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"capzone.dev/e2e/stack"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/search"
)

//go:embed *.go
var source embed.FS

// Key names what Fill writes: it changes with this package. New migrations run
// over a filled database, as they would over anybody's.
func Key() (string, error) {
	files, err := fs.Glob(source, "*.go")
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := source.ReadFile(file)
		if err != nil {
			return "", err
		}
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Fill writes the community into the databases of a stack that has none, past
// the services, which would take hours for it. It therefore knows their tables;
// what can be derived is left to their own `rebuild`, and copies are written as
// they would have arrived. Say tells what it is at.
func Fill(ctx context.Context, s stack.Stack, say func(string)) error {
	courses, err := NewCourses()
	if err != nil {
		return err
	}
	for _, database := range []struct {
		of      string
		tables  []table
		then    []string
		rebuild bool // the search index
		vacuum  string
	}{
		{"players", []table{playersTable(), totalsOfPlayers()}, nil, true, "vacuum (full) players"},
		{"maps", []table{mapsTable(), playersInMaps(), statsOfMaps()}, nil, true, "vacuum (full) maps"},
		{"records", []table{mapsInRecords(courses), playersInRecords(), runsTable(), {name: "personal_bests"}}, derivedInRecords, false, ""},
	} {
		say("the database of " + database.of)
		conn, err := connect(ctx, s, database.of)
		if err != nil {
			return err
		}
		restore, err := dropIndexes(ctx, conn, database.tables)
		if err == nil {
			err = write(ctx, conn, database.tables, database.then)
		}
		if err == nil && database.rebuild {
			_, err = s.Operate(ctx, database.of, "rebuild")
		}
		if err == nil {
			// At last as after a while of autovacuum, with the traces of filling gone.
			err = write(ctx, conn, nil, slices.Concat([]string{database.vacuum}, restore, []string{"vacuum (analyze)", "checkpoint"}))
		}
		if err := errors.Join(err, conn.Close(ctx)); err != nil {
			return fmt.Errorf("database of %s: %w", database.of, err)
		}
	}
	return nil
}

// table is what goes into one table.
type table struct {
	name    string
	columns []string
	count   int
	row     func(i int) []any
}

func connect(ctx context.Context, s stack.Stack, service string) (*pgx.Conn, error) {
	url, err := s.Database(service)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	// Nothing breaks a reference here: they are not checked row by row.
	for _, setting := range []string{"session_replication_role = replica", "synchronous_commit = off", "maintenance_work_mem = '256MB'", "work_mem = '128MB'"} {
		if _, err := conn.Exec(ctx, "set "+setting); err != nil {
			return nil, errors.Join(err, conn.Close(ctx))
		}
	}
	return conn, nil
}

func write(ctx context.Context, conn *pgx.Conn, tables []table, then []string) error {
	for _, t := range tables {
		if t.count == 0 {
			continue // filled by what comes then
		}
		next := 0
		_, err := conn.CopyFrom(ctx, pgx.Identifier{t.name}, t.columns, pgx.CopyFromFunc(func() ([]any, error) {
			if next == t.count {
				return nil, nil
			}
			next++
			return t.row(next - 1), nil
		}))
		if err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	for _, statement := range then {
		if statement == "" {
			continue
		}
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// dropIndexes drops the tables' indexes, but those of constraints, and returns the
// statements that make them again: at once they are made sooner than row by row.
func dropIndexes(ctx context.Context, conn *pgx.Conn, tables []table) (restore []string, err error) {
	var names []string
	for _, t := range tables {
		names = append(names, t.name)
	}
	rows, err := conn.Query(ctx, `
		select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
		where indrelid = any ($1::text[]::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`, names)
	if err != nil {
		return nil, err
	}
	type index struct{ Name, Definition string }
	indexes, err := pgx.CollectRows(rows, pgx.RowToStructByPos[index])
	if err != nil {
		return nil, err
	}
	for _, i := range indexes {
		if _, err := conn.Exec(ctx, "drop index "+i.Name); err != nil {
			return nil, err
		}
		restore = append(restore, i.Definition)
	}
	return restore, nil
}

func playersTable() table {
	return table{"players",
		[]string{"id", "version", "name", "name_key", "level", "roles", "registered", "created_at", "updated_at", "search_key"},
		Players, func(i int) []any {
			return []any{PlayerID(i), 1, PlayerName(i), playername.Key(PlayerName(i)), i % 400, []string{}, true, epoch, epoch, search.Key(PlayerName(i))}
		}}
}

func totalsOfPlayers() table {
	runs := make([]int, Players)
	for m := range counts {
		for j := range counts[m] {
			if p := runOf(m, j).player; p < Players {
				runs[p]++
			}
		}
	}
	return table{"player_totals", []string{"player_id", "maps", "records", "records_version"}, Players, func(i int) []any {
		return []any{PlayerID(i), 0, runs[i], 1}
	}}
}

func mapsTable() table {
	modes := []string{"Classic", "Grapple", "VTOL", "Arrows", "Death Arrows", "Simple"}
	tags := []string{"speedrun", "short", "long", "hard", "easy", "precision", "fun"}
	return table{"maps",
		[]string{
			"id", "version", "game_map_id", "name", "game_mode", "author_id", "submitted_by_id", "description", "tags", "contributors",
			"fingerprint", "image_key", "thumbnail_key", "replay_key", "created_at", "updated_at", "search_key",
		},
		Maps, func(i int) []any {
			hash, by := fmt.Sprintf("%064x", i), PlayerID(author(i))
			at := epoch.AddDate(0, 0, i%300)
			return []any{
				MapID(i), 1, gameID(i), MapName(i), modes[i%len(modes)], by, by, "", []string{tags[i%len(tags)]}, []string{},
				hash, "maps/" + hash + ".webp", "maps/" + hash + "-480.webp", "replays/" + hash, at, at, search.Key(MapName(i)),
			}
		}}
}

func playersInMaps() table {
	return table{"players", []string{"id", "version", "removed", "name", "name_key", "search_key", "skin_image_url", "skin_color", "banned"},
		Players, func(i int) []any {
			return []any{PlayerID(i), 1, false, PlayerName(i), playername.Key(PlayerName(i)), search.Key(PlayerName(i)), "", "", false}
		}}
}

func statsOfMaps() table {
	return table{"map_stats", []string{"map_id", "version", "records", "listed"}, len(counts), func(i int) []any {
		return []any{MapID(i), 1, counts[i], true}
	}}
}

func mapsInRecords(courses []Course) table {
	return table{"maps", []string{"id", "version", "name", "game_map_id", "fingerprint"}, Maps, func(i int) []any {
		fingerprint := fmt.Sprintf("%064x", i)
		if course := i - FirstCourse; course >= 0 && course < len(courses) {
			fingerprint = courses[course].course.Map.PhysicsFingerprint().String()
		}
		return []any{MapID(i), 1, MapName(i), gameID(i), fingerprint}
	}}
}

// playersInRecords are more than there are elsewhere: each row of Giant is somebody's.
func playersInRecords() table {
	return table{"players", []string{"id", "version", "name", "registered"}, GiantRuns, func(i int) []any {
		return []any{PlayerID(i), 1, PlayerName(i), i < Players}
	}}
}

func runsTable() table {
	total := 0
	for _, n := range counts {
		total += n
	}
	m, j := 0, 0
	return table{"records", []string{"id", "map_id", "player_id", "finish_time", "finished_at", "replay_hash", "created_at"}, total, func(i int) []any {
		for j == counts[m] {
			m, j = m+1, 0
		}
		r := runOf(m, j)
		j++
		return []any{r.id, MapID(m), PlayerID(r.player), r.finishTime, r.stamp, fmt.Sprintf("%064x", i), r.stamp}
	}}
}

// derivedInRecords are the rows that the records service keeps beside the runs.
var derivedInRecords = []string{
	`insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
	 select map_id, player_id, id, finish_time, finished_at, created_at, 1 from records order by 1, 4, 5, 3`,
	// What the triggers on personal_bests do, which do not fire here.
	`insert into rank_counts (map_id, step, finish_time, players)
	 select map_id, step, finish_time / step * step, count(*)
	 from personal_bests cross join (values (1), (1000)) as steps (step) group by 1, 2, 3`,
	`insert into map_totals (map_id, version, records, players) select map_id, 1, count(*), count(*) from personal_bests group by 1`,
	`insert into player_totals (player_id, version, records) select player_id, 1, count(*) from personal_bests group by 1`,
}
