package postgres

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

// Every read goes by an index, with the plan that serves all values (see
// platform/postgres.Open), and what lies before a page is passed over in the index alone.
func TestReadsOfManyRunsUseIndexes(t *testing.T) {
	t.Parallel()
	pool := manyRuns(t)
	type statement struct{ name, sql, index string }
	statements := []statement{
		{"a map and its total", headSQL, "map_totals_pkey"},
		{"a page near the top", nearSQL, "Index Only Scan using bests_board"},
		{"a page far down", farSQL, "Index Only Scan using bests_board"},
		{"the stretch of a page", farSQL, "stretches_pkey"},
		{"the frame of a page", farSQL, "frames_pkey"},
		{"the frames before a run", rankSQL, "frames_pkey"},
		{"the frames before a player's row", ofPlayerSQL, "frames_pkey"},
		{"a player's row", ofPlayerSQL, "Index Only Scan using bests_pkey on bests own"},
		{"the rank of a player's row", ofPlayerSQL, "Index Only Scan using bests_board"},
		{"a rank", rankSQL, "Index Only Scan using bests_board"},
		{"one run", entrySQL, "runs_pkey"},
		{"whether a run is the best", entrySQL, "Index Only Scan using bests_pkey"},
		{"whether listed runs are the best", listSQL[listed{false, record.Newest}], "Index Only Scan using bests_pkey"},
		{"twins by their replay", twinSQL, "runs_replay"},
		{"twins by their moment", twinSQL, "runs_moment"},
		{"the twins of new runs by their replays", lookupTwinsSQL, "runs_replay"},
		{"the twins of new runs by their moments", lookupTwinsSQL, "runs_moment"},
		{"the maps of the twins by the game's ids", lookupTwinsSQL, "maps_by_bonk_db_id"},
		{"the maps of new runs by the game's ids", lookupMapsSQL, "maps_by_bonk_db_id"},
		{"the copies of the players of new runs", lookupPlayersSQL, "players_pkey"},
		{"the maps of new runs", countOnMapsSQL, "map_totals_pkey"},
		{"the players of new runs", countOfPlayersSQL, "player_totals_pkey"},
		{"what new runs find", enterSQL, "Index Only Scan using bests_board"},
		{"the rows of new runs", enterSQL, "bests_pkey"},
		{"the ranks of runs that stay the best", ranksSQL, "Index Only Scan using bests_board"},
		{"the rows of runs that stay the best", countRunsSQL, "bests_pkey"},
		{"the maps of new players", countPlayersSQL, "map_totals_pkey"},
		{"the frames that runs leave", leaveFramesSQL, "frames_pkey"},
		{"the stretches that runs leave", leaveStretchesSQL, "stretches_pkey"},
		{"the next-best run", nextBestSQL, "runs_of_player_on_map"},
		{"whether a replay is named", namesReplaySQL, "runs_replay"},
		{"replays to let go", forgetSQL, "runs_removed"},
		{"what a merged player has played", mapsPlayedSQL, "runs_removed_of_player"},
		{"a map", mapSQL, "maps_pkey"},
		{"a map by the game's id", mapByGameIDSQL, "maps_by_bonk_db_id"},
		{"a player", playerSQL, "players_pkey"},
		{"the totals of maps", mapsAfterSQL, "map_totals_pkey"},
		{"the totals of players", playersAfterSQL, "player_totals_pkey"},
	}
	for kind, index := range map[listed]string{
		{false, record.Sort{By: record.ByUpdated}}:                   "Index Only Scan using runs_newest",
		{false, record.Sort{By: record.ByUpdated, Descending: true}}: "Index Only Scan Backward using runs_newest",
		{false, record.Sort{By: record.ByTime}}:                      "Index Only Scan using runs_fastest",
		{false, record.Sort{By: record.ByTime, Descending: true}}:    "Index Only Scan Backward using runs_fastest",
		{true, record.Sort{By: record.ByUpdated}}:                    "Index Only Scan using runs_of_player_newest",
		{true, record.Sort{By: record.ByUpdated, Descending: true}}:  "Index Only Scan Backward using runs_of_player_newest",
		{true, record.Sort{By: record.ByTime}}:                       "Index Only Scan using runs_of_player_fastest",
		{true, record.Sort{By: record.ByTime, Descending: true}}:     "Index Only Scan Backward using runs_of_player_fastest",
	} {
		statements = append(statements, statement{fmt.Sprintf("list %+v", kind), listSQL[kind], index})
	}
	for _, s := range statements {
		plan := pgtest.GenericPlan(t, pool, s.sql)
		for _, table := range []string{"runs", "bests", "stretches", "frames", "map_totals", "player_totals", "maps", "players"} {
			if strings.Contains(plan, "Seq Scan on "+table) {
				t.Errorf("%s reads all of %s:\n%s", s.name, table, plan)
			}
		}
		if !strings.Contains(plan, s.index) {
			t.Errorf("%s does not use %s:\n%s", s.name, s.index, plan)
		}
	}

	t.Run("and a page far down is the one that counting finds", func(t *testing.T) {
		records := NewRecords(pool)
		for _, offset := range []int{0, 10, nearOffset, nearOffset + 1, 4_990, 50_000, 99_995, 100_000, 200_000} {
			page, err := records.Leaderboard(t.Context(), record.Leaderboard{MapID: bigMap, Window: record.Window{Offset: offset, Limit: 10}})
			if err != nil {
				t.Fatal(err)
			}
			if page.Total != bigMapRuns {
				t.Errorf("the total is %d", page.Total)
			}
			var got []string
			for i, e := range page.Entries {
				got = append(got, e.ID)
				if e.Rank != int64(offset+i+1) {
					t.Errorf("offset %d: row %d has rank %d", offset, i, e.Rank)
				}
			}
			rows, err := pool.Query(t.Context(), `
				select run_id from bests where map_id = $1
				order by finish_time, finish_stamp, run_id limit 10 offset $2`, bigMap, offset)
			if err != nil {
				t.Fatal(err)
			}
			want, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(got, "\n")); diff != "" {
				t.Errorf("offset %d (-want +got):\n%s", offset, diff)
			}
			if len(page.Entries) > 0 {
				entry, err := records.Entry(t.Context(), page.Entries[0].ID)
				if err != nil || entry.Rank != int64(offset+1) {
					t.Errorf("offset %d: the run's own rank is %d, %v", offset, entry.Rank, err)
				}
			}
		}
	})
}

