package app_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/app"
	"capzone.dev/services/records/internal/dump"
	"capzone.dev/services/records/internal/files"
	"capzone.dev/services/records/internal/natsapi"
	"capzone.dev/services/records/internal/postgres"
)

// dumpColumns are all columns of dumps. What is added here is public permanently.
var dumpColumns = map[string][]string{
	"maps": {
		"_id", "gameMapId", "version", "newest", "name", "author", "mode", "unranked",
		"medalAuthor", "medalGold", "medalSilver", "medalBronze",
	},
	"players":       {"_id", "name", "registered", "hidden"},
	"records":       {"_id", "map", "player", "finishTime", "finishTimeStamp", "createdAt", "personalBest"},
	"world-records": {"record", "map", "player", "finishTime", "since"},
}

// dumper returns what writes dumps into the service's bucket.
func (b *bundle) dumper() *dump.Dumper {
	b.t.Helper()
	bucket, err := objectstore.Open(b.t.Context(), b.cfg.For(app.Name))
	require.NoError(b.t, err)
	return &dump.Dumper{
		Store: postgres.NewStore(b.Pool), Files: files.New(bucket, b.Pool),
		Facts: &natsapi.Facts{JetStream: b.JetStream, Settle: time.Millisecond}, Now: time.Now,
	}
}

// dumped are the rows of a table of a dump, as its two files have them.
func (b *bundle) dumped(m dump.Manifest, table string) (rows []map[string]any, cells [][]string) {
	b.t.Helper()
	content := func(name string) []byte {
		i := slices.IndexFunc(m.Files, func(f dump.File) bool { return f.Name == name })
		if i < 0 {
			b.t.Fatalf("the manifest has no file %s: %+v", name, m)
		}
		a := b.get("/dumps/" + m.Date + "/" + name)
		sum := sha256.Sum256(a.Raw)
		if a.Status != http.StatusOK || int64(len(a.Raw)) != m.Files[i].Size ||
			hex.EncodeToString(sum[:]) != m.Files[i].SHA256 {
			b.t.Fatalf("%s: %d, %d bytes of %+v", name, a.Status, len(a.Raw), m.Files[i])
		}
		return a.Raw
	}
	reader, err := zstd.NewReader(bytes.NewReader(content(table + ".ndjson.zst")))
	require.NoError(b.t, err)
	defer reader.Close()
	for lines := json.NewDecoder(reader); ; {
		row := map[string]any{}
		err := lines.Decode(&row)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(b.t, err)
		rows = append(rows, row)
	}
	cells, err = csv.NewReader(bytes.NewReader(content(table + ".csv"))).ReadAll()
	require.NoError(b.t, err)
	if m.Counts[table] != int64(len(rows)) || len(cells) != len(rows)+1 {
		b.t.Errorf("%s: %d rows, %d lines of CSV, the manifest says %d", table, len(rows), len(cells), m.Counts[table])
	}
	return rows, cells
}

// column returns the values of a column in their order.
func column(rows []map[string]any, name string) (values []string) {
	for _, row := range rows {
		values = append(values, row[name].(string))
	}
	slices.Sort(values)
	return values
}

func sorted(values ...string) []string {
	slices.Sort(values)
	return values
}

