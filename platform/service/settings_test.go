package service_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
)

var setting = regexp.MustCompile(`env:"([A-Z][A-Z0-9_]+)`)

// docs/settings.md names every variable that any process reads.
func TestSettings_are_documented(t *testing.T) {
	t.Parallel()
	root := testdeps.Root(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "settings.md"))
	require.NoError(t, err)
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() &&
			(name == "node_modules" || strings.HasPrefix(name, ".")) {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, match := range setting.FindAllSubmatch(source, -1) {
			if name := string(match[1]); !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("%s reads %s, which docs/settings.md does not name", path, name)
			}
		}
		return nil
	})
	require.NoError(t, err)
}
