package check

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pages reads every Markdown page of the project, by its path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() &&
			(name == "node_modules" || strings.HasPrefix(name, ".") && path != root) {
			return fs.SkipDir
		}
		// method.md is a part of docs/performance.md, where its links lead from.
		if !entry.IsDir() && strings.HasSuffix(path, ".md") && entry.Name() != "method.md" {
			found[filepath.Clean(path)] = read(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var (
	codeBlock = regexp.MustCompile("(?s)```.*?```")
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading   = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	noAnchor  = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
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

// Every link from one page to a file of the project, or to a heading, leads somewhere.
func TestDocs_Links(t *testing.T) {
	t.Parallel()
	all := pages(t)
	links := 0
	for path, page := range all {
		for _, match := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(page, ""), -1) {
			if strings.Contains(match[1], ":") {
				continue // to another site
			}
			links++
			file, anchor, _ := strings.Cut(match[1], "#")
			target := path
			if file != "" {
				target = filepath.Join(filepath.Dir(path), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", path, match[1])
				continue
			}
			if anchor != "" && !anchors(all[target])[anchor] {
				t.Errorf("%s links to %s: there is no such heading", path, match[1])
			}
		}
	}
	if links < 100 {
		t.Errorf("only %d links are found", links)
	}
}
