package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/vuln/scan"

	"capzone.dev/platform/httpget"
)

// goDatabase is where Go's weaknesses are published.
const goDatabase = "https://vuln.go.dev"

// answerTimeout is how long a database may take to say that it is there.
const answerTimeout = 15 * time.Second

// goModules are the modules of the go.work in a folder. Each is looked through
// as it is built, alone.
type goModules struct{ root, database string }

func (goModules) kind() string { return "go" }

func (m goModules) find(ctx context.Context) ([]weakness, error) {
	if err := answers(ctx, m.database); err != nil {
		return nil, noDatabase{err}
	}
	folders, err := m.folders(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]weakness{}
	for _, folder := range folders {
		if err := govulncheck(ctx, folder, m.database, found); err != nil {
			return nil, fmt.Errorf("govulncheck in %s: %w", folder, err)
		}
	}
	return sorted(found), nil
}

// answers returns nil where a database is at the address.
func answers(ctx context.Context, database string) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	address, err := url.Parse(database)
	if err != nil {
		return err
	}
	if address.Scheme == "file" {
		_, err := os.Stat(filepath.Join(filepath.FromSlash(address.Path), "index", "modules.json"))
		return err
	}
	_, err = httpget.Body(ctx, strings.TrimRight(database, "/")+"/index/modules.json.gz")
	return err
}

func (m goModules) folders(ctx context.Context) ([]string, error) {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}")
	list.Dir, list.Stderr = m.root, os.Stderr
	output, err := list.Output()
	return strings.Fields(string(output)), err
}

// finding is what govulncheck writes of a weakness, once for each place.
type finding struct {
	OSV   string `json:"osv"`
	Fixed string `json:"fixed_version"`
	Trace []struct {
		Module   string `json:"module"`
		Version  string `json:"version"`
		Package  string `json:"package"`
		Function string `json:"function"`
	} `json:"trace"`
}

// called tells that the code reaches the weak function: what is merely required
// or imported does nothing.
func (f finding) called() bool { return len(f.Trace) > 0 && f.Trace[0].Function != "" }

// govulncheck adds the weaknesses that a module's code reaches.
func govulncheck(ctx context.Context, folder, database string, found map[string]weakness) error {
	var output, said bytes.Buffer
	check := scan.Command(ctx, "-C", folder, "-db", database, "-format", "json", "./...")
	check.Env = append(os.Environ(), "GOWORK=off")
	check.Stdin, check.Stdout, check.Stderr = strings.NewReader(""), &output, &said
	if err := check.Start(); err != nil {
		return err
	}
	if err := check.Wait(); err != nil {
		return fmt.Errorf("%w: %s", err, &said)
	}
	return readFindings(&output, filepath.Base(folder), found)
}

// readFindings reads govulncheck's stream of messages.
func readFindings(stream io.Reader, where string, found map[string]weakness) error {
	summaries := map[string]string{}
	for decoder := json.NewDecoder(stream); ; {
		var message struct {
			OSV *struct {
				ID      string `json:"id"`
				Summary string `json:"summary"`
			} `json:"osv"`
			Finding *finding `json:"finding"`
		}
		err := decoder.Decode(&message)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("govulncheck's answer: %w", err)
		}
		if message.OSV != nil {
			summaries[message.OSV.ID] = message.OSV.Summary
		}
		f := message.Finding
		if f == nil || !f.called() {
			continue
		}
		weak := f.Trace[0]
		summary := fmt.Sprintf("%s (%s@%s, reached by %s; fixed in %s)",
			cmp.Or(summaries[f.OSV], "no summary"), weak.Package, cmp.Or(weak.Version, "?"), where, cmp.Or(f.Fixed, "no version yet"))
		if key := f.OSV + " " + weak.Module; found[key].ID == "" {
			found[key] = weakness{ID: f.OSV, In: weak.Module, Summary: summary}
		}
	}
}

func sorted(found map[string]weakness) []weakness {
	list := make([]weakness, 0, len(found))
	for _, w := range found {
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b weakness) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.In, b.In)) })
	return list
}
