package observability_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"capzone.dev/devstack/checkout"
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

func rules(t *testing.T, name string) (all []rule) {
	t.Helper()
	var content struct {
		Groups []struct {
			Name  string
			Rules []rule
		}
	}
	if err := yaml.Unmarshal([]byte(file(t, "deploy", "observability", "prometheus", "rules", name)),
		&content); err != nil {
		t.Fatal(err)
	}
	for _, group := range content.Groups {
		all = append(all, group.Rules...)
	}
	if len(all) == 0 {
		t.Fatalf("%s has no rules", name)
	}
	return all
}

func recordingRules(t *testing.T) []rule { t.Helper(); return rules(t, "recording.yml") }
func alerts(t *testing.T) []rule         { t.Helper(); return rules(t, "alerts.yml") }

// TestAlerts_have_runbooks expects that each alert has a severity, a summary, a paragraph that says what to do, and a
// test in which it fires.
func TestAlerts_have_runbooks(t *testing.T) {
	t.Parallel()
	page := file(t, "docs", "observability.md")
	tests := file(t, "deploy", "observability", "prometheus", "tests", "alerts.yml")
	for _, a := range alerts(t) {
		if s := a.Labels["severity"]; s != "critical" && s != "warning" {
			t.Errorf("%s is of the severity %q", a.Alert, s)
		}
		if a.Annotations["summary"] == "" || a.Annotations["description"] == "" ||
			a.Annotations["runbook"] != "docs/observability.md#"+strings.ToLower(a.Alert) {
			t.Errorf("%s says %v", a.Alert, a.Annotations)
		}
		_, paragraph, found := strings.Cut(page, "\n#### "+a.Alert+"\n")
		paragraph, _, _ = strings.Cut(paragraph, "\n####")
		if !found || !strings.Contains(paragraph, "**Do:**") || !strings.Contains(paragraph, "*"+a.Labels["severity"]+".*") {
			t.Errorf("docs/observability.md does not say what to do about %s", a.Alert)
		}
		if !strings.Contains(tests, `alertname="`+a.Alert+`"`) && !strings.Contains(tests, "alertname: "+a.Alert+"\n") {
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
	if err != nil {
		t.Fatal(err)
	}
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

// The rules for the Prometheus operator are those of the files.
func TestRules_of_the_cluster(t *testing.T) {
	t.Parallel()
	type groups struct{ Groups []any }
	var want groups
	for _, name := range []string{"recording.yml", "alerts.yml"} {
		var of groups
		if err := yaml.Unmarshal([]byte(file(t, "deploy", "observability", "prometheus", "rules", name)), &of); err != nil {
			t.Fatal(err)
		}
		want.Groups = append(want.Groups, of.Groups...)
	}
	var got struct{ Spec groups }
	if err := yaml.Unmarshal([]byte(file(t, "deploy", "observability", "prometheusrule.yaml")), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Spec); diff != "" {
		t.Errorf("rules (-files +cluster):\n%s", diff)
	}
}
