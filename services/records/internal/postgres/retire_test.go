package postgres

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

// A map with many players is taken out of the totals some players at a time. It
// may be cut off in between, and is told again.
func TestAMapWithManyPlayersIsTakenOutOfTheTotals(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "records", migrations.FS)
	const players = 2*retireBatch + 100
	for _, sql := range []string{
		`insert into maps (id, version, name) values ('` + bigMap + `', 1, 'Skyline')`,
		fmt.Sprintf(`insert into runs (id, map_id, player_id, finish_time, finish_stamp, replay_hash, created_at)
			select gen_random_uuid(), '%s', gen_random_uuid(), 1000 + n, now(), n::text, now() from generate_series(1, %d) n`, bigMap, players),
		`insert into bests select map_id, player_id, id, finish_time, finish_stamp, created_at, 1 from runs`,
		`insert into stretches select map_id, 1000, count(*) from runs group by 1`,
		`insert into frames select map_id, finish_time, count(*) from runs group by 1, 2`,
		`insert into map_totals select map_id, 1, count(*), count(*) from runs group by 1`,
		// Each has a run on another map, too.
		`insert into player_totals select player_id, 1, 2 from runs`,
		fmt.Sprintf(`insert into site_totals values ('runs', 3, %d), ('maps', 0, 1)`, 2*players),
	} {
		pgtest.Exec(t, pool, sql)
	}
	err := postgres.InTx(t.Context(), pool, func(tx pgx.Tx) error {
		more, err := retireSome(t.Context(), tx, bigMap)
		if !more {
			t.Error("the first part was all")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	copies := NewCopies(pool)
	for range 2 {
		if err := copies.TakeMap(t.Context(), record.Map{ID: bigMap, Version: 2, Removed: true}); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		what, sql string
		want      int
	}{
		{"rows of the leaderboard", `select count(*) from bests`, 0},
		{"stretches", `select count(*) from stretches`, 0},
		{"frames", `select count(*) from frames`, 0},
		{"runs of the map", `select runs from map_totals`, 0},
		{"players with the one run that is left", `select count(*) from player_totals where runs = 1 and version = 2`, players},
		{"runs of the site", `select sum(count) from site_totals where total = 'runs'`, players},
		{"maps of the site", `select sum(count) from site_totals where total = 'maps'`, 0},
		{"runs that are kept", `select count(*) from runs`, players},
		{"news of the map", `select count(*) from outbox where subject = '` + event.MapStatsPrefix + bigMap + `'`, 1},
		{"news of players", `select count(distinct subject) from outbox where starts_with(subject, '` + event.PlayerStatsPrefix + `')`, players},
	} {
		var got int
		if err := pool.QueryRow(t.Context(), tt.sql).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != tt.want {
			t.Errorf("%s: %d, want %d", tt.what, got, tt.want)
		}
	}
}
