// Command audit asks whether anything that the site is made of has a known
// weakness: govulncheck looks through the code of every Go module, npm through
// the packages that the web application ships with. What is found fails, but for
// what exceptions.json names with a reason and a last day.
//
//	audit [exceptions.json]
//
// Both need a database. GOVULNDB names the one of Go: an http(s):// address, or
// file:// and a folder; without it that is vuln.go.dev. Where no database answers,
// audit says loudly what was not checked and does not fail, unless AUDIT_REQUIRED
// is set, which is for machines that have a network.
//
// The exit code is 1 for what fails, 2 for a wrong call.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"capzone.dev/devstack/checkout"
)

func main() {
	if len(os.Args) > 2 {
		fmt.Fprintln(os.Stderr, "usage: audit [exceptions.json]")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "audit:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) error {
	root, err := checkout.Root()
	if err != nil {
		return err
	}
	file := filepath.Join(root, "deploy", "audit", "exceptions.json")
	if len(arguments) > 0 {
		file = arguments[0]
	}
	exceptions, err := readExceptions(file)
	if err != nil {
		return err
	}
	return audit{
		searches: []search{
			goModules{root: root, database: cmp.Or(os.Getenv("GOVULNDB"), goDatabase)},
			npmPackages{folder: filepath.Join(root, "web")},
		},
		exceptions: exceptions, required: os.Getenv("AUDIT_REQUIRED") != "", today: time.Now(), out: os.Stdout,
	}.run(ctx)
}

// search looks for weaknesses in one kind of software.
type search interface {
	// kind is "go" or "npm".
	kind() string
	// find returns what is found, or a noDatabase.
	find(ctx context.Context) ([]weakness, error)
}

// noDatabase says that nobody could be asked.
type noDatabase struct{ cause error }

// Error implements error.
func (e noDatabase) Error() string { return "no database: " + e.cause.Error() }

// Unwrap returns why.
func (e noDatabase) Unwrap() error { return e.cause }

// weakness is one that is known of something that the site is made of.
type weakness struct {
	// ID is the database's: GO-2026-1234, GHSA-….
	ID string
	// In is the Go module or the npm package.
	In string
	// Summary says in a line what it is, and what to do where that is known.
	Summary string
}

// audit is one run.
type audit struct {
	searches   []search
	exceptions exceptions
	// required fails a search that had no database.
	required bool
	today    time.Time
	out      io.Writer
}

func (a audit) run(ctx context.Context) error {
	var failures []string
	for _, s := range a.searches {
		found, err := s.find(ctx)
		var nobody noDatabase
		switch {
		case errors.As(err, &nobody) && !a.required:
			a.shout(s.kind() + " WAS NOT CHECKED, there is " + nobody.Error())
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", s.kind(), err)
		}
		wrong := a.exceptions.judge(s.kind(), found, a.today)
		fmt.Fprintf(a.out, "%s: checked, %d known weaknesses, %d of them fail\n", s.kind(), len(found), len(wrong))
		failures = append(failures, wrong...)
	}
	if len(failures) > 0 {
		return fmt.Errorf("there are known weaknesses, or exceptions that do not hold:\n  %s", strings.Join(failures, "\n  "))
	}
	return nil
}

func (a audit) shout(text string) {
	line := strings.Repeat("!", 100)
	fmt.Fprintf(a.out, "%s\n%s\n%s\n", line, text, line)
}
