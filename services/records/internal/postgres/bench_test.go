package postgres

import (
	"fmt"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/points"
)

// bigMapRecords is how many records benchmarks have on bigMap.
const bigMapRecords = 100_000

// BenchmarkStore_Leaderboard reads the first page of maps in turn, and page 500 of one, beside the empty statement.
func BenchmarkStore_Leaderboard(b *testing.B) {
	const maps = 1000
	pool := manyRecords(b, 10_000, 40_000, 20)
	store := NewStore(pool)
	_, err := pool.Exec(b.Context(), `select count(rebuild_world_records(map_id)) from map_totals`)
	require.NoError(b, err)
	b.Run("empty statement", func(b *testing.B) {
		for b.Loop() {
			_, err := pool.Exec(b.Context(), "select $1::text", bigMap)
			require.NoError(b, err)
		}
	})
	for name, page := range map[string]leaderboard.Page{"page 1": {Limit: 10}, "page 500": {Limit: 10, Offset: 4990}} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				q := leaderboard.Leaderboard{MapID: bigMap, Page: page}
				if page.Offset == 0 {
					q.MapID = fmt.Sprintf("01970000-0000-7000-8000-0aaa%08x", 3+i%maps)
				}
				list, err := store.Leaderboard(b.Context(), q)
				if err != nil || len(list.Records) != page.Limit {
					b.Fatal(len(list.Records), err)
				}
			}
		})
	}
}

// BenchmarkStore_Player reads what a player with 5,000 personal bests on 20,000 maps has reached, and may play next.
func BenchmarkStore_Player(b *testing.B) {
	pool := manyRecords(b, bigMapRecords, 40_000, 2)
	store, player, at := NewStore(pool), playerID(bigMapRecords+1), postgres.Now()
	for _, sql := range []string{
		// First all slower records, so that each personal best is an improvement.
		`insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at,
			checks_hash, map_data_hash)
			select gen_random_uuid(), id, '` + player + `', 45000 + game_map_id % 900 * 100 + slower, now(),
				md5(slower || ' ' || id), now() - game_map_id * interval '1 hour', '', ''
			from (select * from maps where not removed and id <> '` + bigMap + `' order by id limit 5000) m,
				unnest(array[2000, 1000, 0]) with ordinality as times (slower, n)
			order by n`,
		`insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
			select distinct on (map_id) map_id, player_id, id, finish_time, finished_at, created_at, 3
			from records where player_id = '` + player + `'
			order by map_id, finish_time`,
		`select count(rebuild_world_records(map_id)) from map_totals where map_id <> '` + bigMap + `'`,
		`update maps set medal_author = 30000, medal_gold = 60000, medal_silver = 90000, medal_bronze = 120000`,
		`vacuum analyze`,
	} {
		_, err := pool.Exec(b.Context(), sql)
		require.NoError(b, err)
	}
	b.Run("statistics", func(b *testing.B) {
		for b.Loop() {
			records, err := store.PlayerRecords(b.Context(), player, at.AddDate(-2, 0, 0), at)
			if err != nil || len(records.Standings) != 5000 || records.WorldRecords.Ever == 0 {
				b.Fatal(len(records.Standings), records.WorldRecords, err)
			}
		}
	})
	b.Run("goals", func(b *testing.B) {
		for b.Loop() {
			candidates, err := store.Candidates(b.Context(), player, at)
			if err != nil || len(candidates) != 5000 {
				b.Fatal(len(candidates), err)
			}
			goals, err := store.CompleteGoals(b.Context(), player, leaderboard.NearestGoals(candidates))
			if err != nil || len(goals) != leaderboard.MaxGoals {
				b.Fatal(goals, err)
			}
		}
	})
	b.Run("easiest maps", func(b *testing.B) {
		for b.Loop() {
			if maps, err := store.EasiestUnplayed(b.Context(), player, at); err != nil || len(maps) != leaderboard.MaxGoals {
				b.Fatal(maps, err)
			}
		}
	})
	b.Run("improved maps", func(b *testing.B) {
		for b.Loop() {
			improved, err := store.ImprovedMaps(b.Context(), player, leaderboard.Page{Offset: 2000, Limit: 10})
			if err != nil || improved.Total != 5000 || len(improved.Maps) != 10 {
				b.Fatal(improved, err)
			}
		}
	})
	b.Run("played maps", func(b *testing.B) {
		for b.Loop() {
			if ids, err := store.PlayedMaps(b.Context(), player, 40_000); err != nil || len(ids) != 16*5000 {
				b.Fatal(len(ids), err)
			}
		}
	})
	for name, ranks := range map[string]leaderboard.Ranks{
		"personal bests": leaderboard.NoRanks, "personal bests with first ranks": leaderboard.FirstRank,
		"personal bests with ranks": leaderboard.AllRanks,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if played, err := store.Played(b.Context(), player, ranks, 40_000); err != nil || len(played) != 5000 {
					b.Fatal(len(played), err)
				}
			}
		})
	}
	b.Run("comparison", func(b *testing.B) {
		for b.Loop() {
			if common, err := store.CommonMaps(b.Context(), player, playerID(2)); err != nil {
				b.Fatal(common, err)
			}
		}
	})
}

