package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/migrations"
)

// Every statement uses an index, with the plan that serves all values, and what lies before a
// page is skipped in the index alone.
func TestStore_plans(t *testing.T) {
	t.Parallel()
	const records = 3000
	pool := manyRecords(t, records, 20_000, 12)
	// indexes are what the plan uses, separated by semicolons.
	type statement struct{ sql, indexes string }
	statements := []statement{
		{leaderboardMapSQL, "map_totals_pkey"},
		{firstPageSQL, "Index Only Scan using personal_bests_leaderboard; record_points_pkey"},
		{pageSQL, "Index Only Scan using personal_bests_leaderboard"},
		{deepPageSQL, "Index Only Scan using personal_bests_leaderboard"},
		{neighboursSQL, "Index Only Scan using personal_bests_pkey; Index Only Scan using personal_bests_leaderboard"},
		{topSQL, "Index Only Scan using personal_bests_leaderboard"},
		{followedSQL, "Index Only Scan using personal_bests_pkey"},
		{afterSQL, "Index Only Scan using personal_bests_leaderboard"},
		{listSQL(false, true, leaderboard.Newest), "map_totals_pkey"},
		{detailsSQL, "records_pkey; Index Only Scan using personal_bests_pkey; records_of_player_on_map; " +
			"world_records_pkey; Index Only Scan Backward using personal_bests_leaderboard"},
		{listSQL(false, false, leaderboard.Newest), "Index Only Scan using personal_bests_pkey"},
		{findDuplicateSQL, "records_replay; records_duplicate_finish; One-Time Filter"},
		{leaderboardStateSQL, "records_duplicate_finish; maps_by_game_map_id; " +
			"Index Only Scan using personal_bests_pkey"},
		{countRecordSQL, "personal_bests_pkey"},
		{bestRankSQL, "Index Only Scan using personal_bests_pkey"},
		{refreshPersonalBestsSQL, "records_of_player_on_map; personal_bests_pkey"},
		{refreshWorldRecordsSQL, "records_of_player_on_map"},
		{playersOnLeaderboardSQL, "Index Only Scan using personal_bests_pkey"},
		{currentWorldRecordsSQL, "world_records_pkey"},
		{isActiveRecordSQL, "records_pkey"},
		{passedPlayersSQL, "Index Only Scan using personal_bests_pkey; records_of_player_on_map"},
		{inspectSQL, "records_pkey; records_of_player_newest; players_pkey"},
		{inspectedNeighboursSQL, "Index Only Scan Backward using personal_bests_leaderboard"},
		{adjacentSQL, "records_of_player_finished"},
		{copiedSQL, "records_duplicate_finish"},
		{mapReplaySQL, "first_records_pkey"},
		{mapPlayersSQL, "Index Only Scan using personal_bests_pkey"},
		{playersToRestoreSQL, "records_of_player_on_map; personal_bests_pkey"},
		{replayHashesSQL, "records_replay"},
		{isReferencedSQL, "records_replay"},
		{purgeReplaysSQL, "records_replays_to_purge"},
		{mapsPlayedSQL, "records_removed_of_player"},
		{transferSQL, "records_of_player_on_map"},
		{transferRemovedSQL, "records_removed_of_player"},
		{mapSQL, "maps_pkey"},
		{mapVersionSQL, "maps_by_game_map_id"},
		{statsSQL, "Index Only Scan using maps_listed; Index Only Scan using players_registered"},
		{copies.PlayerSQL, "players_pkey"},
		{republishMapsSQL, "map_totals_pkey"},
		{republishPlayersSQL, "player_totals_pkey"},
		{worldRecordsSQL, "world_records_pkey"},
		{worldRecordSQL, "world_records_pkey"},
		{newestWorldRecordsSQL, "Index Only Scan Backward using world_records_newest"},
		{evidenceSQL, "records_pkey; check_lists_pkey"},
		{commonMapsSQL, "Index Only Scan using personal_bests_of_player"},
		{progressSQL, "Index Only Scan using personal_bests_pkey; maps_by_game_map_id; world_records_pkey"},
		{playedMapsSQL, "Index Only Scan using personal_bests_of_player"},
		{playedTimesSQL, "Index Only Scan using personal_bests_of_player"},
		{playedFirstSQL, "Index Only Scan using personal_bests_of_player"},
		{playedRanksSQL, "Index Only Scan using personal_bests_leaderboard"},
		{standingsSQL, "Index Only Scan using personal_bests_of_player; " +
			"Index Only Scan using personal_bests_leaderboard"},
		{listedMapsSQL, "Index Only Scan using maps_listed"},
		{reignsSQL, "Index Only Scan using world_records_of_player; world_records_pkey"},
		{lostWorldRecordsSQL, "Index Only Scan using world_records_of_player; world_records_pkey"},
		{monthsSQL, "Index Only Scan using records_of_player_newest"},
		{improvedMapsSQL, "Index Only Scan using personal_bests_of_player; records_of_player_on_map"},
		{candidatesSQL, "Index Only Scan using personal_bests_of_player; " +
			"Index Only Scan Backward using personal_bests_leaderboard"},
		{completeGoalsSQL, "Index Only Scan using personal_bests_pkey"},
		{easiestMapsSQL, "Index Only Scan using map_totals_easiest"},
		{easiestUnplayedSQL, "using map_totals_easiest; using records_of_player_; goals_put_aside_pkey"},
		{transferPutAsideSQL, "goals_put_aside_pkey"},
		{purgePutAsideSQL, "goals_put_aside_until"},
		{restorationEffectsSQL, "records_pkey; world_records_pkey"},
		{showingEffectsSQL, "records_of_player_"},
		{restoredMapSQL, "records_of_player_on_map"},
		{removalEffectsSQL, "records_pkey; records_of_player_on_map"},
		{successorSQL, "records_pkey; records_of_player_on_map; world_records_pkey; " +
			"Index Only Scan using personal_bests_leaderboard"},
		{hidingEffectsSQL, "personal_bests_of_player; world_records_of_player"},
		{mapEffectsSQL, "map_totals_pkey"},
		{countMedalsSQL, "personal_bests_pkey"},
		{improvementsSQL, "records_of_player_on_map"},
		{dueChangesSQL, "points_changes_pkey; points_maps_pkey"},
		{takeChangesSQL, "points_changes_of_map; points_changes_of_player; records_pkey"},
		{playersOnMapsSQL, "Index Only Scan using personal_bests_"},
		{addMapChangesSQL, "Index Only Scan using personal_bests_of_player"},
		{countedPlayersSQL, "Index Only Scan using personal_bests_of_player; players_pkey; points_players_pkey"},
		{writePlayersSQL, "points_players_pkey"},
		{countingBestsSQL, "Index Only Scan using personal_bests_pkey; points_players_pkey; world_records_pkey"},
		{recordPointsSQL, "record_points_pkey"},
		{writeRecordPointsSQL, "record_points_pkey"},
		{finishesSQL, "Index Only Scan using personal_bests_of_player; points_players_pkey; record_points_pkey"},
		{entriesSQL, "rankings_of_player"},
		{writeEntriesSQL, "rankings_pkey"},
		{writeRankingCountsSQL, "ranking_counts_pkey"},
		{ranksSQL, "ranking_counts_pkey"},
		{pointsAsOfSQL, "points_changes_oldest"},
		{playerAsOfSQL, "points_changes_oldest_of_players; points_changes_of_map"},
		{mapAsOfSQL, "points_changes_oldest_of_players; points_changes_of_map"},
		{rankingSQL, "Index Only Scan using rankings_ordered; rankings_pkey; points_days_pkey"},
		{rankingTotalSQL, "ranking_counts_pkey"},
		{rowsAboveSQL, "rankings_pkey"},
		{playerMapsSQL, "record_points_pkey"},
		{playerModesSQL, "Scan using rankings_"},
		{playerReachedSQL, "rankings_pkey"},
		{pointsBeforeSQL, "points_before_pkey"},
		{dayRankSQL, "points_days_pkey"},
		{pointsDaysSQL, "points_days_pkey"},
		{playerCountsSQL, "points_players_pkey"},
		{mapFinishersSQL, "points_maps_pkey"},
		{pointsPlayersAfterSQL, "points_players_pkey"},
		{rankedPlayersAfterSQL, "rankings_of_player"},
		{mapsAfterSQL, "map_totals_pkey"},
		{deletePointsBeforeSQL, "points_before_day"},
		{addMonthSQL, "Index Only Scan using records_newest"},
	}
	for _, l := range []struct {
		ofPlayer bool
		sort     leaderboard.Sort
		index    string
	}{
		{false, leaderboard.Sort{By: leaderboard.ByUpdated}, "Index Only Scan using records_newest"},
		{false, leaderboard.Newest, "Index Only Scan Backward using records_newest"},
		{false, leaderboard.Sort{By: leaderboard.ByTime}, "Index Only Scan using records_fastest"},
		{false, leaderboard.Sort{By: leaderboard.ByTime, Descending: true}, "Index Only Scan Backward using records_fastest"},
		{true, leaderboard.Sort{By: leaderboard.ByUpdated}, "Index Only Scan using records_of_player_newest"},
		{true, leaderboard.Newest, "Index Only Scan Backward using records_of_player_newest"},
		{true, leaderboard.Sort{By: leaderboard.ByTime}, "Index Only Scan using records_of_player_fastest"},
		{true, leaderboard.Sort{By: leaderboard.ByTime, Descending: true},
			"Index Only Scan Backward using records_of_player_fastest"},
	} {
		for _, after := range []bool{false, true} {
			statements = append(statements, statement{listSQL(l.ofPlayer, after, l.sort), l.index})
		}
	}
	for _, s := range statements {
		plan := pgtest.GenericPlan(t, pool, s.sql)
		for _, table := range []string{"records", "personal_bests", "rank_counts", "player_totals", "players",
			"world_records", "check_lists", "goals_put_aside", "record_points", "first_records",
			"rankings", "ranking_counts", "points_players",
			"points_maps", "points_days", "points_before", "points_changes"} {
			if strings.Contains(plan, "Seq Scan on "+table) {
				t.Errorf("%s reads all of %s:\n%s", s.sql, table, plan)
			}
		}
		for index := range strings.SplitSeq(s.indexes, "; ") {
			if !strings.Contains(plan, index) {
				t.Errorf("%s does not use %s:\n%s", s.sql, index, plan)
			}
		}
	}

	t.Run("page at any offset", func(t *testing.T) {
		store := NewStore(pool)
		for _, offset := range []int{0, 10, maxScannedOffset, maxScannedOffset + 1, records - 5, records, 2 * records} {
			page, err := store.Leaderboard(t.Context(),
				leaderboard.Leaderboard{MapID: bigMap, Page: leaderboard.Page{Offset: offset, Limit: 10}})
			if err != nil {
				t.Fatal(err)
			}
			if page.Total != records {
				t.Errorf("the total is %d", page.Total)
			}
			var got []string
			for i, e := range page.Records {
				got = append(got, e.ID)
				if e.Rank != int64(offset+i+1) {
					t.Errorf("offset %d: row %d has rank %d", offset, i, e.Rank)
				}
			}
			want := pgtest.Value[[]string](t, pool, `
				select coalesce(array_agg(record_id::text), '{}') from (
					select record_id from personal_bests where map_id = $1
					order by finish_time, finished_at, record_id limit 10 offset $2
				) p`, bigMap, offset)
			if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(got, "\n")); diff != "" {
				t.Errorf("offset %d (-want +got):\n%s", offset, diff)
			}
			if len(page.Records) > 0 {
				details, err := store.Details(t.Context(), page.Records[0].ID)
				if err != nil || details.Rank != int64(offset+1) {
					t.Errorf("offset %d: the record's own rank is %d, %v", offset, details.Rank, err)
				}
			}
		}
	})
	exporttest.WantPlans(t, pool, Exports)
}

