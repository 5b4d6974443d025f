package observability_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
	"capzone.dev/e2e/site"
)

// TestPrometheus scrapes the running stack with the project's configuration of Prometheus: every process is up, every
// rule is evaluated, and every panel has data, except those of faults.
func TestPrometheus(t *testing.T) {
	t.Parallel()
	requestsMade(t)
	p := startPrometheus(t)

	eventually.WaitFor(t, "every process to be scraped", func() bool {
		var targets struct{ ActiveTargets []struct{ Health string } }
		p.get("/api/v1/targets?state=active", &targets)
		up := 0
		for _, target := range targets.ActiveTargets {
			if target.Health == "up" {
				up++
			}
		}
		return up == len(running.Processes)
	})
	recording, alerts := rules(t)
	eventually.WaitFor(t, "every rule to be evaluated", func() bool {
		var all struct {
			Groups []struct {
				Rules []struct{ Name, Health, LastError, State string }
			}
		}
		p.get("/api/v1/rules", &all)
		done, count := 0, 0
		for _, group := range all.Groups {
			for _, r := range group.Rules {
				count++
				if r.Health == "err" {
					t.Fatalf("the rule %s: %s", r.Name, r.LastError)
				}
				if r.Health == "ok" {
					done++
				}
				if r.State == "firing" {
					t.Errorf("%s fires without a fault", r.Name)
				}
			}
		}
		return done == count && count == len(recording)+len(alerts)
	})

	empty := map[string]string{}
	for name, d := range dashboards(t) {
		for _, panel := range d.Panels {
			for _, target := range panel.Targets {
				empty[target.Expr] = name + ": " + panel.Title
			}
		}
	}
	eventually.Poll(func() bool {
		_, err := capzone.Visitor().Send(t.Context(), site.Request{Path: "/records"})
		require.NoError(t, err)
		for expression := range empty {
			if p.results(expression) > 0 || quiet[expression] {
				delete(empty, expression)
			}
		}
		return len(empty) == 0
	})
	for expression, where := range empty {
		t.Errorf("%s finds nothing by %s", where, expression)
	}
}

// quiet are the expressions that find nothing as long as nothing fails.
var quiet = map[string]bool{
	`sum by (job) (rate(objectstore_request_duration_seconds_count{status=~"5..|error"}[$__rate_interval]))`: true,
	`sum by (job) (outbox_relay_leader) == 0`:                                true,
	`max by (step) (bot_own_room_failing) == 1`:                              true,
	`time() - max(records_dump_timestamp_seconds > 0)`:                       true, // no dump was written yet
	`sum by (outcome) (rate(notifications_webhook_attempts_total[5m])) * 60`: true,
}

// prometheus is a running Prometheus server.
type prometheus struct {
	t    *testing.T
	base string
}

func startPrometheus(t *testing.T) *prometheus {
	t.Helper()
	root, err := checkout.Root()
	require.NoError(t, err)
	var complaint bytes.Buffer
	find := exec.CommandContext(t.Context(), filepath.Join(root, "deploy", "observability", "tool.sh"), "prometheus")
	find.Stderr = &complaint
	program, err := find.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, complaint.String())
	}
	testdeps.Found(t, err)
	port, err := freeport.Pick()
	require.NoError(t, err)
	folder := t.TempDir()
	config := filepath.Join(folder, "prometheus.yml")
	require.NoError(t, os.WriteFile(config, configuration(t, root), 0o600))
	address := fmt.Sprintf("127.0.0.1:%d", port)
	var output bytes.Buffer
	server := exec.CommandContext(t.Context(), strings.TrimSpace(string(program)),
		"--config.file="+config, "--storage.tsdb.path="+filepath.Join(folder, "data"), "--web.listen-address="+address)
	server.Stderr = &output
	server.Cancel = func() error { return server.Process.Signal(os.Interrupt) }
	server.WaitDelay = 10 * time.Second
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Wait()
		if t.Failed() {
			t.Logf("the output of Prometheus:\n%s", output.String())
		}
	})
	p := &prometheus{t: t, base: "http://" + address}
	eventually.WaitFor(t, "Prometheus to be ready", func() bool {
		resp, err := http.Get(p.base + "/-/ready")
		if err != nil {
			return false
		}
		_ = resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
	return p
}

// configuration is the project's, with the processes of the running stack in place of what the deployment's name
// server would tell, asked every second.
func configuration(t *testing.T, root string) []byte {
	t.Helper()
	var c map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(file(t, "deploy", "observability", "prometheus", "prometheus.yml")), &c))
	c["global"] = map[string]any{"scrape_interval": "1s", "evaluation_interval": "1s"}
	c["rule_files"] = []string{filepath.Join(root, "deploy", "observability", "prometheus", "rules.yml")}
	for _, job := range c["scrape_configs"].([]any) {
		job := job.(map[string]any)
		delete(job, "dns_sd_configs")
		var targets []string
		for _, process := range running.Processes {
			if process.Kind == job["job_name"] {
				targets = append(targets, strings.TrimPrefix(process.Ops, "http://"))
			}
		}
		job["static_configs"] = []any{map[string]any{"targets": targets}}
	}
	text, err := yaml.Marshal(c)
	require.NoError(t, err)
	return text
}

// get asks Prometheus' API and decodes its data.
func (p *prometheus) get(path string, data any) {
	p.t.Helper()
	resp, err := http.Get(p.base + path)
	require.NoError(p.t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		p.t.Fatalf("%s: %d %v %s", path, resp.StatusCode, err, text)
	}
	answer := struct{ Data any }{data}
	if err := json.Unmarshal(text, &answer); err != nil {
		p.t.Fatalf("%s: %v", path, err)
	}
}

// results counts what an expression of a dashboard finds.
func (p *prometheus) results(expression string) int {
	p.t.Helper()
	expression = strings.NewReplacer("$__rate_interval", "1m", "$job", ".+").Replace(expression)
	var found struct{ Result []json.RawMessage }
	p.get("/api/v1/query?query="+url.QueryEscape(expression), &found)
	return len(found.Result)
}