func TestDump(t *testing.T) {
	b := setup(t)
	skyline, gone := b.newMap(`=Skyline, "Run"`), b.newMap("Gone")
	ann, bob, eve := b.newPlayer("Ann"), b.newPlayer("Bob"), b.newPlayer("Eve")
	best, slower := b.submitted(ann, skyline, 41_000).Record, b.submitted(ann, skyline, 50_000).Record
	ofBob := b.submitted(bob, skyline, 40_000).Record
	removed := b.submitted(bob, skyline, 39_000).Record
	b.submitted(ann, gone, 45_000)
	b.submitted(eve, skyline, 38_000)
	b.commands([]string{"remove", removed.UnderscoreId, "the secret reason"},
		[]string{"hide", eve.ID, "the secret reason"})
	gone.Version, gone.Removed = 2, true
	b.publish(gone.MapState)

	eventually.WaitFor(t, "all facts are published", func() bool {
		return b.count("select count(*) from outbox where published_at is null") == 0
	})

	m, err := b.dumper().Write(t.Context())
	require.NoError(t, err)

	contents := map[string][]map[string]any{}
	for table, columns := range dumpColumns {
		rows, cells := b.dumped(m, table)
		contents[table] = rows
		if diff := cmp.Diff(columns, cells[0]); diff != "" {
			t.Errorf("%s: columns (-want +got):\n%s", table, diff)
		}
		for i, row := range rows {
			names := make([]string, 0, len(row))
			for name, value := range row {
				names = append(names, name)
				cell := cells[i+1][slices.Index(columns, name)]
				if text, _ := json.Marshal(value); value != nil && strings.Trim(string(text), `"`) != cell {
					if text, isText := value.(string); !isText || text != cell {
						t.Errorf("%s: %s is %v in JSON, %q in CSV", table, name, value, cell)
					}
				}
			}
			if diff := cmp.Diff(sorted(slices.Clone(columns)...), sorted(names...)); diff != "" {
				t.Errorf("%s: a row's columns (-want +got):\n%s", table, diff)
			}
		}
	}
	for name, both := range map[string][2][]string{
		"maps":          {column(contents["maps"], "_id"), {skyline.ID}},
		"names of maps": {column(contents["maps"], "name"), {skyline.Name}},
		"players":       {column(contents["players"], "_id"), sorted(ann.ID, bob.ID, eve.ID)},
		"records": {
			column(contents["records"], "_id"), sorted(best.UnderscoreId, slower.UnderscoreId, ofBob.UnderscoreId),
		},
		"world records": {column(contents["world-records"], "record"), sorted(best.UnderscoreId, ofBob.UnderscoreId)},
	} {
		assert.Equal(t, name, both[1], both[0])
	}
	for _, row := range contents["players"] {
		if hidden := row["_id"] == eve.ID; row["hidden"] != hidden || (row["name"] == nil) != hidden {
			t.Errorf("%v", row)
		}
	}
	for _, row := range contents["records"] {
		if row["personalBest"] != (row["_id"] != slower.UnderscoreId) {
			t.Errorf("%v", row)
		}
	}
	stream, err := b.JetStream.Stream(t.Context(), event.FactsStream.Name)
	require.NoError(t, err)
	if last := stream.CachedInfo().State.LastSeq; m.Sequence == 0 || m.Sequence > last || m.Schema != 1 ||
		m.License != "CC0-1.0" || m.Date != time.Now().UTC().Format(time.DateOnly) {
		t.Errorf("manifest %+v, the last fact is %d", m, last)
	}

	if again, err := b.dumper().Write(t.Context()); !errors.Is(err, dump.ErrExists) {
		t.Errorf("a second dump of the day: %+v, %v", again, err)
	}
	b.storageEnv()
	if out, err := b.command("dump"); err == nil || !strings.Contains(err.Error(), "There is a dump of this day") {
		t.Errorf("the command: %q, %v", out, err)
	}
	t.Run("addresses", func(t *testing.T) { dumpAddresses(t, b, m) })
}

func dumpAddresses(t *testing.T, b *bundle, m dump.Manifest) {
	t.Helper()
	listed := read[[]dump.Manifest](b, "/dumps/")
	assert.Equal(t, "list", []dump.Manifest{m}, listed)
	for _, path := range []string{"/dumps/latest", "/dumps/" + m.Date + "/manifest.json"} {
		assert.Equal(t, path, m, unmarshalled[dump.Manifest](b, b.get(path)))
	}
	part := b.get("/dumps/"+m.Date+"/maps.csv", "Range", "bytes=0-2")
	if part.Status != http.StatusPartialContent || string(part.Raw) != "_id" ||
		part.Header.Get("Cache-Control") != "public, max-age=86400, immutable, no-transform" {
		t.Errorf("a part: %d %q %v", part.Status, part.Raw, part.Header)
	}
	tag := part.Header.Get("ETag")
	if a := b.get("/dumps/"+m.Date+"/maps.csv", "If-None-Match", tag); a.Status != http.StatusNotModified {
		t.Errorf("with its tag: %d", a.Status)
	}
	for _, path := range []string{
		"/dumps/2026-01-01/manifest.json", "/dumps/2026-1-1/manifest.json", "/dumps/" + m.Date + "/other.csv",
		"/dumps/" + m.Date + "/..%2fmaps.csv", "/dumps/today/maps.csv", "/dumps/" + m.Date + "%00/maps.csv",
	} {
		if a := b.get(path); a.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, a.Status)
		}
	}
}

// interrupted are files that fail at a table.
type interrupted struct {
	dump.Files
	table  string
	folder string
}

var errInterrupted = errors.New("interrupted")

// PutDumpFile implements dump.Files.
func (f *interrupted) PutDumpFile(
	ctx context.Context, folder, name string, write func(w io.Writer) error,
) (dump.File, storedfile.Upload, error) {
	f.folder = folder
	if strings.HasPrefix(name, f.table) {
		write = func(io.Writer) error { return errInterrupted }
	}
	return f.Files.PutDumpFile(ctx, folder, name, write)
}

