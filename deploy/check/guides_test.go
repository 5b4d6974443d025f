package check

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// guides are the pages whose tables name files and what is in them.
var guides = []string{"docs/add-a-field.md", "docs/add-a-service.md", "docs/architecture.md", "CONTRIBUTING.md"}

var (
	tableRow = regexp.MustCompile(`(?m)^\|.*\|$`)
	quoted   = regexp.MustCompile("`([^`]+)`")
	braces   = regexp.MustCompile(`^(.*)\{([^{}]+)\}(.*)$`)
	filePath = regexp.MustCompile(
		`^[A-Za-z0-9_.@-]+(/[A-Za-z0-9_.@-]+)+/?$|^[A-Za-z0-9_-]+\.(go|tsx?|mjs|ya?ml|sql|md|json|conf|sh|work)$`,
	)
	name = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`)
	// example matches what only the field and the service of the examples would have.
	example = regexp.MustCompile(`(?i)difficult|club|<`)
)

// TestGuides_Names expects that the files which a row of a guide's table names exist, and have the names that stand
// beside them.
func TestGuides_Names(t *testing.T) {
	t.Parallel()
	files := projectFiles(t)
	checked := 0
	for _, guide := range guides {
		for _, row := range tableRow.FindAllString(read(t, filepath.Join(root, guide)), -1) {
			var texts []string
			var names []string
			for _, match := range quoted.FindAllStringSubmatch(row, -1) {
				for _, token := range expand(match[1]) {
					switch {
					case example.MatchString(token):
					case filePath.MatchString(token) || slices.Contains(files, token):
						checked++
						found := withSuffix(files, token)
						if len(found) == 0 {
							t.Errorf("%s: there is no %s", guide, token)
						}
						texts = append(texts, found...)
					case name.MatchString(token):
						names = append(names, token)
					}
				}
			}
			if len(texts) == 0 {
				continue
			}
			for _, name := range names {
				checked++
				if !slices.ContainsFunc(texts, func(path string) bool { return hasName(t, path, name) }) {
					t.Errorf("%s: %v have no %s", guide, texts, name)
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d names were found", checked)
	}
}

// expand returns the paths of a pattern like "postgres/{read,rows}.go".
func expand(token string) []string {
	match := braces.FindStringSubmatch(token)
	if match == nil {
		return []string{token}
	}
	var all []string
	for part := range strings.SplitSeq(match[2], ",") {
		all = append(all, match[1]+part+match[3])
	}
	return all
}

// projectFiles returns the paths of all files and folders of the project.
func projectFiles(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{"node_modules", ".git", ".tools"}, entry.Name()) {
			return fs.SkipDir
		}
		relative, err := filepath.Rel(root, path)
		paths = append(paths, filepath.ToSlash(relative))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// withSuffix returns the paths that end with the elements of a path.
func withSuffix(paths []string, path string) (found []string) {
	path = strings.TrimSuffix(path, "/")
	for _, candidate := range paths {
		if candidate == path || strings.HasSuffix(candidate, "/"+path) {
			found = append(found, candidate)
		}
	}
	return found
}

// hasName reports whether a file, or a file directly in a folder, has a name: of "Map.State" both parts.
func hasName(t *testing.T, path, name string) bool {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, path))
	if err != nil {
		entries = []fs.DirEntry{nil}
	}
	text := ""
	for _, entry := range entries {
		file := filepath.Join(root, path)
		if entry != nil {
			file = filepath.Join(file, entry.Name())
		}
		if content, err := os.ReadFile(file); err == nil {
			text += string(content)
		}
	}
	for part := range strings.SplitSeq(name, ".") {
		if !regexp.MustCompile(`\b` + regexp.QuoteMeta(part) + `\b`).MatchString(text) {
			return false
		}
	}
	return true
}
