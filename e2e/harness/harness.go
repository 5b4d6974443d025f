// Package harness runs the tests of a package on a stack of their own.
package harness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"capzone.dev/devstack/receivertest"
	"capzone.dev/devstack/testservers"
	"capzone.dev/e2e/outside"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

// Options are the options of a package's stack.
type Options struct {
	// Name is the package's name in messages.
	Name string
	// Outside runs the servers outside of the stack, so that tests can stop them. Real ones always run there.
	Outside bool
	// PostgresHome is the folder of the programs of a PostgreSQL outside; empty for the usual one.
	PostgresHome string
	// Settings are added to the stack's environment.
	Settings map[string]string
	// Prepare is called, if it is set, when the servers outside run, before the stack starts.
	Prepare func(context.Context, *outside.Servers) error
	// Ready is called with the running system before the first test.
	Ready func(System) error
}

// System is a stack under test.
type System struct {
	*stack.Running
	Site *site.Site
	// Servers are the stack's servers; nil if it runs them itself.
	Servers *outside.Servers
}

// Main is for a package's TestMain: it starts a stack, runs the tests, stops the stack and ends the process. The stack
// sends webhooks to the receivers of receivertest, too. If a test fails it prints the stack's log.
func Main(m *testing.M, o Options) {
	code, err := run(m, o)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", o.Name, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M, o Options) (code int, err error) {
	folder, err := os.MkdirTemp("", "capzone-"+o.Name+"-")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	ctx := context.Background()
	certificates := filepath.Join(folder, "receivers.pem")
	if err := os.WriteFile(certificates, receivertest.Certificates(), 0o600); err != nil {
		return 1, err
	}
	s, settings := System{}, map[string]string{"WEBHOOK_TEST_CA": certificates}
	if o.Outside || testservers.Real() {
		if s.Servers, err = outside.Start(ctx, folder, o.PostgresHome); err != nil {
			return 1, err
		}
		defer func() { err = errors.Join(err, s.Servers.Stop(ctx)) }()
		maps.Copy(settings, s.Servers.Settings())
		if o.Prepare != nil {
			if err := o.Prepare(ctx, s.Servers); err != nil {
				return 1, err
			}
		}
	}
	maps.Copy(settings, o.Settings)
	if s.Running, err = stack.Up(ctx, folder, settings); err != nil {
		return 1, err
	}
	s.Site = site.New(s.Running.Site)
	// The tests mostly wait for events, so that more of them than processors run at the same time.
	if err := flag.Set("test.parallel", "4"); err != nil {
		return 1, err
	}
	if err = o.Ready(s); err == nil {
		code = m.Run()
	}
	err = errors.Join(err, s.Down())
	if code != 0 || err != nil {
		fmt.Printf("the log of the stack:\n%s\n", s.Log())
	}
	return code, err
}
