// Package e2e_test tests the running site as its visitors meet it: through the
// gateway, on the stack that `make up` starts. Nothing here knows a service
// from the inside.
package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"capzone.dev/e2e/outside"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
	"capzone.dev/platform/realservers"
)

// The site under test, and the stack that it is.
var (
	capzone *site.Site
	local   stack.Stack // without processes where only an address is known
	own     bool        // the stack is the tests' own, and began empty
)

// TestMain starts a stack of its own and stops it at the end. E2E_SITE_URL
// names a site that runs already instead; what needs its operator is skipped
// then, unless DATA_DIR names its folder.
func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if address := os.Getenv("E2E_SITE_URL"); address != "" {
		capzone = site.New(address)
		if folder := os.Getenv("DATA_DIR"); folder != "" {
			if local, err = stack.Find(folder); err != nil {
				return 1, err
			}
		}
		return m.Run(), nil
	}
	folder, err := os.MkdirTemp("", "capzone-e2e-")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	ctx, began := context.Background(), time.Now()
	var settings map[string]string
	if realservers.Wanted() {
		servers, err := outside.Start(ctx, folder, true)
		if err != nil {
			return 1, err
		}
		defer func() { err = errors.Join(err, servers.Stop(ctx)) }()
		settings = servers.Settings()
	}
	running, err := stack.Up(ctx, folder, settings)
	if err != nil {
		return 1, err
	}
	fmt.Printf("the stack was ready after %.1f s\n", time.Since(began).Seconds())
	local, capzone, own = running.Stack, site.New(running.Site), true
	code = m.Run()
	err = running.Down()
	if code != 0 || err != nil {
		fmt.Printf("what the stack said:\n%s\n", running.Log())
	}
	return code, err
}

// operate runs an operator's command and returns what it prints.
func operate(t *testing.T, kind string, arguments ...string) string {
	t.Helper()
	needOperator(t)
	output, err := local.Operate(t.Context(), kind, arguments...)
	if err != nil {
		t.Fatal(err)
	}
	return output
}

func needOperator(t *testing.T) {
	t.Helper()
	if len(local.Processes) == 0 {
		t.Skip("E2E_SITE_URL without DATA_DIR: nobody here can run operators' commands")
	}
}
