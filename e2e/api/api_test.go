package api

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The client here and the types of the gateway are generated from the merged document of the API.
func TestGeneratedCode_is_current(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ folder, source, generated string }{
		{".", "api.go", "api.gen.go"},
		{"../../gateway/internal/apitypes", "apitypes.go", "types.gen.go"},
	} {
		t.Run(tt.generated, func(t *testing.T) {
			t.Parallel()
			_, line, _ := strings.Cut(read(t, filepath.Join(tt.folder, tt.source)), "//go:generate ")
			fresh := filepath.Join(t.TempDir(), "fresh.go")
			arguments := strings.Fields(strings.Replace(line, "-o "+tt.generated, "-o "+fresh, 1))
			generate := exec.CommandContext(t.Context(), arguments[0], arguments[1:]...)
			generate.Dir = tt.folder
			if output, err := generate.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			if diff := cmp.Diff(read(t, fresh), read(t, filepath.Join(tt.folder, tt.generated))); diff != "" {
				t.Errorf("%s is stale, run `make generate`:\n%.2000s", tt.generated, diff)
			}
		})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
