package app_test

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
)

// wireListed is a map without a replay as the API returns it.
type wireListed struct {
	ID         string `json:"_id"`
	BonkDBID   int64
	Name       string
	Authors    []string
	Page       *string
	ImportedAt time.Time
	UpdatedAt  time.Time
	MapID      *string
}

// file writes a file and returns its path.
func (b *bundle) file(content string) string {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "maps.csv")
	require.NoError(b.t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// listed returns a page of the maps without a replay, and the number of all.
func (b *bundle) listed(query string) (names []string, maps []wireListed, total int64) {
	b.t.Helper()
	answer := b.get("/api/v1/maps/listed?" + query)
	maps, names = servicetest.Data[[]wireListed](b.t, answer), []string{}
	for _, m := range maps {
		names = append(names, m.Name)
	}
	return names, maps, answer.Pagination["total"]
}

// A map that is imported is on the list until its author submits it, and again while it is removed.
func TestImport(t *testing.T) {
	b := setup(t)
	author := b.Players.player("cloudstep")
	file := b.file("\ufeffPage,Map ID,Notes,Name,Authors\n" +
		"https://bonk.io/maps/1000,1000,hard,Skyline Run,cloudstep\n" +
		",1001,,Cloud Stairs,\"Rain; nobody 7\"\n" +
		",zero,,Nowhere,Rain\n")
	dry := b.operator("import", file, "--dry-run")
	if names, _, _ := b.listed(""); len(names) > 0 || !strings.Contains(dry, "nothing is stored") {
		t.Errorf("a dry run: %v\n%s", names, dry)
	}
	want := `The column "Notes" is ignored.
line 2: added, map 1000, "Skyline Run"
line 3: added, map 1001, "Cloud Stairs"
line 4: refused. The map id has to be a whole number from 1 to 2147483647.
added: 2, changed: 0, unchanged: 0, already on the site: 0, refused: 1.
`
	if diff := cmp.Diff(want, b.operator("import", file)); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	names, maps, total := b.listed("")
	if diff := cmp.Diff([]string{"Cloud Stairs", "Skyline Run"}, names); diff != "" || total != 2 {
		t.Fatalf("listed %d (-want +got):\n%s", total, diff)
	}
	if diff := cmp.Diff([]string{"Rain", "nobody 7"}, maps[0].Authors); diff != "" || maps[0].Page != nil {
		t.Errorf("%+v, authors (-want +got):\n%s", maps[0], diff)
	}
	sky := maps[1]
	if sky.BonkDBID != 1000 || sky.Page == nil || *sky.Page != "https://bonk.io/maps/1000" || sky.MapID != nil {
		t.Errorf("%+v", sky)
	}

	for _, tt := range []struct {
		query string
		want  []string
		total int64
	}{
		{"name=" + url.QueryEscape("LOUD st"), []string{"Cloud Stairs"}, 1},
		{"name=sk", []string{"Skyline Run"}, 1},
		{"name=ky", []string{}, 0},
		{"name=%00", []string{}, 0},
		{"limit=1&page=2", []string{"Skyline Run"}, 2},
		{"page=3", []string{}, 2},
	} {
		if names, _, total := b.listed(tt.query); !cmp.Equal(tt.want, names) || total != tt.total {
			t.Errorf("%s: %v of %d, want %v of %d", tt.query, names, total, tt.want, tt.total)
		}
	}
	for query, code := range map[string]string{
		"page=0": "page_invalid", "limit=101": "page_invalid", "name=" + strings.Repeat("a", 101): "term_too_long",
	} {
		if answer := b.get("/api/v1/maps/listed?" + query); answer.Code != code {
			t.Errorf("%s: %d %s", query, answer.Status, answer.Raw)
		}
	}

	isListed := func(when string, mapID *string) {
		t.Helper()
		want := []string{"Cloud Stairs"}
		if mapID == nil {
			want = append(want, "Skyline Run")
		}
		names, _, _ := b.listed("")
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("listed %s (-want +got):\n%s", when, diff)
		}
		wantMap := sky
		wantMap.MapID = mapID
		got := servicetest.Data[wireListed](t, b.get("/api/v1/maps/listed/"+sky.ID))
		if diff := cmp.Diff(wantMap, got); diff != "" {
			t.Errorf("the map %s (-want +got):\n%s", when, diff)
		}
	}
	isListed("after the import", nil)
	first := b.submitted(b.submissionOf(author, 1000, "Skyline Run", "cloudstep")).ID
	isListed("after its submission", &first)
	if report := b.operator("import", file); !strings.Contains(report, "already on the site: 1,") {
		t.Errorf("a second import:\n%s", report)
	}
	b.operator("remove", first, "a test")
	isListed("after its removal", &first)
	b.operator("restore", first, "a mistake")
	isListed("after it was restored", &first)
}

func TestImport_asJSON(t *testing.T) {
	b := setup(t)
	file := b.file("map id,name,authors\n1,Map 1,cloudstep\n")
	var report struct{ Counts map[string]int }
	require.NoError(t, json.Unmarshal([]byte(b.operator("import", "--json", file)), &report))
	want := map[string]int{"added": 1, "changed": 0, "unchanged": 0, "onSite": 0, "refused": 0}
	if diff := cmp.Diff(want, report.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	for _, args := range [][]string{
		{}, {"--json"}, {file, file}, {file, "--force"}, {filepath.Join(t.TempDir(), "none.csv")},
	} {
		if out, err := b.command("import", args...); err == nil {
			t.Errorf("import %v printed %s", args, out)
		}
	}
	broken := b.file("map id,name,authors\n5000,Last,cloudstep\n5001,\"Broken,cloudstep\n")
	if _, err := b.command("import", broken); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("a broken file: %v", err)
	}
	refused := b.file("map id,name,authors\nzero,Last,cloudstep\n")
	if _, err := b.command("import", refused); err == nil || !strings.Contains(err.Error(), "every row") {
		t.Errorf("a file of which every row is refused: %v", err)
	}
	if _, _, total := b.listed("name=Last"); total != 0 {
		t.Error("a map of a broken file is listed")
	}
	if answer := b.get("/api/v1/maps/listed/none"); answer.Code != "listed_map_unknown" {
		t.Errorf("an unknown map: %d %s", answer.Status, answer.Raw)
	}
}
