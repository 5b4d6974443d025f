package observability_test

import (
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
)

// TestMetrics_documented expects that the table of docs/observability.md has the metrics of all processes, except those
// of Go and of the Prometheus library.
func TestMetrics_documented(t *testing.T) {
	t.Parallel()
	requestsMade(t)
	documented := documentedMetrics(t)
	eventually.WaitFor(t, "every metric that is documented", func() bool {
		exported := exportedMetrics(t)
		for name := range documented {
			if !exported[name] {
				return false
			}
		}
		return true
	})
	assert.Equal(t, "metrics", documented, exportedMetrics(t))
}

var (
	documentedMetric = regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)[`{]")
	exportedMetric   = regexp.MustCompile(`(?m)^# TYPE (\S+) `)
	ofLibraries      = regexp.MustCompile(`^(go|process|promhttp)_`)
)

// documentedMetrics are the names in the table of docs/observability.md.
func documentedMetrics(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, match := range documentedMetric.FindAllStringSubmatch(file(t, "docs", "observability.md"), -1) {
		names[match[1]] = true
	}
	return names
}

func exportedMetrics(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, p := range running.Processes {
		resp, err := http.Get("http://" + strings.TrimPrefix(p.Ops, "http://") + "/metrics")
		require.NoError(t, err)
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %v %s", p.Name, resp.StatusCode, err, text)
		}
		for _, match := range exportedMetric.FindAllStringSubmatch(string(text), -1) {
			if !ofLibraries.MatchString(match[1]) {
				names[match[1]] = true
			}
		}
	}
	return names
}

func TestMetrics_of_events(t *testing.T) {
	t.Parallel()
	requestsMade(t)
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
		require.NoError(t, err)
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		require.NoError(t, err)
		if slices.Contains(strings.Split(string(text), "\n"), series) {
			return true
		}
	}
	return false
}