const bigMap = "01970000-0000-7000-8000-0aaa00000001"

// manyRecords returns a database with records of n players on bigMap, and others on further maps with perMap players
// each, of which some maps are removed.
func manyRecords(tb testing.TB, n, others, perMap int) *postgres.Pool {
	tb.Helper()
	return pgtest.Open(tb, fmt.Sprint("many records ", n, others, perMap), migrations.FS,
		func(ctx context.Context, pool *postgres.Pool) error {
			return insertRecords(ctx, pool, n, others, perMap)
		})
}

func insertRecords(ctx context.Context, pool *postgres.Pool, n, others, perMap int) error {
	const id = `('01970000-0000-7000-8000-0%s' || lpad(to_hex(%s), 8, '0'))::uuid`
	mapID := fmt.Sprintf(id, "aaa", fmt.Sprintf(
		"(case when n <= %d then 1 else 2 + n / %d %% %d end)::int", n, perMap, others/perMap))
	player, recordID := fmt.Sprintf(id, "bbb", fmt.Sprintf("(1 + (n - 1) %% %d)::int", n)), fmt.Sprintf(id, "ccc", "n")
	records, players, maps := strconv.Itoa(n+others), strconv.Itoa(n), strconv.Itoa(1+others/perMap)
	for _, sql := range []string{
		`insert into maps (id, version, name, game_map_id, removed)
			select ` + fmt.Sprintf(id, "aaa", "n") + `, 1, 'map ' || n, n, n % 1000 = 0 from generate_series(1, ` + maps + `) n`,
		`insert into players (id, version, name, registered)
			select ` + fmt.Sprintf(id, "bbb", "n") + `, 1, 'player ' || n, true from generate_series(1, ` + players + `) n`,
		// Finish times as on a map of 40 seconds: few are nearly perfect, most take a minute or two, some far longer.
		`insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at,
			checks_hash, map_data_hash)
			select ` + recordID + `, ` + mapID + `, ` + player + `,
				round(round(30 * (40 + 30 * (u + v) / (1.01 - u * v))) * 1000 / 30)::int,
				timestamptz '2026-01-01' + n * interval '1 minute', md5(n::text),
				timestamptz '2026-01-02' + n * interval '1 minute', '', ''
			from generate_series(1, ` + records + `) n,
				lateral (
			select abs(hashint4(n)::bigint) / 2147483648.0 as u, abs(hashint4(-n)::bigint) / 2147483648.0 as v
		) random`,
		`insert into map_totals (map_id, version, records, players) select map_id, 1, count(*), 0 from records group by 1`,
		`insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
			select map_id, player_id, id, finish_time, finished_at, created_at, 1 from records`,
		`insert into player_totals (player_id, version, records) select player_id, 1, count(*) from records group by 1`,
		`insert into goals_put_aside (player_id, map_id, until)
			select player_id, map_id, created_at from records where map_id <> '` + bigMap + `'`,
		`insert into points_players (player_id, maps, authors, counts)
			select player_id, 5, 3, true from player_totals`,
		`insert into points_maps (map_id, finishers, due_at) select map_id, 0, now() from map_totals`,
		`insert into record_points (map_id, player_id, opponents, slower, tied, points, world_record)
			select map_id, player_id, 0, 0, 0, 0, false from personal_bests`,
		`insert into rankings (period, mode, player_id, kind, value)
			select period, '', player_id, kind, 1 + abs(hashtextextended(player_id::text, 0)) % 190000
			from player_totals cross join (values ('all'), ('2026-05')) p (period)
				cross join (values ('points'), ('finished')) k (kind)`,
		`insert into ranking_counts (period, mode, kind, step, value, players)
			select period, mode, kind, step, value / step * step, count(*)
			from rankings cross join (values (1), (1000)) as steps (step) group by 1, 2, 3, 4, 5`,
		`insert into points_days (player_id, day, points, rank)
			select player_id, date '2026-05-01' + d, 1, 1 from player_totals cross join generate_series(1, 2) d`,
		`insert into points_before (player_id, map_id, day, points)
			select player_id, map_id, date '2026-05-01' + records, 1 from personal_bests`,
		`insert into first_records (map_id, record_id)
			select distinct on (map_id) map_id, id from records order by map_id, id`,
		`insert into check_lists (hash, checks) select sha256(n::text::bytea), '{}' from generate_series(1, 1000) n`,
	} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return pgtest.Vacuum(ctx, pool, "records", "maps", "players", "map_totals", "personal_bests",
		"rank_counts", "player_totals", "world_records", "check_lists", "goals_put_aside", "record_points", "rankings",
		"ranking_counts", "points_players", "points_maps", "points_days", "points_before", "points_changes")
}

