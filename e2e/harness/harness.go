// Package harness runs the tests of a package on a stack of their own.
package harness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"testing"
	"time"

	"capzone.dev/devstack/realservers"
	"capzone.dev/e2e/outside"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

// Options say what the tests need.
type Options struct {
	// Name is the package's, for what is said of it.
	Name string
	// Outside has the servers run outside of the stack, where tests can take them
	// away. Real ones always do.
	Outside bool
	// Settings are added to the stack's environment.
	Settings map[string]string
	// Ready is called with the running system before the first test.
	Ready func(System) error
}

// System is a stack under test.
type System struct {
	*stack.Running
	Site *site.Site
	// Servers are what the stack stands on; nil where it runs them itself.
	Servers *outside.Servers
}

// Main is for a package's TestMain: it starts a stack, runs the tests, stops the
// stack and ends the process. Where anything failed it shows what the stack said.
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
	ctx, began := context.Background(), time.Now()
	s, settings := System{}, map[string]string{}
	if o.Outside || realservers.Wanted() {
		if s.Servers, err = outside.Start(ctx, folder, outside.Options{Real: realservers.Wanted()}); err != nil {
			return 1, err
		}
		defer func() { err = errors.Join(err, s.Servers.Stop(ctx)) }()
		maps.Copy(settings, s.Servers.Settings())
	}
	maps.Copy(settings, o.Settings)
	if s.Running, err = stack.Up(ctx, folder, settings); err != nil {
		return 1, err
	}
	s.Site = site.New(s.Running.Site)
	fmt.Printf("the stack was ready after %.1f s\n", time.Since(began).Seconds())
	if err = o.Ready(s); err == nil {
		code = m.Run()
	}
	err = errors.Join(err, s.Down())
	if code != 0 || err != nil {
		fmt.Printf("what the stack said:\n%s\n", s.Log())
	}
	return code, err
}
