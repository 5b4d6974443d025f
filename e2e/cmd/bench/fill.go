package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/e2e/stack"
	"capzone.dev/platform/playername"
)

// fill writes the community into the services' databases, past the services,
// which would take an hour for it. It therefore knows their tables; what can be
// derived is left to their own `rebuild`, and copies are written as they would
// have arrived.
func (c *community) fill(ctx context.Context, s stack.Stack) error {
	for _, database := range []struct {
		of     string
		tables []table
		then   []string
	}{
		{"players", []table{c.playersTable()}, nil},
		{"maps", []table{c.mapsTable(), c.playersInMaps()}, nil},
		{"records", []table{c.runsTable(), c.mapsInRecords(), c.playersInRecords()}, derivedInRecords},
	} {
		url, err := databaseOf(s, database.of)
		if err != nil {
			return err
		}
		fmt.Println("  the database of", database.of)
		if err := write(ctx, url, database.tables, database.then); err != nil {
			return fmt.Errorf("database of %s: %w", database.of, err)
		}
	}
	for _, service := range []string{"players", "maps"} {
		fmt.Println("  the search index of", service)
		if _, err := s.Operate(ctx, service, "rebuild"); err != nil {
			return err
		}
	}
	for _, service := range []string{"players", "maps", "records"} {
		url, err := databaseOf(s, service)
		if err != nil {
			return err
		}
		if err := write(ctx, url, nil, []string{"vacuum (analyze)"}); err != nil {
			return err
		}
	}
	return nil
}

// databaseOf returns the address of a service's database.
func databaseOf(s stack.Stack, service string) (string, error) {
	for _, p := range s.Processes {
		if url := p.Settings["DATABASE_URL"]; p.Kind == service && url != "" {
			return url, nil
		}
	}
	return "", fmt.Errorf("the stack says nothing of the database of %s", service)
}

// table is what goes into one table.
type table struct {
	name    string
	columns []string
	rows    [][]any
}

func write(ctx context.Context, url string, tables []table, then []string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, t := range tables {
		if _, err := conn.CopyFrom(ctx, pgx.Identifier{t.name}, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	for _, statement := range then {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

func rows[T any](of []T, row func(i int, v T) []any) [][]any {
	all := make([][]any, 0, len(of))
	for i, v := range of {
		all = append(all, row(i, v))
	}
	return all
}

func (c *community) playersTable() table {
	return table{"players",
		[]string{"id", "version", "name", "name_key", "level", "roles", "registered", "created_at", "updated_at", "search_key", "grams"},
		rows(c.players, func(i int, p player) []any {
			return []any{p.id, 1, p.name, playername.Key(p.name), i % 400, []string{}, true, epoch, epoch, "", []string{}}
		})}
}

func (c *community) mapsTable() table {
	modes := []string{"Classic", "Grapple", "VTOL", "Arrows", "Death Arrows", "Simple"}
	return table{"maps",
		[]string{
			"id", "version", "bonk_db_id", "name", "game_mode", "author_id", "submitted_by_id", "description", "tags", "contributors",
			"fingerprint", "image_key", "thumbnail_key", "replay_key", "created_at", "updated_at", "search_key", "author_key", "facets",
		},
		rows(c.maps, func(i int, m parkourMap) []any {
			hash := fmt.Sprintf("%064x", i)
			return []any{
				m.id, 1, i + 1, m.name, modes[i%len(modes)], m.author.id, m.author.id, "", []string{"bench"}, []string{},
				hash, "maps/" + hash + ".webp", "maps/" + hash + "-480.webp", "replays/" + hash, epoch, epoch, "", "", []string{},
			}
		})}
}

func (c *community) playersInMaps() table {
	return table{"players", []string{"id", "version", "removed", "name", "name_key", "skin_image_url", "skin_color", "banned"},
		rows(c.players, func(_ int, p player) []any {
			return []any{p.id, 1, false, p.name, playername.Key(p.name), "", "", false}
		})}
}

func (c *community) runsTable() table {
	return table{"runs", []string{"id", "map_id", "player_id", "finish_time", "finish_stamp", "replay_hash", "created_at"},
		rows(c.runs, func(i int, r finish) []any {
			return []any{r.id, r.on.id, r.by.id, r.finishTime, r.stamp, fmt.Sprintf("%064x", i), r.stamp}
		})}
}

func (c *community) mapsInRecords() table {
	return table{"maps", []string{"id", "version", "name", "bonk_db_id", "fingerprint"},
		rows(c.maps, func(i int, m parkourMap) []any { return []any{m.id, 1, m.name, i + 1, fmt.Sprintf("%064x", i)} })}
}

func (c *community) playersInRecords() table {
	return table{"players", []string{"id", "version", "name", "registered"},
		rows(c.players, func(_ int, p player) []any { return []any{p.id, 1, p.name, true} })}
}

// derivedInRecords are the rows that the records service keeps beside the runs.
// Each player has one run on a map.
var derivedInRecords = []string{
	`insert into bests (map_id, player_id, run_id, finish_time, finish_stamp, created_at, runs)
	 select map_id, player_id, id, finish_time, finish_stamp, created_at, 1 from runs`,
	// The length of a stretch is that of the seven leading binary digits of its times.
	`insert into stretches (map_id, start, players)
	 select map_id, finish_time >> shift << shift, count(*)
	 from bests, greatest(0, length(ltrim(finish_time::bit(32)::text, '0')) - 7) as shift group by 1, 2`,
	`insert into map_totals (map_id, version, runs, players) select map_id, 1, count(*), count(*) from bests group by 1`,
	`insert into player_totals (player_id, version, runs) select player_id, 1, count(*) from bests group by 1`,
	`insert into site_totals (total, shard, count)
	 values ('runs', 0, (select count(*) from runs)), ('maps', 0, (select count(*) from maps)), ('players', 0, (select count(*) from players))
	 on conflict (total, shard) do update set count = excluded.count`,
}