// PostgreSQL keeps the plan of a leaderboard's first page where a map has many records.
func TestStore_Leaderboard_plan_is_kept(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "records", migrations.FS)
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	for _, sql := range []string{
		`set session_replication_role = replica`, // without foreign keys
		`insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
			select ('01970000-0000-7000-8000-0aaa' || lpad(to_hex(n % 10), 8, '0'))::uuid, gen_random_uuid(),
				gen_random_uuid(), n, now(), now(), 1
			from generate_series(1, 20000) n`,
		`analyze personal_bests`,
	} {
		_, err := conn.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	const executions, least = 20, 15 // PostgreSQL plans the first five anew
	for i := range executions {
		args := pgx.NamedArgs{"map": fmt.Sprintf("01970000-0000-7000-8000-0aaa%08x", i%10), "limit": 10, "offset": 0}
		_, err := conn.Exec(t.Context(), firstPageSQL, args)
		require.NoError(t, err)
	}
	var kept int
	const plansSQL = `
		select generic_plans from pg_prepared_statements
		where statement like '%personal_bests%' and statement not like '%pg_prepared_statements%'`
	if err := conn.QueryRow(t.Context(), plansSQL).Scan(&kept); err != nil || kept < least {
		t.Errorf("%d of %d executions used the kept plan, want at least %d: %v", kept, executions, least, err)
	}
}
