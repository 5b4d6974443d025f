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

var secretSetting = regexp.MustCompile(`PASSWORD|SECRET|_KEY$|KEYS|TOKEN|DATABASE_URL|NATS_URL|REDIS_URL|ACCOUNT`)

// TestSettings_Secrets expects that secrets come from the environment, or from a file that it names, and have no
// default.
func TestSettings_Secrets(t *testing.T) {
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