const (
	bigMap     = "01970000-0000-7000-8000-0aaa00000001"
	bigMapRuns = 100_000
)

// playerID is the id of the nth player of manyRuns.
func playerID(n int) string { return fmt.Sprintf("01970000-0000-7000-8000-0bbb%08x", n) }

// manyRuns returns a database with 100,000 runs of as many players on one map
// and 40,000 on 20,000 others, of which some were taken down.
func manyRuns(tb testing.TB) *postgres.Pool {
	tb.Helper()
	pool := pgtest.Open(tb, "records", migrations.FS)
	const id = `('01970000-0000-7000-8000-0%s' || lpad(to_hex(%s), 8, '0'))::uuid`
	mapID := fmt.Sprintf(id, "aaa", "(case when n <= 100000 then 1 else 2 + n %% 20000 end)::int")
	mapID = strings.ReplaceAll(mapID, "%%", "%")
	player, run := fmt.Sprintf(id, "bbb", "(1 + (n - 1) % 100000)::int"), fmt.Sprintf(id, "ccc", "n")
	conn, err := pool.Acquire(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Release()
	for _, sql := range []string{
		`set statement_timeout = 0`,
		`insert into maps (id, version, name, bonk_db_id, removed)
			select ` + fmt.Sprintf(id, "aaa", "n") + `, 1, 'map ' || n, n, n % 1000 = 0 from generate_series(1, 20001) n`,
		`insert into players (id, version, name, registered)
			select ` + fmt.Sprintf(id, "bbb", "n") + `, 1, 'player ' || n, true from generate_series(1, 100000) n`,
		// Finish times as on a map of 40 seconds: few are nearly perfect, most take a minute or two, some far longer.
		`insert into runs (id, map_id, player_id, finish_time, finish_stamp, replay_hash, created_at)
			select ` + run + `, ` + mapID + `, ` + player + `,
				round(round(30 * (40 + 30 * (u + v) / (1.01 - u * v))) * 1000 / 30)::int,
				timestamptz '2026-01-01' + n * interval '1 minute', md5(n::text), timestamptz '2026-01-02' + n * interval '1 minute'
			from generate_series(1, 140000) n,
				lateral (select abs(hashint4(n)::bigint) / 2147483648.0 as u, abs(hashint4(-n)::bigint) / 2147483648.0 as v) random`,
		`insert into bests (map_id, player_id, run_id, finish_time, finish_stamp, created_at, runs)
			select map_id, player_id, id, finish_time, finish_stamp, created_at, 1 from runs`,
		// What stretchOf does.
		`insert into stretches (map_id, start, players)
			select map_id, finish_time >> shift << shift, count(*)
			from bests, lateral (select greatest(0, length(ltrim(finish_time::bit(32)::text, '0')) - ` + strconv.Itoa(stretchBits) + `) as shift) s
			group by 1, 2`,
		`insert into frames (map_id, finish_time, players) select map_id, finish_time, count(*) from bests group by 1, 2`,
		`insert into map_totals (map_id, version, runs, players) select map_id, 1, count(*), count(*) from runs group by 1`,
		`insert into player_totals (player_id, version, runs) select player_id, 1, count(*) from runs group by 1`,
		`insert into site_totals (total, shard, count) values ('runs', 0, 140000)`,
		`vacuum analyze`,
		`reset statement_timeout`,
	} {
		if _, err := conn.Exec(tb.Context(), sql); err != nil {
			tb.Fatalf("%s: %v", sql, err)
		}
	}
	return pool
}
