package problem_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
)

var update = flag.Bool("update", false, "write web/src/locales/server.json")

// The site's catalogues are made from web/src/locales/server.json, which -update writes: the sentences of the Go
// sources by their ids. They are the literals that are declared as problems, as reasons, as codes of fields and by
// problem.Sentence. What begins with a small letter is for programmers and left out.
func TestSentences_generated_file(t *testing.T) {
	t.Parallel()
	tree := testdeps.Root(t)
	got, err := readAll(os.DirFS(tree), "services", "gateway", "platform", "game")
	require.NoError(t, err)
	path := filepath.Join(tree, "web/src/locales/server.json")
	if *update {
		text, err := json.MarshalIndent(got, "", "  ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, append(text, '\n'), 0o600))
		return
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var stored sentences
	require.NoError(t, json.Unmarshal(text, &stored))
	if diff := cmp.Diff(got, stored); diff != "" {
		t.Errorf("the sentences are stale: go generate ./platform/problem\n%s", diff)
	}
}

func TestSentences(t *testing.T) {
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

func TestSentences_two_of_one_code(t *testing.T) {
	t.Parallel()
	source := `package a
var a, b = problem.Conflict("a", "One."), problem.Conflict("a", "Another.")`
	if got, err := readAll(fstest.MapFS{"a.go": {Data: []byte(source)}}, "."); err == nil {
		t.Errorf("no error for %v", got)
	}
}

// readAll returns the sentences of the Go files in folders by their ids. An id with two sentences is an error.
func readAll(files fs.FS, folders ...string) (sentences, error) {
	found := sentences{}
	for _, folder := range folders {
		err := fs.WalkDir(files, folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := fs.ReadFile(files, path)
			if err != nil {
				return err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			return found.read(parsed)
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// sentences are texts by their ids.
type sentences map[string]string

func (s sentences) read(file *ast.File) (err error) {
	renamed := map[ast.Expr]bool{} // problems whose sentence WithReason names
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			err = s.readCall(n, renamed)
		case *ast.CompositeLit:
			err = s.readField(n)
		}
		return err == nil
	})
	return err
}

// readCall reads problem.Conflict("code", "Sentence."), its WithReason, WithMessage and WithField, problem.Sentence,
// and a function of the package with the name sentence.
func (s sentences) readCall(call *ast.CallExpr, renamed map[ast.Expr]bool) error {
	args := literals(call.Args)
	if local, ok := call.Fun.(*ast.Ident); ok && local.Name == "sentence" && len(args) == 2 {
		return s.add(args[0], args[1])
	}
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	name := function.Sel.Name
	switch pkg, _ := function.X.(*ast.Ident); {
	case name == "WithReason" && len(args) == 1:
		declared, ok := function.X.(*ast.CallExpr)
		if ok && len(declared.Args) == 2 {
			renamed[declared] = true
			return s.add("server."+args[0], literals(declared.Args)[1])
		}
	case name == "Sentence" && len(args) == 2:
		return s.add(args[0], args[1])
	case pkg != nil && pkg.Name == "problem" && len(args) == 2 && !renamed[call], name == "WithMessage" && len(args) == 2:
		return s.add("server."+args[0], args[1])
	case name == "WithField" && len(args) == 3:
		return s.add("field."+args[1], args[2])
	}
	return nil
}

// readField reads problem.Field{Code: "code", Message: "Sentence."}.
func (s sentences) readField(literal *ast.CompositeLit) error {
	var values [2]string
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		switch key, _ := pair.Key.(*ast.Ident); {
		case key != nil && key.Name == "Code":
			values[0] = literals([]ast.Expr{pair.Value})[0]
		case key != nil && key.Name == "Message":
			values[1] = literals([]ast.Expr{pair.Value})[0]
		}
	}
	return s.add("field."+values[0], values[1])
}

// add adds a sentence unless it is none for people, or not a literal.
func (s sentences) add(id, text string) error {
	first, _ := utf8.DecodeRuneInString(text)
	if strings.HasSuffix(id, ".") || text == "" || unicode.IsLower(first) {
		return nil
	}
	if other, ok := s[id]; ok && other != text {
		return fmt.Errorf("%s has two sentences: %q and %q", id, other, text)
	}
	s[id] = text
	return nil
}

// literals returns the texts of expressions that are literals or sums of them, and "" for others.
func literals(expressions []ast.Expr) []string {
	texts := make([]string, len(expressions))
	for i, e := range expressions {
		switch e := e.(type) {
		case *ast.BasicLit:
			texts[i], _ = strconv.Unquote(e.Value)
		case *ast.BinaryExpr:
			if parts := literals([]ast.Expr{e.X, e.Y}); parts[0] != "" && parts[1] != "" {
				texts[i] = parts[0] + parts[1]
			}
		}
	}
	return texts
}
