package apitypes_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTypes_are_generated_from_the_document(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("apitypes.go")
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(source), "//go:generate ")
	fresh := filepath.Join(t.TempDir(), "fresh.go")
	arguments := strings.Fields(strings.Replace(line, "-o types.gen.go", "-o "+fresh, 1))
	if output, err := exec.CommandContext(t.Context(), arguments[0], arguments[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	want, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("types.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Error("types.gen.go is stale, run `make generate`")
	}
}
