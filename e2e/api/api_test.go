package api

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestClient_is_generated_from_the_document(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("api.go")
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(source), "//go:generate ")
	fresh := filepath.Join(t.TempDir(), "fresh.go")
	arguments := strings.Fields(strings.Replace(line, "-o api.gen.go", "-o "+fresh, 1))
	if output, err := exec.CommandContext(t.Context(), arguments[0], arguments[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	want, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("api.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Error("api.gen.go is stale, run `make generate`")
	}
}
