package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/postgres"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

const (
	migratedMap = "01970000-0000-7000-8000-0aaa00000001"
	removedMap  = "01970000-0000-7000-8000-0aaa00000002"
)

// recordsBeforeHistorySQL inserts records as the release before the history has them: on a map and on one that
// is removed.
const recordsBeforeHistorySQL = `
	insert into maps (id, version, name, removed, medal_bronze) values
		('` + migratedMap + `', 1, 'Skyline Run', false, 900), ('` + removedMap + `', 2, '', true, 0);
	insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at, removed_at,
		removed_reason)
	select gen_random_uuid(), map_id::uuid, gen_random_uuid(), finish_time,
		timestamptz '2026-01-01' + n * interval '1 hour', map_id || n, timestamptz '2026-01-01' + n * interval '1 day',
		removed_at, case when removed_at is not null then 'edited' end
	from (values ('` + migratedMap + `'), ('` + removedMap + `')) as maps (map_id) cross join (values
		(1, 900, null), (2, 700, now()), (3, 933, null), (4, 867, null), (5, 900, null), (6, 833, null)
	) as accepted (n, finish_time, removed_at)
	order by n;
	insert into map_totals (map_id, version, records, players) select map_id, 1, count(*), 0 from records group by 1;
	insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
	select map_id, player_id, id, finish_time, finished_at, created_at, 1
	from records where map_id = '` + migratedMap + `' and removed_at is null`

func TestMigrations_history(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t, "records before the history", func(ctx context.Context, url string) error {
		if err := postgres.Migrate(ctx, url, migrationsBefore(t, "00006")); err != nil {
			return err
		}
		pool, err := postgres.Open(ctx, url)
		if err != nil {
			return err
		}
		defer pool.Close()
		if _, err := pool.Exec(ctx, recordsBeforeHistorySQL); err != nil {
			return err
		}
		return postgres.Migrate(ctx, url, migrations.FS)
	})
	pool, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	store := records.NewStore(pool)
	// The state of the map is republished with a higher version, so that copies apply it.
	const versionSQL = `select version from map_totals where map_id = '` + migratedMap + `'`
	if version := pgtest.Value[int](t, pool, versionSQL); version != 2 {
		t.Errorf("the version of the map's totals is %d, want 2", version)
	}
	const bronzeSQL = `
		select concat_ws(' ', players, bronze_players, bronze_share, fastest) from map_totals
		where map_id = '` + migratedMap + `'`
	if got, want := pgtest.Value[string](t, pool, bronzeSQL), "5 4 80 833"; got != want {
		t.Errorf("players with bronze: %s, want %s", got, want)
	}
	for mapID, want := range map[string][]string{
		migratedMap: {"900 since 2026-01-02", "867 since 2026-01-05", "833 since 2026-01-07"}, removedMap: nil,
	} {
		all, err := store.WorldRecords(t.Context(), mapID)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range all {
			got = append(got, fmt.Sprintf("%d since %s", w.FinishTime, w.Since.Format("2006-01-02")))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("world records (-want +got):\n%s", diff)
		}
		if len(all) == 0 {
			continue
		}
		if _, err := store.Verification(t.Context(), all[0].ID); !errors.Is(err, record.ErrVerificationMissing) {
			t.Errorf("the verification of an older record: %v, want ErrVerificationMissing", err)
		}
		details, err := store.Details(t.Context(), all[1].ID)
		if err != nil || details.RankAtSubmission != 0 || details.PreviousWorldRecord != 900 || details.Map.MapVersion != 1 {
			t.Errorf("the details of an older record: %+v, %v", details, err)
		}
	}
}

// migrationsBefore returns the migrations before the one with a number.
func migrationsBefore(t *testing.T, number string) fs.FS {
	t.Helper()
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	before := fstest.MapFS{}
	for _, name := range files {
		if name >= number {
			continue
		}
		data, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		before[name] = &fstest.MapFile{Data: data}
	}
	return before
}