// A dump that ends half way is not shown. What is left of it is removed as all files are that no row names.
func TestDump_interrupted(t *testing.T) {
	b := setup(t)
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	b.submitted(ann, m, 41_000)
	dumper := b.dumper()
	stored := dumper.Files
	cut := &interrupted{Files: stored, table: "records"}
	dumper.Files = cut
	if got, err := dumper.Write(t.Context()); !errors.Is(err, errInterrupted) {
		t.Fatalf("an interrupted dump: %+v, %v", got, err)
	}
	today := time.Now().UTC().Format(time.DateOnly)
	if list := read[[]dump.Manifest](b, "/dumps/"); len(list) != 0 {
		t.Errorf("an interrupted dump is listed: %+v", list)
	}
	for _, path := range []string{"/dumps/latest", "/dumps/" + today + "/maps.csv"} {
		if a := b.get(path); a.Status != http.StatusNotFound || a.Code != "dump_unknown" {
			t.Errorf("%s: %d %s", path, a.Status, a.Code)
		}
	}
	left, err := stored.OpenDumpFile(t.Context(), cut.folder, "maps.csv")
	require.NoError(t, err) // the interruption came after it
	_ = left.Close()

	dumper.Files = stored
	complete, err := dumper.Write(t.Context())
	require.NoError(t, err)
	b.storageEnv()
	b.commands([]string{"sweep", "0s"})
	if rows, _ := b.dumped(complete, "records"); len(rows) != 1 {
		t.Errorf("%v", rows)
	}
	if _, err := stored.OpenDumpFile(t.Context(), cut.folder, "maps.csv"); !errors.Is(err, dump.ErrUnknown) {
		t.Errorf("what is left of the interrupted dump: %v", err)
	}
	if got := b.count("select count(*) from dumps"); got != 1 {
		t.Errorf("%d dumps", got)
	}
}

// Of several processes one writes, from the time of the day on, until there is a dump. Each dump of a fortnight is
// kept, and the first one of each month.
func TestDumper_Write(t *testing.T) {
	b := setup(t)
	dumper := b.dumper()
	at := time.Date(2026, 3, 20, 3, 29, 59, 0, time.UTC)
	dumper.Now = func() time.Time { return at }
	wantDue := func(want bool) {
		t.Helper()
		if due, err := dumper.IsDue(t.Context(), 3*time.Hour+30*time.Minute); err != nil || due != want {
			t.Errorf("at %v it is due: %v, %v; want %v", at, due, err, want)
		}
	}
	wantDue(false)
	at = at.Add(time.Second)
	wantDue(false) // for there is nothing but empty tables
	b.submitted(b.newPlayer("Ann"), b.newMap("Skyline Run"), 41_000)
	wantDue(true)
	pgtest.Exec(t, b.Pool, `
		insert into dumps (day, folder, finished_at, manifest)
		select d, 'dumps/' || d::date || '/a/', d, jsonb_build_object('date', d::date::text)
		from generate_series(timestamp '2026-01-05', timestamp '2026-03-19', interval '1 day') d`)
	written := make(chan error, 4)
	for range cap(written) {
		go func() {
			_, err := dumper.Write(t.Context())
			written <- err
		}()
	}
	succeeded := 0
	for range cap(written) {
		switch err := <-written; {
		case err == nil:
			succeeded++
		case !errors.Is(err, dump.ErrBusy) && !errors.Is(err, dump.ErrExists):
			t.Error(err)
		}
	}
	if succeeded != 1 {
		t.Errorf("%d of %d wrote the dump", succeeded, cap(written))
	}
	wantDue(false)
	want := []string{"2026-01-05", "2026-02-01", "2026-03-01"}
	for day := 6; day <= 20; day++ {
		want = append(want, time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
	}
	list, err := dumper.List(t.Context())
	require.NoError(t, err)
	var got []string
	for _, d := range list {
		got = append(got, d.Date)
	}
	slices.Reverse(got)
	assert.Equal(t, "dumps", want, got)
	const releasedSQL = `select count(*) from pending_uploads where key like '%manifest.json'`
	if expired := 74 + 1 - len(want); b.count(releasedSQL) != expired {
		t.Errorf("%d manifests are left to the sweeper, want those of %d dumps", b.count(releasedSQL), expired)
	}
	at = at.AddDate(0, 0, 1)
	wantDue(true)
}

func TestConfig_Check_dump(t *testing.T) {
	t.Parallel()
	enough := app.PointsConfig{Finishers: 1, Maps: 1, Authors: 1}
	for at, ok := range map[string]bool{
		"": true, "off": true, "03:30": true, "23:59": true, "24:00": false, "3h": false, "03:30:00": false,
	} {
		if err := (app.Config{Points: enough, Dump: app.DumpConfig{At: at}}).Check(); (err == nil) != ok {
			t.Errorf("%q: %v", at, err)
		}
	}
}
