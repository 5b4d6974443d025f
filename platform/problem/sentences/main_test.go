package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
)

func TestReadAll(t *testing.T) {
	t.Parallel()
	source := `package a
var (
	a = problem.Conflict("a", "A sentence " + "in parts.").WithRetryAfter(time.Second)
	b = problem.Conflict("a", "Another sentence.").WithReason("b").About("file")
	c = other.A.WithMessage("c", "At most {most}.").WithField("x", "d", "Too much.").WithField("y", "e", "must be x")
	d = problem.Field{Field: "x", Code: "f", Message: "Too little."}
	e = problem.Sentence("login.a", "A status.")
	f = a.WithMessage("", text)
)`
	got, err := readAll(fstest.MapFS{"a.go": {Data: []byte(source)}}, ".")
	want := sentences{
		"server.a": "A sentence in parts.", "server.b": "Another sentence.", "server.c": "At most {most}.",
		"field.d": "Too much.", "field.f": "Too little.", "login.a": "A status.",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestReadAll_two_sentences_of_one_code(t *testing.T) {
	t.Parallel()
	source := `package a
var a, b = problem.Conflict("a", "One."), problem.Conflict("a", "Another.")`
	if got, err := readAll(fstest.MapFS{"a.go": {Data: []byte(source)}}, "."); err == nil {
		t.Errorf("no error for %v", got)
	}
}

// The site's catalogues are made from the file.
func TestReadAll_generated_file(t *testing.T) {
	t.Parallel()
	tree := testdeps.Root(t)
	got, err := readAll(os.DirFS(tree), "services", "gateway", "platform", "game")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(tree, "web/src/locales/server.json"))
	require.NoError(t, err)
	var stored sentences
	require.NoError(t, json.Unmarshal(text, &stored))
	if diff := cmp.Diff(got, stored); diff != "" {
		t.Errorf("the sentences are stale: go generate ./platform/problem\n%s", diff)
	}
}
