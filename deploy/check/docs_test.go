package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
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

// The tests that docs/security.md names are there.
func TestTheTestsOfTheSecurityPageExist(t *testing.T) {
	t.Parallel()
	there := map[string]bool{}
	goFiles(t, func(path string, file *ast.File) {
		for _, declaration := range file.Decls {
			if f, is := declaration.(*ast.FuncDecl); is && strings.HasSuffix(path, "_test.go") {
				there[f.Name.Name] = true
			}
		}
	})
	page := read(t, filepath.Join(root, "docs", "security.md"))
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Z][A-Za-z0-9_]+)(?:/[^`]*)?`").FindAllStringSubmatch(page, -1)
	if len(named) < 30 {
		t.Errorf("only %d tests are found on the page", len(named))
	}
	for _, name := range named {
		if !there[name[1]] {
			t.Errorf("there is no %s", name[1])
		}
	}
	for _, file := range regexp.MustCompile("`([a-z]+_test.go)`").FindAllStringSubmatch(page, -1) {
		found := false
		for _, folder := range []string{".", filepath.Join(root, "e2e")} {
			_, err := os.Stat(filepath.Join(folder, file[1]))
			found = found || err == nil
		}
		if !found {
			t.Errorf("there is no %s", file[1])
		}
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
