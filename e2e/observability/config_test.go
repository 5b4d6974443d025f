package observability_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/require"
)

// rule is a rule of Prometheus: one that records, or one that alerts.
type rule struct {
	Record      string
	Alert       string
	Expr        string
	For         string
	Labels      map[string]string
	Annotations map[string]string
}

// rules returns the rules of deploy/observability that record, and those that alert.
func rules(t *testing.T) (recording, alerts []rule) {
	t.Helper()
	var content struct{ Groups []struct{ Rules []rule } }
	require.NoError(t, yaml.Unmarshal([]byte(file(t, "deploy", "observability", "prometheus", "rules.yml")), &content))
	for _, group := range content.Groups {
		for _, r := range group.Rules {
			if r.Record != "" {
				recording = append(recording, r)
			} else {
				alerts = append(alerts, r)
			}
		}
	}
	if len(recording) == 0 || len(alerts) == 0 {
		t.Fatalf("%d rules record and %d alert", len(recording), len(alerts))
	}
	return recording, alerts
}

// TestAlerts_say_what_to_do expects of each critical alert a paragraph in docs/observability.md and a test in which it
// fires, and of each warning a description.
func TestAlerts_say_what_to_do(t *testing.T) {
	t.Parallel()
	page := file(t, "docs", "observability.md")
	tests := file(t, "deploy", "observability", "prometheus", "alerts_test.yml")
	_, alerts := rules(t)
	for _, a := range alerts {
		if a.Annotations["summary"] == "" {
			t.Errorf("%s has no summary", a.Alert)
		}
		if a.Labels["severity"] == "warning" && a.Annotations["description"] != "" {
			continue
		}
		_, paragraph, _ := strings.Cut(page, "\n### "+a.Alert+"\n")
		paragraph, _, _ = strings.Cut(paragraph, "\n#")
		if a.Labels["severity"] != "critical" || !strings.Contains(paragraph, "**Do:**") ||
			a.Annotations["runbook"] != "docs/observability.md#"+strings.ToLower(a.Alert) {
			t.Errorf("%s (%v) does not say what to do: %v", a.Alert, a.Labels, a.Annotations)
		}
		if !strings.Contains(tests, `alertname="`+a.Alert+`"`) {
			t.Errorf("no test has %s fire", a.Alert)
		}
	}
}

// dashboard is what the tests read of a dashboard's file.
type dashboard struct {
	Panels []struct {
		Title   string
		Targets []struct{ Expr string }
	}
}

func dashboards(t *testing.T) map[string]dashboard {
	t.Helper()
	root, err := checkout.Root()
	require.NoError(t, err)
	paths, err := filepath.Glob(filepath.Join(root, "deploy", "observability", "grafana", "dashboards", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d dashboards, %v", len(paths), err)
	}
	all := map[string]dashboard{}
	for _, path := range paths {
		name := filepath.Base(path)
		var d dashboard
		if err := json.Unmarshal([]byte(file(t, "deploy", "observability", "grafana", "dashboards", name)), &d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = d
	}
	return all
}

// TestMetrics_asked_for_exist expects that there are the metrics of dashboards, rules and alerts.
func TestMetrics_asked_for_exist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"up": true, "ALERTS": true, "process_cpu_seconds_total": true,
		"process_resident_memory_bytes": true, "go_goroutines": true}
	for name := range documentedMetrics(t) {
		for _, part := range []string{"", "_bucket", "_sum", "_count"} {
			known[name+part] = true
		}
	}
	recording, alerts := rules(t)
	for _, r := range recording {
		known[r.Record] = true
	}
	check := func(where, expression string) {
		t.Helper()
		names := asked(expression)
		if len(names) == 0 {
			t.Errorf("%s asks for nothing: %s", where, expression)
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s asks for %s, which no process has", where, name)
			}
		}
	}
	for _, r := range recording {
		check("the rule "+r.Record, r.Expr)
	}
	for _, a := range alerts {
		check("the alert "+a.Alert, a.Expr)
	}
	for name, d := range dashboards(t) {
		for _, p := range d.Panels {
			for _, target := range p.Targets {
				check(name+": "+p.Title, target.Expr)
			}
		}
	}
}

var (
	quoted      = regexp.MustCompile(`"[^"]*"`)
	selector    = regexp.MustCompile(`\{[^}]*\}|\[[^\]]*\]`)
	labelLists  = regexp.MustCompile(`\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)`)
	identifier  = regexp.MustCompile(`[a-zA-Z_:][a-zA-Z0-9_:]*\s*\(?`)
	notSelected = map[string]bool{"and": true, "or": true, "unless": true, "bool": true, "offset": true}
)

// asked returns the metrics that a PromQL expression selects.
func asked(expression string) []string {
	expression = quoted.ReplaceAllString(expression, "")
	expression = selector.ReplaceAllString(expression, "")
	expression = labelLists.ReplaceAllString(expression, "")
	names := map[string]bool{}
	for _, found := range identifier.FindAllString(expression, -1) {
		if name := strings.TrimSpace(found); !strings.HasSuffix(name, "(") && !notSelected[name] {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
