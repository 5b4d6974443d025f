package postgres

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/replaycheck"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

// BenchmarkStore_Leaderboard reads pages and ranks of a leaderboard with 100,000 rows.
func BenchmarkStore_Leaderboard(b *testing.B) {
	pool := manyRecords(b)
	store := NewStore(pool)
	for _, bench := range []struct {
		name   string
		offset int
	}{{"page 1", 0}, {"page 500", 4_990}, {"page 5000", 49_990}, {"last page", bigMapRecords - 10}} {
		b.Run(bench.name, func(b *testing.B) {
			q := record.Leaderboard{MapID: bigMap, Page: record.Page{Offset: bench.offset, Limit: 10}}
			for b.Loop() {
				if page, err := store.Leaderboard(b.Context(), q); err != nil || len(page.Records) != 10 {
					b.Fatal(len(page.Records), err)
				}
			}
		})
	}
	b.Run("a player's row", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			q := record.Leaderboard{MapID: bigMap, PlayerID: playerID(1 + i*7919%bigMapRecords), Page: record.Page{Limit: 10}}
			if page, err := store.Leaderboard(b.Context(), q); err != nil || len(page.Records) != 1 {
				b.Fatal(len(page.Records), err)
			}
		}
	})
	b.Run("newest records", func(b *testing.B) {
		for b.Loop() {
			if _, err := store.List(b.Context(), record.List{Sort: record.Newest, Page: record.Page{Limit: 5}}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkStore_Submit submits records concurrently: on one map, where they wait for each other, and
// on many.
func BenchmarkStore_Submit(b *testing.B) {
	for _, maps := range []int{1, 1000} {
		b.Run(fmt.Sprintf("maps=%d", maps), func(b *testing.B) {
			pool := pgtest.Open(b, "records", migrations.FS)
			store := NewStore(pool)
			var n atomic.Int64
			checks := make(replaycheck.List, 12)
			for i := range checks {
				checks[i] = replaycheck.Check{Name: replaycheck.MapUnchanged, Result: replaycheck.Passed}
			}
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					i := int(n.Add(1))
					r := record.Record{
						ID: uuid.Must(uuid.NewV7()).String(),
						MapID: fmt.Sprintf("01970000-0000-7000-8000-0aaa%08x",
							i%maps),
						PlayerID:        playerID(i % 500),
						FinishTime:      40_000 + i*7919%90_000,
						FinishTimeStamp: time.UnixMilli(int64(i)),
						ReplayHash:      fmt.Sprint(i),
						CreatedAt:       now(),
					}
					accepted := record.Accepted{
						Record: r, GameMapID: int64(1 + i%maps), Checks: checks,
						Replay: pgtest.PendingUpload(b, pool, "replays/any.lbReplay"),
					}
					if _, err := store.Submit(b.Context(), accepted); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
