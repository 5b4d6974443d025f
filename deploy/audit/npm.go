package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"strings"
)

// npmPackages are those that the package.json in a folder needs to run, as its
// package-lock.json pins them.
type npmPackages struct{ folder string }

func (npmPackages) kind() string { return "npm" }

func (p npmPackages) find(ctx context.Context) ([]weakness, error) {
	var output, said bytes.Buffer
	check := exec.CommandContext(ctx, "npm", "audit", "--omit=dev", "--json")
	check.Dir, check.Stdout, check.Stderr = p.folder, &output, &said
	// The exit code is 1 for weaknesses and for most of what goes wrong.
	failed := check.Run()
	if exit := (*exec.ExitError)(nil); failed != nil && !errors.As(failed, &exit) {
		return nil, failed
	}
	found, err := readReport(output.Bytes())
	if err != nil && said.Len() > 0 {
		err = fmt.Errorf("%w: %s", err, firstLine(said.String()))
	}
	return found, err
}

// readReport reads what npm writes. An answer that is no report is a noDatabase:
// npm says so in many words where the registry cannot be reached, and where it
// takes no such question.
func readReport(output []byte) ([]weakness, error) {
	var report struct {
		Version         int `json:"auditReportVersion"`
		Vulnerabilities map[string]struct {
			Via []json.RawMessage `json:"via"`
		} `json:"vulnerabilities"`
		Message string `json:"message"`
		Error   struct {
			Summary string `json:"summary"`
		} `json:"error"`
	}
	if err := json.Unmarshal(output, &report); err != nil {
		return nil, fmt.Errorf("npm's answer: %w", err)
	}
	if report.Version == 0 {
		return nil, noDatabase{errors.New(cmp.Or(report.Message, report.Error.Summary, "npm gives no report"))}
	}
	if report.Version != reportVersion {
		return nil, fmt.Errorf("npm's report has version %d, not %d", report.Version, reportVersion)
	}
	found := map[string]weakness{}
	for _, v := range report.Vulnerabilities {
		for _, via := range v.Via {
			var advisory struct {
				Name     string `json:"name"`
				Title    string `json:"title"`
				URL      string `json:"url"`
				Severity string `json:"severity"`
				Range    string `json:"range"`
			}
			// A string names another package of the report, through which this one is weak.
			if json.Unmarshal(via, &advisory) != nil || advisory.URL == "" {
				continue
			}
			id := path.Base(advisory.URL)
			found[id+" "+advisory.Name] = weakness{
				ID: id, In: advisory.Name, Summary: fmt.Sprintf("%s (%s, in %s)", advisory.Title, advisory.Severity, advisory.Range),
			}
		}
	}
	if len(report.Vulnerabilities) > 0 && len(found) == 0 {
		return nil, errors.New("npm reports weaknesses without an advisory")
	}
	return sorted(found), nil
}

// reportVersion is that of npm 7 and newer.
const reportVersion = 2

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
