// Package siege_test attacks a site that has the limits of a deployment, as one person with a few addresses can, and
// checks that visitors from other addresses are served meanwhile. Each attack is bounded in count and time and uses
// the loopback addresses of this machine. docs/security.md lists the threats.
package siege_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/harness"
	"capzone.dev/e2e/site"
)

// system is the site under attack.
var system harness.System

// TestMain starts the system if SIEGE is set. The attacks load the machine, so they are not part of make test, and no
// two of them run at the same time.
func TestMain(m *testing.M) {
	if os.Getenv("SIEGE") == "" {
		fmt.Println("the attacks run with SIEGE=1, as in `make siege`")
		os.Exit(0)
	}
	harness.Main(m, harness.Options{
		Name: "siege", Settings: map[string]string{"LIMITS": "defaults", "BOT_ROOMS": "8", "DUMP_AT": "off"},
		Ready: func(s harness.System) error {
			system = s
			return nil
		},
	})
}

var addresses atomic.Int64

// newAddress returns a loopback address that no other client of the tests has. Attackers and visitors differ by their
// addresses alone.
func newAddress() string {
	n := addresses.Add(1)
	return fmt.Sprintf("127.1.%d.%d", n/200, 1+n%200)
}

// newVisitor returns a visitor at an address of its own.
func newVisitor() *site.Visitor { return system.Site.From(newAddress()).Visitor() }

// newPlayer returns a player who has logged in from an address of its own.
func newPlayer(t *testing.T) *site.Visitor {
	t.Helper()
	v := newVisitor()
	account := site.Account{Name: fmt.Sprintf("attacked %d", addresses.Add(1)), Level: 30}
	_, err := v.Login(t.Context(), account)
	require.NoError(t, err)
	return v
}

// get sends a GET request for a path of the API and returns the status.
func get(t *testing.T, v *site.Visitor, path string) int {
	t.Helper()
	answer, err := v.Send(t.Context(), site.Request{Path: path})
	if err != nil {
		t.Fatalf("GET %s: %v", path, err)
	}
	return answer.Status
}

// readWhile runs an attack while a visitor from another address reads a page again and again, and fails if a read is
// not answered within the patience. It logs the median and the slowest read, and returns when the attack does.
func readWhile(t *testing.T, patience time.Duration, attack func(ctx context.Context)) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer stop()
		attack(ctx)
	}()
	v := newVisitor()
	var reads []time.Duration
	for pause := time.NewTicker(readEvery); ctx.Err() == nil; <-pause.C {
		began := time.Now()
		answer, err := v.Send(t.Context(), site.Request{Path: "/stats"})
		took := time.Since(began)
		if err != nil || answer.Status != http.StatusOK {
			t.Errorf("a visitor from another address gets %d (%v) after %s", answer.Status, err, took)
		}
		reads = append(reads, took)
	}
	slices.Sort(reads)
	slowest := reads[len(reads)-1]
	t.Logf("%d reads from another address: median %s, slowest %s", len(reads), reads[len(reads)/2], slowest)
	if slowest > patience {
		t.Errorf("a visitor from another address waited %s, want at most %s", slowest, patience)
	}
}

const readEvery = 200 * time.Millisecond // below the limit of one address

// forgetMemory resets the peak that memory returns.
func forgetMemory(kind string) {
	for _, p := range system.Processes {
		if p.Kind == kind {
			_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.PID), []byte("5"), 0) // resets the peak
		}
	}
}

// memory returns the peak of the resident memory of the processes of a kind, in MiB. It skips the test where the
// operating system does not report it.
func memory(t *testing.T, kind string) (mib int) {
	t.Helper()
	for _, p := range system.Processes {
		if p.Kind != kind {
			continue
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID))
		if err != nil {
			t.Skip(err)
		}
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		kib, err := strconv.Atoi(strings.Fields(rest)[0])
		require.NoError(t, err)
		mib = max(mib, kib/1024)
	}
	return mib
}
