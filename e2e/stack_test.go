// Package e2e_test tests the running site as its visitors meet it: through the gateway, on the stack that `make up`
// starts. Nothing here knows a service from the inside.
package e2e_test

import (
	"fmt"
	"os"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/harness"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

// The site under test, and the stack that it is.
var (
	capzone *site.Site
	local   stack.Stack    // without processes where only an address is known
	own     bool           // the stack is the tests' own, and began empty
	running *stack.Running // that own stack
)

// noDumps leaves the dump of the day to a test.
var noDumps = map[string]string{"DUMP_AT": "off"}

// TestMain starts a stack of its own and stops it at the end. E2E_SITE_URL names a site that runs already instead;
// what needs its operator is skipped then, unless DATA_DIR names its folder.
func TestMain(m *testing.M) {
	address := os.Getenv("E2E_SITE_URL")
	if address == "" {
		harness.Main(m, harness.Options{Name: "e2e", Settings: noDumps, Ready: func(s harness.System) error {
			local, capzone, own, running = s.Stack, s.Site, true, s.Running
			return nil
		}})
	}
	capzone = site.New(address)
	if folder := os.Getenv("DATA_DIR"); folder != "" {
		var err error
		if local, err = stack.Find(folder); err != nil {
			fmt.Fprintln(os.Stderr, "e2e:", err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// operate runs an operator's command and returns what it prints.
func operate(t *testing.T, kind string, arguments ...string) string {
	t.Helper()
	needOperator(t)
	output, err := local.Operate(t.Context(), kind, arguments...)
	require.NoError(t, err)
	return output
}

func needOperator(t *testing.T) {
	t.Helper()
	if len(local.Processes) == 0 {
		t.Skip("E2E_SITE_URL without DATA_DIR: operators' commands cannot be run")
	}
}
