package postgres

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

// What a release has ranked that kept no frames is counted, and what it took off
// is counted no more.
func TestLeaderboardsOfAnEarlierReleaseAreCountedAnew(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "records", migrations.FS)
	const players, empty = 3000, "01970000-0000-7000-8000-0ccc00000000"
	for _, sql := range []string{
		`insert into maps (id, version, name) values ('` + bigMap + `', 1, 'Skyline')`,
		fmt.Sprintf(`insert into runs (id, map_id, player_id, finish_time, finish_stamp, replay_hash, created_at)
			select gen_random_uuid(), '%s', gen_random_uuid(), 1000 + n / 3, now() + n * interval '1 ms', n::text, now() from generate_series(1, %d) n`,
			bigMap, players),
		`insert into bests select map_id, player_id, id, finish_time, finish_stamp, created_at, 1 from runs`,
		fmt.Sprintf(`insert into map_totals values ('%s', 1, %d, %d), ('%s', 4, 0, 0)`, bigMap, players, players, empty),
		`insert into player_totals select player_id, 1, 1 from runs`,
		`insert into site_totals values ('runs', 3, ` + fmt.Sprint(players) + `)`,
		// Frames that are empty, too full, and of runs that are gone.
		`insert into frames values ('` + bigMap + `', 1001, 0), ('` + bigMap + `', 1002, 9), ('` + empty + `', 1000, 2)`,
		`insert into stretches values ('` + empty + `', 1000, 2)`,
	} {
		pgtest.Exec(t, pool, sql)
	}
	records := NewRecords(pool)
	last := pgtest.Value[string](t, pool, `select id from runs order by finish_time desc, finish_stamp desc limit 1`)
	by := record.Attribution{Operator: "operator", Reason: "edited"}
	first := pgtest.Value[string](t, pool, `select id from runs where finish_time = 1001 limit 1`)
	if _, err := records.Remove(t.Context(), first, by); err == nil {
		t.Fatal("a run of a frame that counts nobody was taken off: the test tests nothing")
	}

	for range 2 { // it may be run again
		if err := records.RecountBoards(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	type count struct {
		MapID          string
		Start, Players int
	}
	wantFrames := pgtest.Rows[count](t, pool, `select map_id, finish_time as start, count(*) as players from bests group by 1, 2 order by 1, 2`)
	if diff := cmp.Diff(wantFrames, pgtest.Rows[count](t, pool, `select map_id, finish_time as start, players from frames order by 1, 2`)); diff != "" {
		t.Errorf("frames (-want +got):\n%s", diff)
	}
	var wantStretches []count
	for _, f := range wantFrames {
		start := stretchOf(f.Start)
		if n := len(wantStretches); n == 0 || wantStretches[n-1].Start != start {
			wantStretches = append(wantStretches, count{MapID: f.MapID, Start: start})
		}
		wantStretches[len(wantStretches)-1].Players += f.Players
	}
	if diff := cmp.Diff(wantStretches, pgtest.Rows[count](t, pool, `select map_id, start, players from stretches order by 1, 2`)); diff != "" {
		t.Errorf("stretches (-want +got):\n%s", diff)
	}
	if entry, err := records.Entry(t.Context(), last); err != nil || entry.Rank != players {
		t.Errorf("the last run has rank %d, want %d: %v", entry.Rank, players, err)
	}
	if _, err := records.Remove(t.Context(), first, by); err != nil {
		t.Errorf("take off a run: %v", err)
	}
}
