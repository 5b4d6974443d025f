package check

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/programs"
	"capzone.dev/devstack/require"
)

//go:generate go test -count=1 -run TestTemplates_Generated -update .

var update = flag.Bool("update", false, "write the generated files anew")

// generated are the files that follow from deploy/services.yaml or from another file, by their templates in
// deploy/templates.
var generated = map[string]string{
	"docker-compose.yml":  "docker-compose.yml",
	"services.yaml":       "deploy/k8s/base/services.yaml",
	"postgres.yaml":       "deploy/k8s/operators/postgres.yaml",
	"secrets.sh":          "deploy/k8s/secrets.sh",
	"trial.yaml":          "deploy/k8s/trial/network.yaml",
	"prometheus.yml":      "deploy/observability/prometheus/prometheus.yml",
	"prometheusrule.yaml": "deploy/observability/prometheusrule.yaml",
}

// services returns the rows of deploy/services.yaml.
func services(t *testing.T) []programs.Service {
	t.Helper()
	list, err := programs.Services(root)
	require.NoError(t, err)
	return list
}

// serviceNames returns the names of the services for which chosen is true, in the order of the names.
func serviceNames(t *testing.T, chosen func(programs.Service) bool) (names []string) {
	t.Helper()
	for _, s := range services(t) {
		if chosen(s) {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return names
}

// programNames returns the names of what serves permanently, in their order.
func programNames(t *testing.T) []string {
	t.Helper()
	return slices.Sorted(slices.Values(append(serviceNames(t, anyService), "bot", "gateway")))
}

func anyService(programs.Service) bool  { return true }
func hasBucket(s programs.Service) bool { return s.Bucket }

// indented returns the rows of a YAML file, without the comment at its start, as the value of a key.
func indented(path string) (string, error) {
	content, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		return "", err
	}
	start := bytes.Index(content, []byte("\ngroups:"))
	if start < 0 {
		return "", fmt.Errorf("%s has no groups", path)
	}
	rows := strings.Split(strings.TrimSpace(string(content[start:])), "\n")
	for i, row := range rows {
		if row != "" {
			rows[i] = "  " + row
		}
	}
	return strings.Join(rows, "\n"), nil
}

// TestTemplates_Generated finds a generated file that was edited, or not written anew.
func TestTemplates_Generated(t *testing.T) {
	t.Parallel()
	functions := template.FuncMap{
		"upper": strings.ToUpper, "join": strings.Join,
		"values":   func(m map[string]string) []string { return slices.Sorted(maps.Values(m)) },
		"indented": indented,
	}
	for name, file := range generated {
		parsed, err := template.New(name).Funcs(functions).Option("missingkey=error").
			ParseFiles(filepath.Join(root, "deploy/templates", name))
		require.NoError(t, err)
		var want bytes.Buffer
		require.NoError(t, parsed.Execute(&want, services(t)))
		path := filepath.Join(root, file)
		if *update {
			if err := os.WriteFile(path, want.Bytes(), 0o644); err != nil { //nolint:gosec // others may read it
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		if diff := cmp.Diff(want.String(), string(got)); diff != "" {
			t.Errorf("%s is stale, run `make generate` (-template +file):\n%s", file, diff)
		}
	}
}
