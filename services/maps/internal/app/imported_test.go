package app_test

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/services/maps/internal/httpapi"
)

// file writes a file and returns its path.
func (b *bundle) file(content string) string {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "maps.csv")
	require.NoError(b.t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// withoutReplay returns a page of the maps without a replay, and the number of all.
func (b *bundle) withoutReplay(query string) (names []string, maps []httpapi.ListedMap, total float64) {
	b.t.Helper()
	answer := b.get("/api/v1/maps/listed?" + query)
	maps, names = servicetest.Data[[]httpapi.ListedMap](b.t, answer), []string{}
	for _, m := range maps {
		names = append(names, m.Name)
	}
	total, _ = answer.Pagination["total"].(float64)
	return names, maps, total
}

// A map that is imported is on the list until its author submits it.
func TestImport(t *testing.T) {
	b := setup(t)
	file := b.file("\ufeffPage,Map ID,Notes,Name,Authors\n" +
		"https://bonk.io/maps/1000,1000,hard,Skyline Run,cloudstep\n" +
		",1001,,Cloud Stairs,\"Rain; nobody 7\"\n" +
		",zero,,Nowhere,Rain\n")
	dry := b.operator("import", file, "--dry-run")
	if names, _, _ := b.withoutReplay(""); len(names) > 0 || !strings.Contains(dry, "nothing is stored") {
		t.Errorf("a dry run: %v\n%s", names, dry)
	}
	assert.Equal(t, "report", `The column "Notes" is ignored.
line 2: added, map 1000, "Skyline Run"
line 3: added, map 1001, "Cloud Stairs"
line 4: refused. The map id has to be a whole number from 1 to 2147483647.
added: 2, changed: 0, unchanged: 0, already on the site: 0, refused: 1.
`, b.operator("import", file))
	_, maps, total := b.withoutReplay("")
	if len(maps) != 2 || total != 2 {
		t.Fatalf("listed %+v of %v", maps, total)
	}
	stairs, sky := maps[0], maps[1]
	assert.Equal(t, "listed", []httpapi.ListedMap{
		{BonkDbId: 1001, Name: "Cloud Stairs", Authors: []string{"Rain", "nobody 7"}, UnderscoreId: stairs.UnderscoreId,
			ImportedAt: stairs.ImportedAt, UpdatedAt: stairs.ImportedAt},
		{BonkDbId: 1000, Name: "Skyline Run", Authors: []string{"cloudstep"}, UnderscoreId: sky.UnderscoreId,
			Page: new("https://bonk.io/maps/1000"), ImportedAt: sky.ImportedAt, UpdatedAt: sky.ImportedAt},
	}, maps)
	for _, tt := range []struct {
		query string
		want  []string
		total float64
	}{
		{"name=" + url.QueryEscape("LOUD st"), []string{"Cloud Stairs"}, 1},
		{"name=sk", []string{"Skyline Run"}, 1},
		{"name=ky", []string{}, 0},
		{"name=%00", []string{}, 0},
		{"limit=1&page=2", []string{"Skyline Run"}, 2},
		{"page=3", []string{}, 2},
	} {
		if names, _, total := b.withoutReplay(tt.query); !slices.Equal(tt.want, names) || total != tt.total {
			t.Errorf("%s: %v of %v, want %v of %v", tt.query, names, total, tt.want, tt.total)
		}
	}
	for path, code := range map[string]string{
		"?page=0": "page_invalid", "?limit=101": "page_invalid", "?name=" + strings.Repeat("a", 101): "term_too_long",
		"/none": "listed_map_unknown",
	} {
		if answer := b.get("/api/v1/maps/listed" + path); answer.Code != code {
			t.Errorf("%s: %d %s", path, answer.Status, answer.Raw)
		}
	}
	first := b.submitted(b.submissionOf(b.Players.player("cloudstep"), 1000, "Skyline Run", "cloudstep")).UnderscoreId
	names, _, _ := b.withoutReplay("")
	assert.Equal(t, "listed after the submission", []string{"Cloud Stairs"}, names)
	sky.MapId = &first
	assert.Equal(t, "the submitted map", sky,
		servicetest.Data[httpapi.ListedMap](t, b.get("/api/v1/maps/listed/"+sky.UnderscoreId)))
}

func TestImport_as_JSON(t *testing.T) {
	b := setup(t)
	file := b.file("map id,name,authors\n1,Map 1,cloudstep\n")
	var report struct{ Counts map[string]int }
	require.NoError(t, json.Unmarshal([]byte(b.operator("import", "--json", file)), &report))
	assert.Equal(t, "counts", map[string]int{"added": 1, "changed": 0, "unchanged": 0, "onSite": 0, "refused": 0},
		report.Counts)
	for _, args := range [][]string{
		{}, {"--json"}, {file, file}, {file, "--force"}, {filepath.Join(t.TempDir(), "none.csv")},
	} {
		if out, err := b.command("import", args...); err == nil {
			t.Errorf("import %v printed %s", args, out)
		}
	}
	for rows, want := range map[string]string{
		"5000,Last,cloudstep\n5001,\"Broken,cloudstep\n": "line 3", "zero,Last,cloudstep\n": "every row",
	} {
		_, err := b.command("import", b.file("map id,name,authors\n"+rows))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("import of %q: %v", rows, err)
		}
	}
	if _, _, total := b.withoutReplay("name=Last"); total != 0 {
		t.Error("a map of a broken file is listed")
	}
}
