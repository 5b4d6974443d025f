package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// program is a module that calls one function of the standard library, and
// imports another without calling it.
const program = `package main

import (
	"mime"
	"net/textproto"
)

func main() {
	println(textproto.TrimString(" said "))
	_ = mime.ErrInvalidMediaParameter
}
`

// write writes files, by their path in a folder that is made for them.
func write(t *testing.T, files map[string]string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for path, text := range files {
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// weaknessOf is an entry of a database: a function of the standard library that
// is weak in every version.
func weaknessOf(t *testing.T, id, summary, pkg, function string) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"schema_version": "1.3.1", "id": id, "summary": summary, "modified": "2026-01-01T00:00:00Z", "published": "2026-01-01T00:00:00Z",
		"affected": []any{map[string]any{
			"package":            map[string]any{"name": "stdlib", "ecosystem": "Go"},
			"ranges":             []any{map[string]any{"type": "SEMVER", "events": []any{map[string]any{"introduced": "0"}}}},
			"ecosystem_specific": map[string]any{"imports": []any{map[string]any{"path": pkg, "symbols": []any{function}}}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// database is a vulnerability database as vuln.go.dev publishes it.
func database(t *testing.T) string {
	t.Helper()
	folder := write(t, map[string]string{
		"index/db.json":        `{"modified": "2026-01-01T00:00:00Z"}`,
		"index/modules.json":   `[{"path": "stdlib", "vulns": [{"id": "GO-2026-0001", "modified": "2026-01-01T00:00:00Z"}, {"id": "GO-2026-0002", "modified": "2026-01-01T00:00:00Z"}]}]`,
		"index/vulns.json":     `[{"id": "GO-2026-0001", "modified": "2026-01-01T00:00:00Z"}, {"id": "GO-2026-0002", "modified": "2026-01-01T00:00:00Z"}]`,
		"ID/GO-2026-0001.json": weaknessOf(t, "GO-2026-0001", "Trims too much", "net/textproto", "TrimString"),
		"ID/GO-2026-0002.json": weaknessOf(t, "GO-2026-0002", "Parses for ever", "mime", "ParseMediaType"),
	})
	return "file://" + filepath.ToSlash(folder)
}

func TestGovulncheckFindsWhatIsReached(t *testing.T) {
	folder := write(t, map[string]string{
		"go.work":        "go 1.26.0\n\nuse ./one\n",
		"one/go.mod":     "module example.org/one\n\ngo 1.26.0\n",
		"one/program.go": program,
	})
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	got, err := goModules{root: folder, database: database(t)}.find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if !strings.HasPrefix(got[i].Summary, "Trims too much (net/textproto@") || !strings.HasSuffix(got[i].Summary, ", reached by one; fixed in no version yet)") {
			t.Errorf("the summary is %q", got[i].Summary)
		}
		got[i].Summary = ""
	}
	if diff := cmp.Diff([]weakness{{ID: "GO-2026-0001", In: "stdlib"}}, got); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

func TestCodeThatDoesNotCompileIsNotCalledWell(t *testing.T) {
	folder := write(t, map[string]string{
		"go.work":        "go 1.26.0\n\nuse ./one\n",
		"one/go.mod":     "module example.org/one\n\ngo 1.26.0\n",
		"one/program.go": "package main\n\nfunc main() { absent() }\n",
	})
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	found, err := goModules{root: folder, database: database(t)}.find(t.Context())
	if nobody := (noDatabase{}); err == nil || errors.As(err, &nobody) {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestADatabaseThatIsNotThere(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(refusing.Close)
	for _, address := range []string{"http://127.0.0.1:1", refusing.URL, "file:///absent", "file://" + t.TempDir()} {
		found, err := goModules{root: ".", database: address}.find(t.Context())
		if nobody := (noDatabase{}); !errors.As(err, &nobody) {
			t.Errorf("%s: found %v, %v", address, found, err)
		}
	}
}

func TestFindingsThatAreNotReachedDoNotCount(t *testing.T) {
	t.Parallel()
	stream := `{"config": {"protocol_version": "v1.0.0"}}
		{"osv": {"id": "GO-2026-0003", "summary": "Zip bombs"}}
		{"finding": {"osv": "GO-2026-0003", "fixed_version": "v1.2.3", "trace": [{"module": "example.org/zip", "version": "v1.0.0"}]}}
		{"finding": {"osv": "GO-2026-0003", "fixed_version": "v1.2.3", "trace": [{"module": "example.org/zip", "version": "v1.0.0", "package": "example.org/zip/read"}]}}`
	reached := `{"finding": {"osv": "GO-2026-0003", "fixed_version": "v1.2.3", "trace": [{"module": "example.org/zip", "version": "v1.0.0", "package": "example.org/zip/read", "function": "All"}]}}`
	for stream, want := range map[string][]weakness{
		stream:                     {},
		stream + reached + reached: {{ID: "GO-2026-0003", In: "example.org/zip", Summary: "Zip bombs (example.org/zip/read@v1.0.0, reached by maps; fixed in v1.2.3)"}},
	} {
		found := map[string]weakness{}
		if err := readFindings(strings.NewReader(stream), "maps", found); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, sorted(found)); diff != "" {
			t.Errorf("found (-want +got):\n%s", diff)
		}
	}
	if err := readFindings(strings.NewReader(stream+"{"), "maps", map[string]weakness{}); err == nil {
		t.Error("a stream that breaks off was taken for whole")
	}
}
