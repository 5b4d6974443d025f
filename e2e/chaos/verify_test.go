package chaos

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/outside"
)

// verify checks that everything that was accepted is stored once, and that every copy equals its source. It reads the
// services' tables.
func verify(t *testing.T) {
	t.Helper()
	for _, failure := range users.accepted.takeFailures() {
		t.Error(failure)
	}
	databases := openDatabases(t)
	eventually.WaitFor(t, "every event to be published", func() bool {
		for _, conn := range databases {
			if len(rows(t, conn, "select id::text from outbox where published_at is null")) > 0 {
				return false
			}
		}
		return true
	})
	if absent := users.accepted.missing(rows(t, databases["players"],
		"select concat_ws(' ', id, name) from players where registered")); len(absent) > 0 {
		t.Errorf("players who logged in are missing: %v", absent)
	}
	verifyRecords(t, databases)
	verifySums(t, databases["records"])
	verifyCopies(t, databases)
	verifyNotifications(t, databases)
	verifyFiles(t, databases)
}

// verifyRecords compares what was accepted with what is there, and reads it as visitors do.
func verifyRecords(t *testing.T, databases map[string]*pgx.Conn) {
	t.Helper()
	hashes, maps := users.accepted.all()
	slices.Sort(hashes)
	slices.Sort(maps)
	assert.Equal(t, "maps", maps, rows(t, databases["maps"], "select id::text from maps"))
	// The first record of a map is made when the map's event arrives.
	var there []string
	settled := func() bool {
		there = rows(t, databases["records"], "select replay_hash from records")
		return slices.Equal(hashes, there)
	}
	if !soon(t, settled) {
		t.Errorf("replays (-accepted +stored):\n%s", cmp.Diff(hashes, there))
	}
	visitor := capzone.Visitor()
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(readers)
	for _, record := range users.accepted.takeNew() {
		group.Go(func() error {
			got, err := visitor.RecordByID(ctx, record.id)
			if err != nil {
				return fmt.Errorf("record %s was accepted: %w", record.id, err)
			}
			if got.Player.ID != record.player || got.Map.ID != record.mapID || got.FinishTime != record.ms {
				return fmt.Errorf("record %+v is returned as %+v", record, got)
			}
			file, err := visitor.DownloadReplay(ctx, record.id)
			if err == nil && hashOf(file.Body) != record.hash {
				err = fmt.Errorf("its %d bytes differ", len(file.Body))
			}
			if err != nil {
				return fmt.Errorf("the replay of record %s: %w", record.id, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}

// verifySums compares the totals of the records service with its records.
func verifySums(t *testing.T, records *pgx.Conn) {
	t.Helper()
	for what, pair := range map[string][2]string{
		"personal bests": {
			"select concat_ws(' ', map_id, player_id, records, finish_time) from personal_bests",
			`select concat_ws(' ', map_id, player_id, count(*), min(finish_time)) from records
				where removed_at is null group by map_id, player_id`,
		},
		"counts of leaderboards": {
			"select concat_ws(' ', map_id, finish_time, players) from rank_counts where step = 1",
			"select concat_ws(' ', map_id, finish_time, count(*)) from personal_bests group by map_id, finish_time",
		},
		"world records": {
			"select concat_ws(' ', map_id, finish_time, record_id) from world_records",
			`select concat_ws(' ', map_id, finish_time, id) from records r
				where removed_at is null and not exists (
					select from records b
					where b.map_id = r.map_id and b.seq < r.seq and b.finish_time <= r.finish_time and b.removed_at is null)`,
		},
		"totals of maps": {
			"select concat_ws(' ', map_id, records, players) from map_totals where records > 0",
			`select concat_ws(' ', map_id, count(*), count(distinct player_id)) from records
				where removed_at is null group by map_id`,
		},
		"players with bronze": {
			"select concat_ws(' ', map_id, bronze_players, fastest) from map_totals where players > 0",
			`select concat_ws(' ', map_id, count(*) filter (where finish_time <= medal_bronze), min(finish_time))
				from personal_bests join maps on id = map_id group by map_id`,
		},
		"totals of players": {
			"select concat_ws(' ', player_id, records) from player_totals where records > 0",
			"select concat_ws(' ', player_id, count(*)) from records where removed_at is null group by player_id",
		},
	} {
		if diff := cmp.Diff(rows(t, records, pair[1]), rows(t, records, pair[0])); diff != "" {
			t.Errorf("%s (-records +%[1]s):\n%s", what, diff)
		}
	}
}

// copies are which table of which service follows which other's.
var copies = []struct{ owner, source, holder, copied string }{
	{
		"players", "select concat_ws(' ', id, version, name, banned) from players",
		"records", "select concat_ws(' ', id, version, name, banned) from players where not removed",
	},
	{
		"players", "select concat_ws(' ', id, version, name, banned) from players",
		"maps", "select concat_ws(' ', id, version, name, banned) from players where not removed",
	},
	{
		"players", "select concat_ws(' ', id, version, name, banned) from players",
		"auth", "select concat_ws(' ', id, version, name, banned) from players where not removed",
	},
	{
		"maps", `select concat_ws(' ', id, version, name, game_map_id, fingerprint, map_version, superseded, picture_key)
			from maps where removed_at is null`,
		"records", `select concat_ws(' ', id, version, name, game_map_id, fingerprint, map_version, superseded, picture_key)
			from maps where not removed`,
	},
	{
		"maps", "select concat_ws(' ', id, version, author_id) from maps where listed",
		"players", "select concat_ws(' ', map_id, version, author_id) from map_authors where author_id is not null",
	},
	{
		"records", "select concat_ws(' ', map_id, version, records) from map_totals",
		"maps", "select concat_ws(' ', map_id, version, records) from map_stats where version > 0",
	},
	{
		"records", "select concat_ws(' ', player_id, version, records) from player_totals",
		"players", "select concat_ws(' ', player_id, records_version, records) from player_totals where records_version > 0",
	},
}

func verifyCopies(t *testing.T, databases map[string]*pgx.Conn) {
	t.Helper()
	for _, c := range copies {
		var source, copied []string
		equal := func() bool {
			source, copied = rows(t, databases[c.owner], c.source), rows(t, databases[c.holder], c.copied)
			return slices.Equal(source, copied)
		}
		if !soon(t, equal) {
			t.Errorf("%s in %s (-source +copy): %s\n%s", c.owner, c.holder, c.copied, cmp.Diff(source, copied))
		}
	}
}

// named are the keys that a service's rows name.
var named = map[string]string{
	"records": "select 'replays/' || replay_hash || '.lbReplay' from records",
	"maps": `select distinct key
		from maps, unnest(array[image_key, thumbnail_key, replay_key, drawing_key, picture_key, picture_thumbnail_key]) key
		where key is not null`,
	"players": "select distinct avatar_key from players where avatar_key is not null",
}

// verifyFiles compares the buckets with the rows after the sweep.
func verifyFiles(t *testing.T, databases map[string]*pgx.Conn) {
	t.Helper()
	client, err := minio.New(strings.TrimPrefix(parts.Settings()["S3_ENDPOINT"], "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(outside.StorageKey, outside.StorageKey,
			""), Region: "us-east-1", BucketLookup: minio.BucketLookupPath,
	})
	require.NoError(t, err)
	for service, sql := range named {
		if _, err := running.Operate(t.Context(), service, "sweep", "0s"); err != nil {
			t.Error(err)
		}
		keys := []string{}
		for object := range client.ListObjects(t.Context(), "capzone-"+service, minio.ListObjectsOptions{Recursive: true}) {
			if object.Err != nil {
				t.Fatal(object.Err)
			}
			keys = append(keys, object.Key)
		}
		slices.Sort(keys)
		if diff := cmp.Diff(rows(t, databases[service], sql), keys); diff != "" {
			t.Errorf("files of %s (-rows +stored):\n%s", service, diff)
		}
	}
}

func openDatabases(t *testing.T) map[string]*pgx.Conn {
	t.Helper()
	databases := map[string]*pgx.Conn{}
	for _, service := range []string{"auth", "maps", "notifications", "records", "players"} {
		address, err := url.Parse(parts.Settings()["DATABASE_URL"])
		require.NoError(t, err)
		address.Path = "/capzone_" + service
		conn, err := pgx.Connect(t.Context(), address.String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close(context.Background()) })
		databases[service] = conn
	}
	return databases
}

// rows returns what a query of one column finds, sorted as strings.
func rows(t *testing.T, conn *pgx.Conn, sql string) []string {
	t.Helper()
	found, err := conn.Query(t.Context(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	list, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	slices.Sort(list)
	return list
}
