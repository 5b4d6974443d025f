package postgres

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/google/uuid"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

// walkedRecords is how many records are walked: WALK_RECORDS. A million takes some minutes.
func walkedRecords(tb testing.TB) int {
	tb.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("WALK_RECORDS"), "100000"))
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// walkPlayer has every thousandth record of manyWalked.
const walkPlayer = "01970000-0000-7000-8000-0bbb00000000"

// manyWalked returns a database with n records, ten thousand on the map bigMap and the others on maps with fifty each.
func manyWalked(tb testing.TB, n int) *postgres.Pool {
	tb.Helper()
	const id = `('01970000-0000-7000-8000-0%s' || lpad(to_hex(%s), 8, '0'))::uuid`
	mapID := fmt.Sprintf(id, "aaa", "case when n <= 10000 then 1 else 1 + n / 50 end")
	template := "walked records " + strconv.Itoa(n)
	return pgtest.Open(tb, template, migrations.FS, func(ctx context.Context, pool *postgres.Pool) error {
		for _, sql := range []string{
			`insert into maps (id, version, name, game_map_id)
				select ` + fmt.Sprintf(id, "aaa", "n") + `, 1, 'map ' || n, n from generate_series(1, ` + strconv.Itoa(1+n/50) + `) n`,
			// Several records have the same time of acceptance, or the same finish.
			`insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at)
				select ` + fmt.Sprintf(id, "ccc", "n") + `, ` + mapID + `, ` + fmt.Sprintf(id, "bbb", "n % 1000") + `,
					10000 + abs(hashint4(n)::bigint) % 60000, timestamptz '2026-01-01' + n * interval '1 minute', md5(n::text),
					timestamptz '2026-01-02' + n / 3 * interval '1 minute'
				from generate_series(1, ` + strconv.Itoa(n) + `) n`,
			`insert into map_totals (map_id, version, records, players) select map_id, 1, count(*), 0 from records group by 1`,
			`insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
				select distinct on (map_id, player_id) map_id, player_id, id, finish_time, finished_at, created_at,
					count(*) over (partition by map_id, player_id)
				from records order by map_id, player_id, finish_time, seq`,
			`insert into player_totals (player_id, version, records) select player_id, 1, count(*) from records group by 1`,
			`truncate points_map_changes, points_player_changes`,
		} {
			if _, err := pool.Exec(ctx, sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		return pgtest.Vacuum(ctx, pool, "records", "maps", "map_totals", "personal_bests", "rank_counts", "player_totals")
	})
}

// Every list is read to its end after the last record of each page. While records are inserted and removed, the others
// are read once each.
func TestStore_walk(t *testing.T) {
	t.Parallel()
	n := walkedRecords(t)
	pool := manyWalked(t, n)
	store := NewStore(pool)
	newest := func(sort record.Sort, player string) func(*record.Position) (record.RankedList, record.SortBy, error) {
		return func(after *record.Position) (record.RankedList, record.SortBy, error) {
			list, err := store.List(t.Context(), record.List{
				PlayerID: player, Sort: sort, After: after, Page: record.Page{Limit: 100},
			})
			return list, sort.By, err
		}
	}
	for _, walk := range []struct {
		name string
		page func(after *record.Position) (record.RankedList, record.SortBy, error)
		want int
	}{
		{"newest first", newest(record.Newest, ""), n},
		{"of a player, oldest first", newest(record.Sort{By: record.ByUpdated}, walkPlayer), n / 1000},
		{"of a player, newest first", newest(record.Newest, walkPlayer), n / 1000},
		{"of a player, fastest first", newest(record.Sort{By: record.ByTime}, walkPlayer), n / 1000},
		{"of a player, slowest first", newest(record.Sort{By: record.ByTime, Descending: true}, walkPlayer), n / 1000},
		{"a leaderboard", func(after *record.Position) (record.RankedList, record.SortBy, error) {
			list, err := store.Leaderboard(t.Context(), record.Leaderboard{
				MapID: bigMap, After: after, Page: record.Page{Limit: 7},
			})
			return list, record.ByTime, err
		}, 1000},
	} {
		t.Run(walk.name, func(t *testing.T) {
			seen, last := map[string]bool{}, record.RankedRecord{}
			var after *record.Position
			for hasNext := true; hasNext; {
				list, by, err := walk.page(after)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range list.Records {
					if seen[r.ID] {
						t.Fatalf("%s was read before", r.ID)
					}
					seen[r.ID] = true
					if walk.name == "a leaderboard" {
						if r.Rank != int64(len(seen)) || r.Of != 1000 ||
							len(seen) > 1 && (r.Gap == nil || r.Gap.ToAbove != r.FinishTime-last.FinishTime) {
							t.Fatalf("row %d: %+v", len(seen), r)
						}
					}
					last = r
				}
				if hasNext = list.HasNext; hasNext {
					position := record.PositionOf(last.Record, by)
					after = &position
				}
			}
			if len(seen) != walk.want {
				t.Errorf("%d records were read, want %d", len(seen), walk.want)
			}
		})
	}
	t.Run("while records are inserted and removed", func(t *testing.T) { walkChanging(t, pool, store) })
}

// walkChanging walks the leaderboard of bigMap and the records of a player, while others are submitted and removed.
func walkChanging(t *testing.T, pool *postgres.Pool, store *Store) {
	t.Helper()
	ofPlayer := record.List{PlayerID: walkPlayer, Sort: record.LeaderboardSort, Page: record.Page{Limit: 1000}}
	all, err := store.List(t.Context(), ofPlayer)
	if err != nil {
		t.Fatal(err)
	}
	players := map[string]bool{}
	for i := range 1000 {
		players[playerID(i)] = true
	}
	for _, walk := range []struct {
		name string
		page func(after *record.Position) (record.RankedList, error)
		key  func(record.RankedRecord) string
		keep map[string]bool
	}{
		{"a player", func(after *record.Position) (record.RankedList, error) {
			ofPlayer.After, ofPlayer.Limit = after, 3
			return store.List(t.Context(), ofPlayer)
		}, func(r record.RankedRecord) string { return r.ID }, idsOf(all.Records)},
		{"a leaderboard", func(after *record.Position) (record.RankedList, error) {
			return store.Leaderboard(t.Context(), record.Leaderboard{MapID: bigMap, After: after, Page: record.Page{Limit: 10}})
		}, func(r record.RankedRecord) string { return r.PlayerID }, players},
	} {
		stop := make(chan struct{})
		var changes sync.WaitGroup
		changes.Go(func() { changeRecords(t, pool, store, stop) })
		for range 3 {
			read, ranks := map[string]int{}, int64(0)
			var after *record.Position
			for hasNext := true; hasNext; {
				list, err := walk.page(after)
				if err != nil {
					t.Error(err)
					break
				}
				for _, r := range list.Records {
					read[walk.key(r)]++
					ranks = max(ranks, r.Rank)
				}
				if hasNext = list.HasNext; hasNext {
					position := record.PositionOf(list.Records[len(list.Records)-1].Record, record.ByTime)
					after = &position
				}
			}
			kept := 0
			for key, times := range read {
				if times > 1 {
					t.Errorf("%s: %s was read %d times", walk.name, key, times)
				}
				if walk.keep[key] {
					kept++
				}
			}
			if kept != len(walk.keep) {
				t.Errorf("%s: %d of the %d that were there all the time were read", walk.name, kept, len(walk.keep))
			}
			if ranks == 0 {
				t.Errorf("%s: nothing has a rank", walk.name)
			}
		}
		close(stop)
		changes.Wait()
	}
}

func idsOf(records []record.RankedRecord) map[string]bool {
	ids := map[string]bool{}
	for _, r := range records {
		ids[r.ID] = true
	}
	return ids
}

// changeRecords submits records of other players on bigMap, and of walkPlayer on another map, and removes every second
// of them, until stop is closed.
func changeRecords(t *testing.T, pool *postgres.Pool, store *Store, stop <-chan struct{}) {
	t.Helper()
	otherMap := uuid.Must(uuid.NewV7()).String()
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		for _, of := range []struct{ mapID, player string }{
			{bigMap, uuid.Must(uuid.NewV7()).String()}, {otherMap, walkPlayer},
		} {
			r := record.Record{
				ID: uuid.Must(uuid.NewV7()).String(), MapID: of.mapID, PlayerID: of.player, FinishTime: 10_000 + i*977%60_000,
				FinishTimeStamp: now(), ReplayHash: uuid.NewString(), CreatedAt: now(),
			}
			accepted := record.Accepted{Record: r, GameMapID: 1, Replay: pgtest.PendingUpload(t, pool, "replays/any.lbReplay")}
			if _, err := store.Submit(t.Context(), accepted); err != nil {
				t.Error(err)
				return
			}
			if i%2 == 0 {
				by := access.Attribution{Actor: access.Operator("root"), Reason: "a test"}
				if _, err := store.Remove(t.Context(), r.ID, by); err != nil {
					t.Error(err)
					return
				}
			}
		}
	}
}
