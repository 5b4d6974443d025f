package problem_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
	"capzone.dev/platform/problem"
)

var constructors = map[string]problem.Kind{
	"Internal": problem.KindInternal, "InvalidArgument": problem.KindInvalidArgument,
	"Unauthenticated": problem.KindUnauthenticated, "Forbidden": problem.KindForbidden,
	"NotFound": problem.KindNotFound, "MethodNotAllowed": problem.KindMethodNotAllowed,
	"Conflict": problem.KindConflict, "TooLarge": problem.KindTooLarge, "WrongType": problem.KindWrongType,
	"Unprocessable": problem.KindUnprocessable, "RateLimited": problem.KindRateLimited,
	"Unavailable": problem.KindUnavailable,
}

// documented matches "409 `map_exists`" in an OpenAPI document.
var documented = regexp.MustCompile("\\b([45][0-9][0-9]) `([a-z_]+)`")

// A program that knows a code knows its status, whichever service answers.
func TestProblem_code_has_one_status_in_all_services(t *testing.T) {
	t.Parallel()
	type declaration struct {
		status int
		where  string
	}
	declared := map[string]declaration{}
	for _, file := range files(t, ".go") {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for code, status := range declarations(t, file) {
			if other, ok := declared[code]; ok && other.status != status {
				t.Errorf("%s is %d in %s and %d in %s", code, status, file, other.status, other.where)
			}
			declared[code] = declaration{status, file}
		}
	}
	if len(declared) < 50 {
		t.Errorf("found %d codes only", len(declared))
	}
	for _, file := range files(t, "openapi.yaml") {
		document, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range documented.FindAllStringSubmatch(string(document), -1) {
			if d, ok := declared[m[2]]; ok && strconv.Itoa(d.status) != m[1] {
				t.Errorf("%s documents %s as %s, but %s declares %d", file, m[2], m[1], d.where, d.status)
			}
		}
	}
}

// files returns the project's files whose names have the ending.
func files(t *testing.T, ending string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(testdeps.Root(t), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && (name == "node_modules" || strings.HasPrefix(name, ".")) {
			return fs.SkipDir
		}
		if !entry.IsDir() && strings.HasSuffix(name, ending) {
			found = append(found, path)
		}
		return nil
	})
	require.NoError(t, err)
	return found
}

// declarations returns the codes that a Go file declares with their statuses.
func declarations(t *testing.T, file string) map[string]int {
	t.Helper()
	found := map[string]int{}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(parsed, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		function, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if pkg, ok := function.X.(*ast.Ident); !ok || pkg.Name != "problem" {
			return true
		}
		code, ok := call.Args[0].(*ast.BasicLit)
		kind, isConstructor := constructors[function.Sel.Name]
		if ok && isConstructor {
			text, err := strconv.Unquote(code.Value)
			require.NoError(t, err)
			found[text] = kind.Status()
		}
		return true
	})
	return found
}
