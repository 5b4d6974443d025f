package postgres

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

// Every statement uses an index, with the plan that serves all values, and what lies before a
// page is skipped in the index alone.
func TestStore_plans(t *testing.T) {
	t.Parallel()
	pool := manyRecords(t)
	type statement struct{ name, sql, index string }
	statements := []statement{
		{"a map and its total", leaderboardMapSQL, "map_totals_pkey"},
		{"the first page", firstPageSQL, "Index Only Scan using personal_bests_leaderboard"},
		{"a page near the top", pageSQL, "Index Only Scan using personal_bests_leaderboard"},
		{"a page far down", deepPageSQL, "Index Only Scan using personal_bests_leaderboard"},
		{"a player's row", neighboursSQL, "Index Only Scan using personal_bests_pkey"},
		{"the first rows of a leaderboard", topSQL, "Index Only Scan using personal_bests_leaderboard"},
		{"the rows around a player's", neighboursSQL, "Index Only Scan using personal_bests_leaderboard"},
		{"the rows of followed players", followedSQL, "Index Only Scan using personal_bests_pkey"},
		{"a page after a row", afterSQL, "Index Only Scan using personal_bests_leaderboard"},
		{"the size of a listed record's leaderboard", listSQL(false, true, record.Newest), "map_totals_pkey"},
		{"one record", detailsSQL, "records_pkey"},
		{"whether a record is a personal best", detailsSQL, "Index Only Scan using personal_bests_pkey"},
		{"whether listed records are personal bests", listSQL(false, false, record.Newest),
			"Index Only Scan using personal_bests_pkey"},
		{"duplicates by their replay", findDuplicateSQL, "records_replay"},
		{"duplicates by their time stamp", findDuplicateSQL, "records_duplicate_finish"},
		{"the player of an undated duplicate", findDuplicateSQL, "One-Time Filter"},
		{"the same finish on another version", leaderboardStateSQL, "records_duplicate_finish"},
		{"the versions of a game's map", leaderboardStateSQL, "maps_by_game_map_id"},
		{"the personal best before a submission", leaderboardStateSQL, "Index Only Scan using personal_bests_pkey"},
		{"the personal best of a submission", countRecordSQL, "personal_bests_pkey"},
		{"the rank of a submission", bestRankSQL, "Index Only Scan using personal_bests_pkey"},
		{"the best records of players", refreshPersonalBestsSQL, "records_of_player_on_map"},
		{"the personal bests of players", refreshPersonalBestsSQL, "personal_bests_pkey"},
		{"records that may be world records", refreshWorldRecordsSQL, "records_of_player_on_map"},
		{"the players of a leaderboard", playersOnLeaderboardSQL, "Index Only Scan using personal_bests_pkey"},
		{"the world records of maps before and after a change", currentWorldRecordsSQL, "world_records_pkey"},
		{"a record that may have passed players", isActiveRecordSQL, "records_pkey"},
		{"the players whom a record may have passed", passedPlayersSQL, "Index Only Scan using personal_bests_pkey"},
		{"the personal best that a record has replaced", passedPlayersSQL, "records_of_player_on_map"},
		{"an inspected record", inspectSQL, "records_pkey"},
		{"the first record of a player", inspectSQL, "records_of_player_newest"},
		{"the rows next to an inspected record", inspectedNeighboursSQL,
			"Index Only Scan Backward using personal_bests_leaderboard"},
		{"the finishes of a player next to another", adjacentSQL, "records_of_player_finished"},
		{"finishes like another", copiedSQL, "records_duplicate_finish"},
		{"the map data of two replays", sameMapDataSQL, "records_pkey"},
		{"the first record of a map", mapReplaySQL, "first_records_pkey"},
		{"a page of the players of a leaderboard", mapPlayersSQL, "Index Only Scan using personal_bests_pkey"},
		{"the players with records on a map", playersToRestoreSQL, "records_of_player_on_map"},
		{"the players who are on the leaderboard again", playersToRestoreSQL, "personal_bests_pkey"},
		{"the hashes of replays", replayHashesSQL, "records_replay"},
		{"whether a replay is used", usesReplaySQL, "records_replay"},
		{"replays to purge", purgeSQL, "records_replays_to_purge"},
		{"the maps of a merged player", mapsPlayedSQL, "records_removed_of_player"},
		{"the records of a merged player on a map", transferSQL, "records_of_player_on_map"},
		{"the removed records of a merged player on a map", transferRemovedSQL, "records_removed_of_player"},
		{"a map", mapSQL, "maps_pkey"},
		{"a version of a game's map", mapVersionSQL, "maps_by_game_map_id"},
		{"listed maps", statsSQL, "Index Only Scan using maps_listed"},
		{"a player", playerSQL, "players_pkey"},
		{"the totals of maps to lock", lockRepublishedMapsSQL, "map_totals_pkey"},
		{"the totals of maps", republishMapsSQL, "map_totals_pkey"},
		{"the world records of totals", republishMapsSQL, "world_records_pkey"},
		{"the totals of players", republishPlayersSQL, "player_totals_pkey"},
		{"registered players", statsSQL, "Index Only Scan using players_registered"},
		{"the world records of a map", worldRecordsSQL, "world_records_pkey"},
		{"a map's world record", worldRecordSQL, "world_records_pkey"},
		{"the newest world records", newestWorldRecordsSQL, "Index Only Scan Backward using world_records_newest"},
		{"the maps with records", mapsAfterSQL, "map_totals_pkey"},
		{"a player's best before a record", detailsSQL, "records_of_player_on_map"},
		{"the world record before a record", detailsSQL, "world_records_pkey"},
		{"the checks of a record", verificationSQL, "check_lists_pkey"},
		{"a record as evidence", evidenceSQL, "records_pkey"},
		{"the checks of a record as evidence", evidenceSQL, "check_lists_pkey"},
		{"the personal bests of two players", commonMapsSQL, "Index Only Scan using personal_bests_of_player"},
		{"a player's personal bests on maps", progressSQL, "Index Only Scan using personal_bests_pkey"},
		{"the maps that a player has played", playedMapsSQL, "Index Only Scan using personal_bests_of_player"},
		{"the personal bests of a player", playedTimesSQL, "Index Only Scan using personal_bests_of_player"},
		{"the first ranks on played maps", playedFirstSQL, "Index Only Scan using personal_bests_of_player"},
		{"the ranks on played maps", playedRanksSQL, "Index Only Scan using personal_bests_leaderboard"},
		{"older versions of maps", progressSQL, "maps_by_game_map_id"},
		{"the world records of maps", progressSQL, "world_records_pkey"},
		{"the row above a record", detailsSQL, "Index Only Scan Backward using personal_bests_leaderboard"},
		{"the personal bests of a player", standingsSQL, "Index Only Scan using personal_bests_of_player"},
		{"the ranks of a player", standingsSQL, "Index Only Scan using personal_bests_leaderboard"},
		{"the listed maps by mode", listedMapsSQL, "Index Only Scan using maps_listed"},
		{"the world records of a player", reignsSQL, "Index Only Scan using world_records_of_player"},
		{"the world records of a player's maps", reignsSQL, "world_records_pkey"},
		{"the lost world records of a player", lostWorldRecordsSQL, "Index Only Scan using world_records_of_player"},
		{"the world records that were lost", lostWorldRecordsSQL, "world_records_pkey"},
		{"the records of a player by month", monthsSQL, "Index Only Scan using records_of_player_newest"},
		{"the maps on which a player has improved", improvedMapsSQL, "Index Only Scan using personal_bests_of_player"},
		{"the records before a personal best", improvedMapsSQL, "records_of_player_on_map"},
		{"the candidates of a player", candidatesSQL, "Index Only Scan using personal_bests_of_player"},
		{"the rows above a player's", candidatesSQL, "Index Only Scan Backward using personal_bests_leaderboard"},
		{"the goals of a player", completeGoalsSQL, "Index Only Scan using personal_bests_pkey"},
		{"the easiest maps", easiestMapsSQL, "Index Only Scan using map_totals_easiest"},
		{"the easiest maps for a player", easiestUnplayedSQL, "using map_totals_easiest"},
		{"the maps that a player has finished", easiestUnplayedSQL, "records_of_player_on_map"},
		{"goals put aside", easiestUnplayedSQL, "goals_put_aside_pkey"},
		{"goals of a merged player", transferPutAsideSQL, "goals_put_aside_pkey"},
		{"goals to purge", purgePutAsideSQL, "goals_put_aside_until"},
		{"the record to restore", restorationEffectsSQL, "records_pkey"},
		{"the world record that a restored one replaces", restorationEffectsSQL, "world_records_pkey"},
		{"the records of a player to show", showingEffectsSQL, "records_of_player_"},
		{"the records of a map to restore", restoredMapSQL, "records_of_player_on_map"},
		{"the record to remove", removalEffectsSQL, "records_pkey"},
		{"the next-best record", removalEffectsSQL, "records_of_player_on_map"},
		{"the world record to lose", removalEffectsSQL, "world_records_pkey"},
		{"the fastest of the others", removalEffectsSQL, "Index Only Scan using personal_bests_leaderboard"},
		{"the leaderboards of a player to hide", hidingEffectsSQL, "personal_bests_of_player"},
		{"the world records of a player to hide", hidingEffectsSQL, "world_records_of_player"},
		{"the map to remove", mapEffectsSQL, "map_totals_pkey"},
		{"the medals of a player who is not counted", countMedalsSQL, "personal_bests_pkey"},
		{"the improvements on a map", improvementsSQL, "records_of_player_on_map"},
		{"the points of a leaderboard's rows", firstPageSQL, "record_points_pkey"},
		{"changed maps", changedPointsMapsSQL, "points_map_changes_pkey"},
		{"changes of maps", takePointsMapsSQL, "points_map_changes_of_map"},
		{"passed players", applyPointsSQL, "points_passed_map"},
		{"the players of a changed map", takePointsMapsSQL, "personal_bests"},
		{"the points of maps", applyPointsSQL, "record_points_pkey"},
		{"the leaderboards of maps", applyPointsSQL, "personal_bests"},
		{"changed players", changedPointsPlayersSQL, "points_player_changes_pkey"},
		{"changes of players", takePointsPlayersSQL, "points_player_changes_of_player"},
		{"what players have finished", applyPointsPlayersSQL, "Index Only Scan using personal_bests_of_player"},
		{"the personal bests of ranked players", applyRankingsSQL, "Index Only Scan using personal_bests_of_player"},
		{"the points of ranked players", applyRankingsSQL, "record_points"},
		{"the rankings of players", applyRankingsSQL, "rankings"},
		{"the oldest change", pointsAsOfSQL, "points_map_changes_oldest"},
		{"the oldest change for a player", playerAsOfSQL, "points_player_changes_usual"},
		{"the oldest change of a map", mapAsOfSQL, "points_player_changes_usual"},
		{"a ranking", rankingSQL, "Index Only Scan using rankings_ordered"},
		{"what ranked players have reached", rankingSQL, "rankings_pkey"},
		{"the days of ranked players", rankingSQL, "points_days_pkey"},
		{"the players of a ranking", rankingTotalSQL, "ranking_counts_pkey"},
		{"the rows above a player", rowsAboveSQL, "rankings_pkey"},
		{"the maps of a player by points", playerMapsSQL, "record_points_pkey"},
		{"the modes of a player", playerModesSQL, "Scan using rankings_"},
		{"what a player has reached", playerReachedSQL, "rankings_pkey"},
		{"the points of a player a week ago", pointsBeforeSQL, "points_before_pkey"},
		{"the rank of a player a week ago", dayRankSQL, "points_days_pkey"},
		{"the days of a player", pointsDaysSQL, "points_days_pkey"},
		{"whether a player counts", playerCountsSQL, "points_players_pkey"},
		{"the finishers of a map", mapFinishersSQL, "points_maps_pkey"},
		{"players to compute", pointsPlayersAfterSQL, "points_players_pkey"},
		{"ranked players to compute", rankedPlayersAfterSQL, "rankings_of_player"},
		{"maps to compute", pointsMapsAfterSQL, "map_totals_pkey"},
		{"points of earlier weeks", deletePointsBeforeSQL, "points_before_day"},
		{"the players of a month", queueMonthSQL, "Index Only Scan using records_newest"},
	}
	for _, l := range []struct {
		ofPlayer bool
		sort     record.Sort
		index    string
	}{
		{false, record.Sort{By: record.ByUpdated}, "Index Only Scan using records_newest"},
		{false, record.Newest, "Index Only Scan Backward using records_newest"},
		{false, record.Sort{By: record.ByTime}, "Index Only Scan using records_fastest"},
		{false, record.Sort{By: record.ByTime, Descending: true}, "Index Only Scan Backward using records_fastest"},
		{true, record.Sort{By: record.ByUpdated}, "Index Only Scan using records_of_player_newest"},
		{true, record.Newest, "Index Only Scan Backward using records_of_player_newest"},
		{true, record.Sort{By: record.ByTime}, "Index Only Scan using records_of_player_fastest"},
		{true, record.Sort{By: record.ByTime, Descending: true}, "Index Only Scan Backward using records_of_player_fastest"},
	} {
		for _, after := range []bool{false, true} {
			name := fmt.Sprintf("list %+v, after a record: %v", l, after)
			statements = append(statements, statement{name, listSQL(l.ofPlayer, after, l.sort), l.index})
		}
	}
	for _, s := range statements {
		plan := pgtest.GenericPlan(t, pool, s.sql)
		for _, table := range []string{"records", "personal_bests", "rank_counts", "player_totals", "players",
			"world_records", "check_lists", "goals_put_aside", "record_points", "first_records",
			"rankings", "ranking_counts", "points_players",
			"points_maps", "points_days", "points_before", "points_map_changes", "points_player_changes",
			"points_passed"} {
			if strings.Contains(plan, "Seq Scan on "+table) {
				t.Errorf("%s reads all of %s:\n%s", s.name, table, plan)
			}
		}
		if !strings.Contains(plan, s.index) {
			t.Errorf("%s does not use %s:\n%s", s.name, s.index, plan)
		}
	}

	t.Run("page at any offset", func(t *testing.T) {
		store := NewStore(pool)
		for _, offset := range []int{0, 10, maxScannedOffset, maxScannedOffset + 1, 4_990, 50_000, 99_995, 100_000, 200_000} {
			page, err := store.Leaderboard(t.Context(),
				record.Leaderboard{MapID: bigMap, Page: record.Page{Offset: offset, Limit: 10}})
			if err != nil {
				t.Fatal(err)
			}
			if page.Total != bigMapRecords {
				t.Errorf("the total is %d", page.Total)
			}
			var got []string
			for i, e := range page.Records {
				got = append(got, e.ID)
				if e.Rank != int64(offset+i+1) {
					t.Errorf("offset %d: row %d has rank %d", offset, i, e.Rank)
				}
			}
			rows, err := pool.Query(t.Context(), `
				select record_id from personal_bests where map_id = $1
				order by finish_time, finished_at, record_id limit 10 offset $2`, bigMap, offset)
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

const (
	bigMap        = "01970000-0000-7000-8000-0aaa00000001"
	bigMapRecords = 100_000
)

// playerID is the id of the nth player of manyRecords.
func playerID(n int) string { return fmt.Sprintf("01970000-0000-7000-8000-0bbb%08x", n) }

// manyRecords returns a database with 100,000 records of as many players on one map and 40,000
// on 20,000 others, of which some are removed.
func manyRecords(tb testing.TB) *postgres.Pool {
	tb.Helper()
	return pgtest.Open(tb, "many records", migrations.FS, insertRecords)
}

func insertRecords(ctx context.Context, pool *postgres.Pool) error {
	const id = `('01970000-0000-7000-8000-0%s' || lpad(to_hex(%s), 8, '0'))::uuid`
	mapID := fmt.Sprintf(id, "aaa", "(case when n <= 100000 then 1 else 2 + n %% 20000 end)::int")
	mapID = strings.ReplaceAll(mapID, "%%", "%")
	player, recordID := fmt.Sprintf(id, "bbb", "(1 + (n - 1) % 100000)::int"), fmt.Sprintf(id, "ccc", "n")
	for _, sql := range []string{
		`insert into maps (id, version, name, game_map_id, removed)
			select ` + fmt.Sprintf(id, "aaa", "n") + `, 1, 'map ' || n, n, n % 1000 = 0 from generate_series(1, 20001) n`,
		`insert into players (id, version, name, registered)
			select ` + fmt.Sprintf(id, "bbb", "n") + `, 1, 'player ' || n, true from generate_series(1, 100000) n`,
		// Finish times as on a map of 40 seconds: few are nearly perfect, most take a minute or two, some far longer.
		`insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at)
			select ` + recordID + `, ` + mapID + `, ` + player + `,
				round(round(30 * (40 + 30 * (u + v) / (1.01 - u * v))) * 1000 / 30)::int,
				timestamptz '2026-01-01' + n * interval '1 minute', md5(n::text), timestamptz '2026-01-02' + n * interval '1 minute'
			from generate_series(1, 140000) n,
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
		`insert into points_maps (map_id, finishers) select map_id, 0 from map_totals`,
		`insert into record_points (map_id, player_id, opponents, slower, tied, points, world_record)
			select map_id, player_id, 0, 0, 0, 0, false from personal_bests`,
		`insert into rankings (period, mode, player_id, kind, value)
			select period, '', player_id, kind, 1 + abs(hashtextextended(player_id::text, 0)) % 190000
			from player_totals cross join (values ('all'), ('2026-05')) p (period)
				cross join (values ('points'), ('finished')) k (kind)`,
		`insert into points_days (player_id, day, points, rank)
			select player_id, date '2026-05-01' + d, 1, 1 from player_totals cross join generate_series(1, 2) d`,
		`insert into points_before (player_id, map_id, day, points)
			select player_id, map_id, date '2026-05-01' + records, 1 from personal_bests`,
		`insert into points_passed (map_id, record_id, player_id) select map_id, record_id, player_id from personal_bests`,
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
		"ranking_counts", "points_players", "points_maps", "points_days", "points_before", "points_map_changes",
		"points_player_changes", "points_passed")
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
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	const executions, least = 20, 15 // PostgreSQL plans the first five anew
	for i := range executions {
		args := pgx.NamedArgs{"map": fmt.Sprintf("01970000-0000-7000-8000-0aaa%08x", i%10), "limit": 10, "offset": 0}
		if _, err := conn.Exec(t.Context(), firstPageSQL, args); err != nil {
			t.Fatal(err)
		}
	}
	var kept int
	const plansSQL = `
		select generic_plans from pg_prepared_statements
		where statement like '%personal_bests%' and statement not like '%pg_prepared_statements%'`
	if err := conn.QueryRow(t.Context(), plansSQL).Scan(&kept); err != nil || kept < least {
		t.Errorf("%d of %d executions used the kept plan, want at least %d: %v", kept, executions, least, err)
	}
}
