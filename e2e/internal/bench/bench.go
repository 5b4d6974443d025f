// Package bench measures the running system beside its reference servers: it
// starts a stack of its own, with a large community in its databases, and loads
// it through the gateway.
//
// What one machine measures is compared within one run alone: each figure is the
// ratio of the medians of rounds in which the system and its reference took turns.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"capzone.dev/devstack/checkout"
	"capzone.dev/e2e/internal/community"
	"capzone.dev/e2e/internal/load"
	"capzone.dev/e2e/stack"
)

// Options say what is measured, and how long.
type Options struct {
	// Quick makes few and short rounds, whose figures only show that everything works.
	Quick bool
	// Only names the parts to measure; empty for all (see Parts).
	Only []string
	// Soak is how long the system is kept under load to see whether its memory grows; 0 for not at all.
	Soak time.Duration
	Out  io.Writer
}

// Document is where the figures of a whole run are written, seen from the root of the tree.
const Document = "docs/performance.md"

// part is a group of measures.
type part struct {
	name    string
	measure func(*bench, context.Context) error
}

var parts = []part{
	{"hot", (*bench).hot},
	{"cold", (*bench).cold},
	{"search", (*bench).search},
	{"growth", (*bench).growth},
	{"submit", (*bench).submit},
	{"fresh", (*bench).fresh},
	{"memory", (*bench).memory},
	{"start", (*bench).start},
}

// Parts are the names of all parts, in their order.
func Parts() []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// bench is one run.
type bench struct {
	Options
	root     string
	dataDir  string
	rounds   load.Rounds
	running  *stack.Running
	uncached string // the address of a gateway beside the stack's, whose cache is off
	watch    *watch
	report   report
}

var (
	wholeRounds = load.Rounds{Count: 5, Length: 2 * time.Second}
	quickRounds = load.Rounds{Count: 3, Length: time.Second}
)

// Run measures and prints a table. A whole run also writes Document.
func Run(ctx context.Context, o Options) (err error) {
	for _, name := range o.Only {
		if !slices.Contains(Parts(), name) {
			return fmt.Errorf("there is no part %q: there are %s", name, strings.Join(Parts(), ", "))
		}
	}
	if missing := load.Missing(); missing != "" {
		return fmt.Errorf("the load generators are missing: install %s", missing)
	}
	root, err := checkout.Root()
	if err != nil {
		return err
	}
	b := &bench{Options: o, root: root, dataDir: filepath.Join(root, ".local-bench"), rounds: wholeRounds}
	if o.Quick {
		b.rounds = quickRounds
	}
	if err := b.up(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.running.Down()) }()
	uncached, stop, err := b.running.Beside(ctx, nil, uncachedSettings())
	if err != nil {
		return err
	}
	defer stop()
	b.uncached = uncached
	return b.run(ctx)
}

// generous are limits that nobody meets: all load comes from one address.
var generous = map[string]string{
	"REQUESTS_PER_MINUTE":  "1000000000",
	"SUBMISSIONS_PER_HOUR": "1000000000",
}

// uncachedSettings make a gateway ask the services each time.
func uncachedSettings() map[string]string {
	settings := maps.Clone(generous)
	settings["PAGE_CACHE_MB"] = "0"
	return settings
}

// up starts the stack on the data folder of the last run, or fills a new one
// where the community has changed.
func (b *bench) up(ctx context.Context) error {
	key, err := community.Key()
	if err != nil {
		return err
	}
	keyFile := filepath.Join(b.dataDir, "community")
	kept, err := os.ReadFile(keyFile)
	if err == nil && string(kept) == key {
		b.say("starting the stack of the last run")
		b.running, err = stack.Up(ctx, b.dataDir, generous)
		return err
	}
	if err := stack.Reset(ctx, b.dataDir); err != nil {
		return err
	}
	if err := os.MkdirAll(b.dataDir, 0o755); err != nil {
		return err
	}
	b.say("starting a stack, and filling it once for this and later runs (takes some minutes)")
	if b.running, err = stack.Up(ctx, b.dataDir, generous); err != nil {
		return err
	}
	err = community.Fill(ctx, b.running.Stack, func(what string) { b.say("  " + what) })
	if err == nil {
		err = os.WriteFile(keyFile, []byte(key), 0o600)
	}
	if err != nil {
		return errors.Join(err, b.running.Down())
	}
	return nil
}

func (b *bench) run(ctx context.Context) error {
	b.watch = watchMemory(ctx, b.running.Processes)
	defer b.watch.stop()
	if b.Soak > 0 {
		return b.soak(ctx)
	}
	began := time.Now()
	var failed error
	for _, p := range parts {
		if len(b.Only) > 0 && !slices.Contains(b.Only, p.name) {
			continue
		}
		b.say(p.name)
		if err := p.measure(b, ctx); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			// The others' figures are worth having all the same.
			b.say(fmt.Sprintf("%s failed: %v", p.name, err))
			b.report.failed(p.name)
			failed = errors.Join(failed, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	b.say(fmt.Sprintf("measured in %s", time.Since(began).Round(time.Second)))
	b.report.print(b.Out)
	if b.Quick || len(b.Only) > 0 {
		return failed
	}
	machine, err := describe(ctx, b.running.Stack)
	if err != nil {
		return errors.Join(failed, err)
	}
	text := b.report.document(machine, b.rounds)
	return errors.Join(failed, os.WriteFile(filepath.Join(b.root, Document), []byte(text), 0o644))
}

func (b *bench) say(what string) {
	fmt.Fprintf(b.Out, "%s %s\n", time.Now().Format(time.TimeOnly), what)
}

// gateway is the address of the stack's gateway.
func (b *bench) gateway() string {
	for _, p := range b.running.Processes {
		if p.Kind == "gateway" {
			return p.HTTP
		}
	}
	return b.running.Site
}
