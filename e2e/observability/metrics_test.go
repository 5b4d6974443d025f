package observability_test

import (
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
)

// TestMetrics_documented expects that the table of docs/observability.md has the metrics of all processes, except those
// of Go and of the Prometheus library.
func TestMetrics_documented(t *testing.T) {
	t.Parallel()
	aDay(t)
	documented := documentedMetrics(t)
	eventually.WaitFor(t, "every metric that is documented", func() bool {
		described := exportedMetrics(t)
		for name := range documented {
			if described[name] == "" {
				return false
			}
		}
		return true
	})
	if diff := cmp.Diff(documented, exportedMetrics(t)); diff != "" {
		t.Errorf("metrics (-documented +exported):\n%s", diff)
	}
}

var (
	documentedMetric = regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)` \\| (counter|gauge|histogram) \\|")
	exportedMetric   = regexp.MustCompile(`(?m)^# TYPE (\S+) (\S+)$`)
	ofLibraries      = regexp.MustCompile(`^(go|process|promhttp)_`)
)

// documentedMetrics are the kinds of metrics by their names.
func documentedMetrics(t *testing.T) map[string]string {
	t.Helper()
	kinds := map[string]string{}
	for _, match := range documentedMetric.FindAllStringSubmatch(file(t, "docs", "observability.md"), -1) {
		kinds[match[1]] = match[2]
	}
	return kinds
}

func exportedMetrics(t *testing.T) map[string]string {
	t.Helper()
	kinds := map[string]string{}
	for _, p := range running.Processes {
		resp, err := http.Get("http://" + strings.TrimPrefix(p.Ops, "http://") + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %v %s", p.Name, resp.StatusCode, err, text)
		}
		for _, match := range exportedMetric.FindAllStringSubmatch(string(text), -1) {
			if !ofLibraries.MatchString(match[1]) {
				kinds[match[1]] = match[2]
			}
		}
	}
	return kinds
}

func TestMetrics_of_events(t *testing.T) {
	t.Parallel()
	aDay(t)
	for _, series := range []string{
		`auth_logins_total{outcome="given"} 2`,
		`auth_refreshes_total{outcome="given"} 1`,
		`maps_submissions_total{outcome="accepted"} 1`,
		`records_submissions_total{outcome="accepted"} 1`,
		`records_submissions_total{outcome="replay_exists"} 1`,
		`records_downloads_total 1`,
		`http_problems_total{code="replay_exists",route="/api/v1/records/submit"} 1`,
		`outbox_relay_leader 1`,
		`nats_connected 1`,
		`eventbus_consumer_pending{consumer="maps-copies"} 0`,
	} {
		eventually.WaitFor(t, series, func() bool { return isExported(t, series) })
	}
}

func isExported(t *testing.T, series string) bool {
	t.Helper()
	for _, p := range running.Processes {
		resp, err := http.Get("http://" + strings.TrimPrefix(p.Ops, "http://") + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(strings.Split(string(text), "\n"), series) {
			return true
		}
	}
	return false
}

// TestDashboards_metrics_exist expects that the metrics of dashboards, rules and alerts exist.
func TestDashboards_metrics_exist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"up": true, "ALERTS": true, "process_cpu_seconds_total": true,
		"process_resident_memory_bytes": true, "go_goroutines": true}
	for name, kind := range documentedMetrics(t) {
		if kind != "histogram" {
			known[name] = true
			continue
		}
		for _, part := range []string{"_bucket", "_sum", "_count"} {
			known[name+part] = true
		}
	}
	rules := recordingRules(t)
	for _, r := range rules {
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
	for _, r := range rules {
		check("the rule "+r.Record, r.Expr)
	}
	for _, a := range alerts(t) {
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
