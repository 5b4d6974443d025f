package postgres

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

// manyOnMap has records of n players on bigMap, which was removed in version 2 or is being restored.
func manyOnMap(t *testing.T, n int, restoring bool) *postgres.Pool {
	t.Helper()
	pool := pgtest.Open(t, "records", migrations.FS)
	pgtest.Exec(t, pool, `insert into maps (id, version, name, removed, restoring) values ($1, 2, 'Skyline', true, $2)`,
		bigMap, restoring)
	pgtest.Exec(t, pool, `
		insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at,
			checks_hash, map_data_hash)
		select gen_random_uuid(), $1, gen_random_uuid(), 1000 + n, now(), n::text, now(), '', '' from generate_series(1, $2) n`,
		bigMap, n)
	return pool
}

// inTx calls fn in a transaction.
func inTx(t *testing.T, pool *postgres.Pool, fn func(tx pgx.Tx) error) {
	t.Helper()
	require.NoError(t, postgres.InTx(t.Context(), pool, fn))
}

// The leaderboard of a map with many players is cleared some players at a time. It may be
// interrupted in between, and the tombstone may come again.
func TestStore_clearLeaderboard(t *testing.T) {
	t.Parallel()
	const players = 2*playersBatch + 100
	pool := manyOnMap(t, players, false)
	for _, sql := range []string{
		`insert into map_totals select map_id, 1, count(*), 0 from records group by 1`,
		`insert into personal_bests select map_id, player_id, id, finish_time, finished_at, created_at, 1 from records`,
		// Each has a record on another map, too.
		`insert into player_totals select player_id, 1, 2 from records`,
	} {
		pgtest.Exec(t, pool, sql)
	}
	store := NewStore(pool)
	inTx(t, pool, func(tx pgx.Tx) error {
		deleted, err := clearSome(t.Context(), tx, bigMap)
		if deleted != playersBatch {
			t.Errorf("the first transaction deleted %d rows, want %d", deleted, playersBatch)
		}
		return err
	})
	for range 2 {
		require.NoError(t, store.ApplyMap(t.Context(), record.Map{ID: bigMap, Version: 3, Removed: true}))
	}
	for _, tt := range []struct {
		what, sql string
		want      int
	}{
		{"rows of the leaderboard", `select count(*) from personal_bests`, 0},
		{"rank counts", `select count(*) from rank_counts`, 0},
		{"records and players of the map", `select records + players from map_totals`, 0},
		{"players with the one record that is left", `select count(*) from player_totals where records = 1 and version = 2`,
			players},
		{"records that are kept", `select count(*) from records`, players},
		{"events of the map", `select count(*) from outbox where subject = '` + event.MapStatsPrefix + bigMap + `'`, 3},
		{"events of players", `
			select count(distinct subject) from outbox where starts_with(subject, '` + event.PlayerStatsPrefix + `')`, players},
	} {
		if got := pgtest.Value[int](t, pool, tt.sql); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.what, got, tt.want)
		}
	}
}

// Where the restoration of a leaderboard was interrupted it continues, and hidden players are left out.
func TestStore_restoreLeaderboard(t *testing.T) {
	t.Parallel()
	const players, hidden = 2*playersBatch + 100, 20
	pool := manyOnMap(t, players+hidden, true)
	pgtest.Exec(t, pool, `
		insert into player_totals (player_id, version, records, hidden)
		select player_id, 1, 0, finish_time > $1 from records`, 1000+players)
	batches := func() int {
		t.Helper()
		return pgtest.Value[int](t, pool, `select count(*) from outbox where subject = $1`, event.MapStatsPrefix+bigMap)
	}
	cursor := noID
	for range 2 {
		inTx(t, pool, func(tx pgx.Tx) (err error) {
			cursor, err = restoreSome(t.Context(), tx, bigMap, cursor)
			return err
		})
	}
	if n := batches(); n != 2 {
		t.Fatalf("%d batches before the interruption, want 2", n)
	}
	require.NoError(t, NewStore(pool).ApplyMap(t.Context(), record.Map{ID: bigMap, Version: 2, Name: "Skyline"}))
	if n := batches(); n != 3 {
		t.Errorf("%d batches in all, want 3", n)
	}
	for what, sql := range map[string]string{
		"rows of the leaderboard":       `select count(*) from personal_bests`,
		"players of the map":            `select players from map_totals`,
		"records of the map":            `select records from map_totals`,
		"players with a record":         `select count(*) from player_totals where records = 1`,
		"players of a map that is back": `select count(*) from personal_bests join maps on id = map_id and not removed`,
	} {
		if got := pgtest.Value[int](t, pool, sql); got != players {
			t.Errorf("%s: %d, want %d", what, got, players)
		}
	}
}

// A map that is removed and restored again while its restoration is interrupted is shown with all players.
func TestStore_restoreLeaderboard_of_a_map_removed_meanwhile(t *testing.T) {
	t.Parallel()
	const players = playersBatch + 100
	pool := manyOnMap(t, players, true)
	cursor := noID
	restore := func() {
		t.Helper()
		inTx(t, pool, func(tx pgx.Tx) (err error) {
			cursor, err = restoreSome(t.Context(), tx, bigMap, cursor)
			return err
		})
	}
	restore()
	require.NoError(t, NewStore(pool).ApplyMap(t.Context(), record.Map{ID: bigMap, Version: 3, Removed: true}))
	pgtest.Exec(t, pool, `update maps set version = 4, restoring = true`) // by another replica
	for cursor != "" {
		restore()
	}
	const shownSQL = `select count(*) from personal_bests join maps on id = map_id and not removed`
	if got := pgtest.Value[int](t, pool, shownSQL); got != players {
		t.Errorf("the map is shown with %d players, want %d", got, players)
	}
}

// While a map is removed or comes back, what is left or made again of its leaderboard is not told of.
func TestStore_Remove_on_a_removed_map(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "records", migrations.FS)
	for _, sql := range []string{
		`insert into maps (id, version, name) values ('` + bigMap + `', 1, 'Skyline')`,
		`insert into map_totals (map_id, version, records, players) values ('` + bigMap + `', 1, 3, 0)
		on conflict do nothing`,
		`insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at,
			checks_hash, map_data_hash)
			select gen_random_uuid(), '` + bigMap + `', gen_random_uuid(), 1300 - 100 * n, now(), n::text, now(), '', ''
			from generate_series(1, 3) n`,
		`insert into personal_bests select map_id, player_id, id, finish_time, finished_at, created_at, 1 from records`,
		`insert into player_totals select player_id, 1, 1 from records`,
		`update maps set removed = true`, // and nothing is cleared yet
	} {
		pgtest.Exec(t, pool, sql)
	}
	store := NewStore(pool)
	fastest := pgtest.Value[string](t, pool, `select id from records order by finish_time limit 1`)
	change := record.Moderation{
		RecordID: fastest, By: access.Attribution{Actor: access.Operator("root"), Reason: "a test"}, At: time.Now(),
	}
	change.Action = access.RemoveRecord
	_, err := store.ModerateRecord(t.Context(), change)
	require.NoError(t, err)
	change.Action = access.RestoreRecord
	_, err = store.ModerateRecord(t.Context(), change)
	require.NoError(t, err)
	for _, fact := range []event.RecordRemoved{
		outboxtest.Last[event.RecordRemoved](t, pool), event.RecordRemoved(outboxtest.Last[event.RecordRestored](t, pool)),
	} {
		if fact.RecordID != fastest || fact.Moved != nil || fact.WorldRecord != nil {
			t.Errorf("fact %+v", fact)
		}
	}
}