// BenchmarkStore_Points computes the points of maps, with the rankings of all their players, after the slowest
// player has become the fastest, and reads pages of a ranking of 100,000 players.
func BenchmarkStore_Points(b *testing.B) {
	pool := manyRecords(b, bigMapRecords, 40_000, 2)
	store, thresholds := NewStore(pool), points.Thresholds{Finishers: 5, Maps: 1, Authors: 1}
	compute := func(b *testing.B) (computed leaderboard.ComputedPoints) {
		b.Helper()
		for {
			n, err := store.ComputePoints(b.Context(), thresholds, postgres.Now().Add(time.Hour)) // also large leaderboards
			require.NoError(b, err)
			if n == (leaderboard.ComputedPoints{}) {
				return computed
			}
			computed.Maps, computed.Players = computed.Maps+n.Maps, computed.Players+n.Players
		}
	}
	ranking := leaderboard.Ranking{Kind: points.ByPoints}
	for _, page := range []int{1, 500} {
		b.Run(fmt.Sprintf("page %d", page), func(b *testing.B) {
			for b.Loop() {
				rows := leaderboard.Page{Offset: (page - 1) * 50, Limit: 50}
				found, err := store.Ranking(b.Context(), ranking, rows, points.Thresholds{}, postgres.Now())
				if err != nil || len(found.Rows) != 50 || found.Total != bigMapRecords {
					b.Fatal(len(found.Rows), found.Total, err)
				}
			}
		})
	}
	for _, sql := range []string{
		`truncate points_changes`,
		`update maps set author_id = '` + playerID(1) + `'`,
		`insert into maps (id, version, name, game_map_id, author_id)
			select gen_random_uuid(), 1, 'finishers', 1000000 + n, '` + playerID(1) + `' from generate_series(0, 200) n`,
		`insert into map_totals (map_id, version, records, players)
			select id, 1, 0, 0 from maps where game_map_id >= 1000000 on conflict do nothing`,
		`insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
			select m.id, p.player_id, p.record_id, p.finish_time, p.finished_at, p.created_at, 1
			from maps m cross join lateral (
				select * from personal_bests where map_id = '` + bigMap + `' order by player_id
				limit case m.game_map_id when 1000000 then 10000 else 10 end offset (m.game_map_id - 1000000) * 10
			) p
			where m.game_map_id >= 1000000`,
		`analyze`,
	} {
		_, err := pool.Exec(b.Context(), sql)
		require.NoError(b, err)
	}
	b.Run("rebuild", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, store.RebuildPoints(b.Context(), thresholds, postgres.Now()))
		}
	})
	compute(b)
	for _, part := range []struct{ name, maps string }{
		{"10 finishers", "game_map_id > 1000000"}, {"10,000 finishers", "game_map_id = 1000000"},
	} {
		b.Run(part.name, func(b *testing.B) {
			var computed leaderboard.ComputedPoints
			for b.Loop() {
				b.StopTimer()
				if _, err := pool.Exec(b.Context(), `
					with slowest as (
						select distinct on (map_id) map_id, player_id from personal_bests
						where map_id in (select id from maps where `+part.maps+`) order by map_id, finish_time desc
					), changed as (
						update personal_bests b set finish_time = f.fastest - 1
						from slowest s cross join lateral (
							select min(finish_time) as fastest from personal_bests where map_id = s.map_id
						) f
						where b.map_id = s.map_id and b.player_id = s.player_id
					)
					insert into points_changes (map_id) select map_id from slowest`); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				n := compute(b)
				computed.Maps, computed.Players = computed.Maps+n.Maps, computed.Players+n.Players
			}
			b.ReportMetric(float64(computed.Maps)/b.Elapsed().Seconds(), "maps/s")
			b.ReportMetric(float64(computed.Players)/b.Elapsed().Seconds(), "players/s")
		})
	}
}
