package postgres_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

// wantWorldRecords fails unless the world records of the map were those, as "player time", and the
// map's last published state has the last of them. It then rebuilds them, which changes nothing.
func (w *world) wantWorldRecords(m record.Map, want ...string) {
	w.t.Helper()
	for _, when := range []string{"kept", "rebuilt"} {
		all, err := w.WorldRecords(w.t.Context(), m.ID)
		w.must(err)
		lines, published := []string{}, "none"
		for _, r := range all {
			lines = append(lines, fmt.Sprintf("%s %d", r.Player.Name, r.FinishTime))
			published = fmt.Sprintf("%s %s %d %v", r.ID, r.Player.ID, r.FinishTime, r.Since)
		}
		if diff := cmp.Diff(want, lines, cmpopts.EquateEmpty()); diff != "" {
			w.t.Errorf("world records, %s (-want +got):\n%s", when, diff)
		}
		if got := w.publishedWorldRecord(m); got != published {
			w.t.Errorf("the published world record is %s, want %s", got, published)
		}
		w.must(w.RebuildWorldRecords(w.t.Context()))
	}
}

// publishedWorldRecord returns the world record of the map's last state in the outbox.
func (w *world) publishedWorldRecord(m record.Map) string {
	w.t.Helper()
	published := "none"
	for _, message := range outboxtest.All(w.t, w.pool) {
		if message.Subject != event.MapStatsPrefix+m.ID {
			continue
		}
		published = "none"
		if r := outboxtest.Data[event.MapStats](w.t, message).WorldRecord; r != nil {
			published = fmt.Sprintf("%s %s %d %v", r.RecordID, r.PlayerID, r.FinishTime, r.At)
		}
	}
	return published
}

// A record may be accepted after one that was submitted later.
func TestStore_WorldRecords_since(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, a := w.newMap("m", racetime.Medals{}), w.newPlayer("a")
	late, early := w.record(m, a, 900), w.record(m, a, 867)
	early.CreatedAt = late.CreatedAt.Add(-duration(5))
	for _, r := range []record.Record{late, early} {
		_, err := w.submit(r)
		w.must(err)
	}
	w.wantWorldRecords(m, "a 900", "a 867")
	all, err := w.WorldRecords(t.Context(), m.ID)
	w.must(err)
	for _, r := range all {
		if !r.Since.Equal(late.CreatedAt) {
			t.Errorf("a world record since %v, want %v", r.Since, late.CreatedAt)
		}
	}
}

func TestStore_WorldRecords_limit(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, a := w.newMap("m", racetime.Medals{}), w.newPlayer("a")
	const slowest = 1_000_000 // milliseconds
	pgtest.Exec(t, w.pool, fmt.Sprintf(`
		insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at,
			checks_hash, map_data_hash)
		select gen_random_uuid(), '%s', '%s', %d - n, now(), n, now(), '', ''
		from generate_series(0, %d) n
		order by n`, m.ID, a.ID, slowest, leaderboard.MaxWorldRecords))
	all, err := w.WorldRecords(t.Context(), m.ID)
	w.must(err)
	if len(all) != leaderboard.MaxWorldRecords || all[0].FinishTime != slowest-1 {
		t.Errorf("%d world records from %d on, want %d from %d on", len(all), all[0].FinishTime,
			leaderboard.MaxWorldRecords, slowest-1)
	}
}

func TestStore_NewestWorldRecords(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, n, gone := w.newMap("m", racetime.Medals{}), w.newMap("n", racetime.Medals{}), w.newMap("gone", racetime.Medals{})
	m.Version, m.Picture = 2, record.StoredFile{Bucket: "maps", Key: "maps/m.webp"}
	w.must(w.ApplyMap(t.Context(), m))
	a, b := w.newPlayer("a"), w.newPlayer("b")
	w.submitted(m, a, 900)
	w.submitted(n, b, 700)
	w.submitted(m, b, 933)
	w.submitted(gone, a, 500)
	w.submitted(m, b, 867)
	w.remove(w.submitted(n, a, 667))
	w.must(w.ApplyMap(t.Context(), record.Map{ID: gone.ID, Version: 2, Removed: true}))
	w.submitted(m, b, 866)
	pgtest.Exec(t, w.pool, `
		insert into record_points (map_id, player_id, opponents, slower, tied, points, world_record)
		select map_id, player_id, 5, 5, 0, 2000 + finish_time, true from personal_bests where player_id = $1`, b.ID)
	want := []string{
		"m b 866 after 867, best true, place 1, points 2866, picture maps/m.webp",
		"m b 867 after 900, best false, place 0, points 0, picture maps/m.webp",
		"n b 700 after 0, best true, place 1, points 2700, picture ",
		"m a 900 after 0, best true, place 2, points 0, picture maps/m.webp",
	}
	for _, limit := range []int{100, 2} {
		list, err := w.NewestWorldRecords(t.Context(), limit)
		w.must(err)
		var got []string
		for _, r := range list {
			var worth points.Tenths
			if r.Points != nil {
				worth = *r.Points
			}
			got = append(got, fmt.Sprintf("%s %s %d after %d, best %v, place %d, points %d, picture %s", r.Map.Name,
				r.Player.Name, r.FinishTime, r.PreviousWorldRecord, r.PersonalBest, r.Rank, worth, r.Map.Picture.Key))
		}
		if diff := cmp.Diff(want[:min(limit, len(want))], got); diff != "" {
			t.Errorf("the newest %d (-want +got):\n%s", limit, diff)
		}
	}
}
