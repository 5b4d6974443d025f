package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// goFiles calls see for every Go file of the project.
func goFiles(t *testing.T, see func(path string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() &&
			(name == "node_modules" || strings.HasPrefix(name, ".") && path != root) {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil {
			see(path, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDocs_names expects that the tests and Go files exist that the pages of docs/ name.
func TestDocs_names(t *testing.T) {
	t.Parallel()
	tests, files := map[string]bool{}, map[string]bool{}
	goFiles(t, func(path string, file *ast.File) {
		// A page names a file by the end of its path.
		for end, more := filepath.ToSlash(path), true; more; _, end, more = strings.Cut(end, "/") {
			files[end] = true
		}
		for _, declaration := range file.Decls {
			if f, is := declaration.(*ast.FuncDecl); is && strings.HasSuffix(path, "_test.go") {
				tests[f.Name.Name] = true
			}
		}
	})
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var (
		testName = regexp.MustCompile("`((?:Test|Fuzz)[A-Z][A-Za-z0-9_]+)(?:/[^`]*)?`")
		goFile   = regexp.MustCompile("`([a-z0-9_/]+\\.go)`")
		named    int
	)
	for _, path := range pages {
		page := read(t, path)
		for _, match := range testName.FindAllStringSubmatch(page, -1) {
			named++
			if !tests[match[1]] {
				t.Errorf("%s names %s, which does not exist", filepath.Base(path), match[1])
			}
		}
		for _, match := range goFile.FindAllStringSubmatch(page, -1) {
			if !files[match[1]] && filepath.Base(path) != "add-a-service.md" { // its example is no part of the project
				t.Errorf("%s names %s, which does not exist", filepath.Base(path), match[1])
			}
		}
	}
	if named < 30 {
		t.Errorf("only %d tests are found on the pages", named)
	}
}

var secretSetting = regexp.MustCompile(`PASSWORD|SECRET|_KEY$|KEYS|TOKEN|DATABASE_URL|NATS_URL|REDIS_URL|ACCOUNT`)

// What is secret comes from the environment or from a file that the environment
// names. Nothing secret has a default.
func TestSecretsComeFromFilesOrTheEnvironment(t *testing.T) {
	t.Parallel()
	secrets := map[string]bool{}
	goFiles(t, func(path string, file *ast.File) {
		if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
			return
		}
		ast.Inspect(file, func(node ast.Node) bool {
			field, is := node.(*ast.Field)
			if !is || field.Tag == nil {
				return true
			}
			tag := reflect.StructTag(strings.Trim(field.Tag.Value, "`"))
			name, _, _ := strings.Cut(tag.Get("env"), ",")
			if !secretSetting.MatchString(name) || strings.HasSuffix(name, "_PER_MINUTE") {
				return true
			}
			secrets[name] = true
			if value, has := tag.Lookup("envDefault"); has {
				t.Errorf("%s: %s has the default %q", path, name, value)
			}
			return true
		})
	})
	for _, name := range []string{
		"DATABASE_URL", "NATS_URL", "REDIS_URL", "S3_SECRET_KEY", "TOKEN_KEYS_FILE", "CODE_SECRET_FILE", "BOT_ACCOUNT_FILE",
		"BOT_ACCOUNT_PASSWORD", "MINIO_ROOT_PASSWORD",
	} {
		if !secrets[name] {
			t.Errorf("no program reads %s", name)
		}
	}
}
