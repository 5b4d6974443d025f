package check

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
)

// files reads the project's files whose names end with suffix, by their paths.
func files(t *testing.T, suffix string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && (name == "node_modules" || strings.HasPrefix(name, ".") && path != root) {
			return fs.SkipDir
		}
		if !entry.IsDir() && strings.HasSuffix(name, suffix) {
			found[filepath.Clean(path)] = read(t, path)
		}
		return nil
	})
	require.NoError(t, err)
	return found
}

var (
	secretSetting = regexp.MustCompile(`PASSWORD|SECRET|_KEY$|KEYS|TOKEN|DATABASE_URL|NATS_URL|REDIS_URL|ACCOUNT`)
	setting       = regexp.MustCompile("`env:\"([A-Z0-9_]+)[^`]*")
)

// TestSettings_Secrets finds a secret with a default.
func TestSettings_Secrets(t *testing.T) {
	t.Parallel()
	secrets := map[string]bool{}
	for path, text := range files(t, ".go") {
		for _, tag := range setting.FindAllStringSubmatch(text, -1) {
			if !secretSetting.MatchString(tag[1]) || strings.HasSuffix(tag[1], "_PER_MINUTE") {
				continue
			}
			secrets[tag[1]] = true
			if strings.Contains(tag[0], "envDefault") {
				t.Errorf("%s: %s has a default", path, tag[0])
			}
		}
	}
	for _, name := range []string{"DATABASE_URL", "NATS_URL", "REDIS_URL", "S3_SECRET_KEY", "TOKEN_KEYS_FILE",
		"CODE_SECRET_FILE", "BOT_ACCOUNT_FILE", "BOT_ACCOUNT_PASSWORD", "MINIO_ROOT_PASSWORD"} {
		if !secrets[name] {
			t.Errorf("no program reads %s", name)
		}
	}
}

var (
	codeBlock = regexp.MustCompile("(?s)```.*?```")
	heading   = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	noAnchor  = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	testName  = regexp.MustCompile("`(Test[A-Z]\\w+)")
	target    = regexp.MustCompile("(?m)(?:`|^\\$ )make ([a-z0-9-]+)")
)

// anchors are the names by which a link reaches the headings of a page, as GitHub makes them.
func anchors(page string) map[string]bool {
	found := map[string]bool{}
	for _, text := range heading.FindAllStringSubmatch(codeBlock.ReplaceAllString(page, ""), -1) {
		name := noAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(text[1])), "")
		found[strings.ReplaceAll(name, " ", "-")] = true
	}
	return found
}

// TestDocs_References found files, headings, tests and targets of make that documents name and that are gone.
func TestDocs_References(t *testing.T) {
	t.Parallel()
	pages, makefile := files(t, ".md"), read(t, filepath.Join(root, "Makefile"))
	var tests strings.Builder
	for _, text := range files(t, "_test.go") {
		tests.WriteString(text)
	}
	all := tests.String()
	for path, page := range pages {
		for _, name := range testName.FindAllStringSubmatch(page, -1) {
			if !strings.Contains(all, "func "+name[1]+"(") {
				t.Errorf("%s names the test %s, which is not there", path, name[1])
			}
		}
		for _, name := range target.FindAllStringSubmatch(page, -1) {
			if !regexp.MustCompile(`(?m)^` + name[1] + `:`).MatchString(makefile) {
				t.Errorf("%s names the target %s, which is not there", path, name[0])
			}
		}
		for _, match := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(page, ""), -1) {
			if strings.Contains(match[1], ":") {
				continue // to another site
			}
			file, anchor, _ := strings.Cut(match[1], "#")
			to := path
			if file != "" {
				to = filepath.Join(filepath.Dir(path), file)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which is not there", path, match[1])
			} else if anchor != "" && !anchors(pages[to])[anchor] {
				t.Errorf("%s links to %s: there is no such heading", path, match[1])
			}
		}
	}
}
