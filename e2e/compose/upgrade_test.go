package compose

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"capzone.dev/e2e/internal/engine"
	"capzone.dev/e2e/internal/load"
	"capzone.dev/e2e/site"
)

// TestUpgrade_Rolling upgrades every program by deploy/docker/upgrade.sh, behind a proxy that uses two gateways. No
// request fails.
func TestUpgrade_Rolling(t *testing.T) {
	if err := running.set(map[string]string{"PORT": fmt.Sprintf("%d-%d", running.ports[0],
		running.ports[1])}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { onePort(t) })
	running.mustCompose(t, "up", "--detach", "--wait")
	proxied := site.New(startProxy(t, running.ports[:]))
	tr := users.Start(t, proxied)
	tr.AwaitServed("the traffic to begin")
	before := running.containers(t, built()...)
	newVersion(t)
	tr.TakeCounts()
	text, err := engine.Output(running.inSite(t.Context(), filepath.Join(running.site, "deploy/docker/upgrade.sh")))
	if err != nil {
		t.Fatal(err, text)
	}
	counts := tr.TakeCounts()
	tr.Stop()
	if len(counts.Failures) > 0 || len(counts.Deferred) > 0 {
		t.Errorf("these requests failed: %v\nand these submissions were deferred: %v", counts.Failures, counts.Deferred)
	}
	t.Logf("%d requests were served during the upgrade", counts.Served)
	after := running.containers(t, built()...)
	if len(changed(before, after)) != len(built()) || len(after) != len(built()) {
		t.Errorf("%v were replaced", changed(before, after))
	}
	for i := range min(len(before), len(after)) {
		if before[i].Image == after[i].Image {
			t.Errorf("%s runs its old image", after[i].service())
		}
	}
	users.Verify(t, proxied)
}

// TestUpgrade_AllAtOnce upgrades as docs/operations.md says first, and measures how long the site is closed. The number
// of replicas stays.
func TestUpgrade_AllAtOnce(t *testing.T) {
	scale := func(replicas string) {
		t.Helper()
		if err := running.set(map[string]string{"RECORDS_REPLICAS": replicas}); err != nil {
			t.Fatal(err)
		}
		running.mustCompose(t, "up", "--detach", "--wait")
	}
	scale("2")
	tr := users.Start(t, capzone)
	tr.AwaitServed("the traffic to begin")
	newVersion(t)
	tr.TakeCounts()
	closed := make(chan time.Duration, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() { closed <- longestFailure(ctx) }()
	running.mustCompose(t, "up", "--build", "--detach", "--wait")
	tr.AwaitServed("the site to serve again")
	stop()
	tr.Stop()
	t.Logf("the site was closed for %.1f s", (<-closed).Seconds())
	users.Verify(t, capzone)
	if got := len(running.containers(t, "records")); got != 2 {
		t.Errorf("records has %d replicas after the upgrade, want 2", got)
	}
	scale("1")
}

// pause is the time between two requests.
const pause = 50 * time.Millisecond

// longestFailure asks for a page that the gateway does not store until ctx ends, and returns the longest time without
// an answer.
func longestFailure(ctx context.Context) (longest time.Duration) {
	visitor, last := capzone.Visitor(), time.Now()
	for ctx.Err() == nil {
		attempt, cancel := context.WithTimeout(ctx, time.Second)
		answer, err := visitor.Send(attempt, site.Request{Path: "/healthz", AtRoot: true})
		cancel()
		if err == nil && answer.Problem() == nil {
			last = time.Now()
		} else {
			longest = max(longest, time.Since(last))
		}
		load.Sleep(ctx, pause)
	}
	return longest
}

// built returns the names of the containers that are built from this repository and serve requests.
func built() []string {
	names := []string{"bot", "gateway"}
	for _, s := range services {
		names = append(names, s.Name)
	}
	return names
}

// newVersion changes the sources of all programs' images.
func newVersion(t *testing.T) {
	t.Helper()
	file := filepath.Join(running.site, "deploy/docker/Dockerfile")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	version := fmt.Appendf(nil, "${1}LABEL version=%d\n", time.Now().UnixNano())
	changed := regexp.MustCompile(`(?m)^(FROM .* AS base\n)`).ReplaceAll(text, version)
	if err := os.WriteFile(file, changed, 0o600); err != nil {
		t.Fatal(err)
	}
}

// onePort publishes one gateway on one port again.
func onePort(t *testing.T) {
	t.Helper()
	if err := running.set(map[string]string{"PORT": fmt.Sprint(running.ports[0])}); err != nil {
		t.Fatal(err)
	}
	if _, err := running.compose(context.WithoutCancel(t.Context()), "up", "--detach", "--wait"); err != nil {
		t.Error(err)
	}
}
