// Package bench measures the goals of the design (docs/performance.md): the system beside references that do the same
// with less, in turns on one machine. It starts a stack of its own with a large community in its databases.
package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/httpget"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

// bench is one run.
type bench struct {
	root     string
	rounds   int
	length   time.Duration // of a measurement
	running  *stack.Running
	gateway  string // the address of the stack's gateway
	uncached string // the address of a gateway whose cache is off, which runs while pages are read from it
	rows     []row
	out      io.Writer
}

// generous are limits that are not reached, because all load comes from one address, and no dump.
var generous = map[string]string{
	"REQUESTS_PER_MINUTE": "1000000000", "SUBMISSIONS_PER_HOUR": "1000000000", "STREAMS_PER_ADDRESS": "1000000000",
	"DUMP_AT": "off", // it would be measured, too
}

// Run measures and prints a table. Quick makes few and short rounds; else docs/performance.md is written.
func Run(ctx context.Context, out io.Writer, quick bool) (err error) {
	root, err := checkout.Root()
	if err != nil {
		return err
	}
	b := &bench{root: root, rounds: 5, length: 3 * time.Second, out: out}
	if quick {
		b.rounds, b.length = 1, time.Second
	}
	if b.running, err = up(ctx, filepath.Join(root, ".local-bench"), generous, b.say); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.running.Down()) }()
	b.gateway = b.running.Site
	for _, part := range []struct {
		name    string
		measure func(context.Context) error
	}{
		{"readers of the live stream", b.liveMemory}, // before the cache is full
		{"a cached page", b.cachedPage}, {"uncached pages", b.uncachedPages},
		{"search by progress", b.searchByProgress},
		{"leaderboards of different sizes", b.growth}, {"submissions", b.submissions},
		{"points and rankings", b.points},
		{"memory", b.memory},
	} {
		b.say(part.name)
		if errPart := part.measure(ctx); errPart != nil {
			b.rows = append(b.rows, row{goal: part.name, met: "**not measured**"})
			err = errors.Join(err, fmt.Errorf("%s: %w", part.name, errPart))
		}
	}
	text := b.document()
	fmt.Fprintln(out, text)
	if quick || err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", "performance.md"), []byte(text), 0o644)
}

func (b *bench) say(what string) {
	fmt.Fprintf(b.out, "%s %s\n", time.Now().Format(time.TimeOnly), what)
}

const basePath = "/api/v1"

// page is the address of a page of a leaderboard, as the site asks for it.
func page(m, offset int) string {
	const query = "/records?map=%s&limit=10&offset=%d&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc"
	return fmt.Sprintf(basePath+query, mapID(m), offset)
}

func (b *bench) cachedPage(ctx context.Context) error {
	body, err := httpget.Body(ctx, b.gateway+page(giantMap, 0))
	if err != nil {
		return err
	}
	return b.besideReference(ctx, "a cached page beside a bare gin handler with the same bytes", 0.5,
		b.gateway, body, "", 64, page(giantMap, 0))
}

// uncachedPages measures pages of a gateway without a cache, which runs beside the stack's meanwhile.
func (b *bench) uncachedPages(ctx context.Context) error {
	settings := maps.Clone(generous)
	settings["PAGE_CACHE_MB"] = "0"
	uncached, stop, err := b.running.Beside(ctx, nil, settings)
	if err != nil {
		return err
	}
	defer stop()
	b.uncached = uncached
	return errors.Join(b.uncachedLeaderboard(ctx), b.search(ctx))
}

func (b *bench) uncachedLeaderboard(ctx context.Context) error {
	database, err := b.running.Database("records")
	if err != nil {
		return err
	}
	var paths []string
	for m := 1; m < giantMap; m++ {
		paths = append(paths, page(m, 0))
	}
	err = b.besideReference(ctx, "an uncached leaderboard page beside gin with one prepared statement", 0.4,
		b.uncached, "", database, 16, paths...)
	if err != nil {
		return err
	}
	return b.processorOfPage(ctx, database, paths)
}

// processorOfPage compares the processor time of uncached pages in all programs with that of PostgreSQL alone for the
// statements of some of them.
func (b *bench) processorOfPage(ctx context.Context, database string, paths []string) error {
	var scripts []string
	for m := 1; m <= 20; m++ {
		script, err := b.statementsOf(ctx, database, mapID(m), b.uncached+page(m, 0))
		if err != nil {
			return err
		}
		scripts = append(scripts, script)
	}
	medians, err := b.compare(ctx,
		withProcessor(reads(b.uncached, 16, paths...), "gateway", "records", "postgres"),
		withProcessor(transactions(database, scripts...), "postgres"))
	if err != nil {
		return err
	}
	system, reference := medians[0].processor, medians[1].processor
	more := float64(system) / float64(reference)
	b.add("processor time of an uncached leaderboard page, beside pgbench's",
		system.Round(time.Microsecond).String(), reference.Round(time.Microsecond).String(), "≤ 3 times", more, more <= 3)
	return nil
}

// besideReference compares reads of the system with the same ones of a reference server.
func (b *bench) besideReference(
	ctx context.Context, goal string, least float64, system, body, database string, connections int, paths ...string,
) error {
	reference, stop, err := startReference(ctx, []byte(body), database)
	if err != nil {
		return err
	}
	defer stop()
	if body == "" {
		if err := checkSameRecords(ctx, system+paths[0], reference+paths[0]); err != nil {
			return err
		}
	}
	medians, err := b.compare(ctx, reads(system, connections, paths...), reads(reference, connections, paths...))
	if err != nil {
		return err
	}
	b.atLeast(goal, medians, least)
	return nil
}

// checkSameRecords returns an error unless two pages of a leaderboard have the same records.
func checkSameRecords(ctx context.Context, addresses ...string) error {
	var pages [2]api.RecordPage
	for i, address := range addresses {
		body, err := httpget.Body(ctx, address)
		if err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(body), &pages[i]); err != nil {
			return fmt.Errorf("%s: %w", address, err)
		}
	}
	if !reflect.DeepEqual(pages[0].Data, pages[1].Data) {
		return fmt.Errorf("the pages %v differ: %+v", addresses, pages)
	}
	return nil
}

// searchTerms are parts of names of one to five letters.
var searchTerms = map[string][]string{
	"maps":    {"s", "r", "sk", "un", "run", "ste", "dim", "copp", "gaunt", "99", "123"},
	"players": {"c", "x", "cl", "fo", "fox", "oss", "step", "tter", "river", "77", "321"},
}

func (b *bench) search(ctx context.Context) error {
	for _, service := range []string{"maps", "players"} {
		database, err := b.running.Database(service)
		if err != nil {
			return err
		}
		var paths, scripts []string
		for _, term := range searchTerms[service] {
			path := basePath + "/" + service + "/search?limit=12&name=" + term
			script, err := b.statementsOf(ctx, database, term, b.uncached+path)
			if err != nil {
				return fmt.Errorf("%q: %w", term, err)
			}
			paths, scripts = append(paths, path), append(scripts, script)
		}
		medians, err := b.compare(ctx, reads(b.uncached, 16, paths...), transactions(database, scripts...))
		if err != nil {
			return err
		}
		b.atLeast("search of "+service+", uncached, beside pgbench with the same statements", medians, 0.4)
	}
	return nil
}

// serviceAddress returns where a service listens.
func (b *bench) serviceAddress(name string) (string, error) {
	i := slices.IndexFunc(b.running.Processes, func(p stack.Process) bool { return p.Kind == name })
	if i < 0 {
		return "", fmt.Errorf("the stack has no service %s", name)
	}
	return b.running.Processes[i].HTTP, nil
}

// growth compares reads of a leaderboard of 1,000,000 records with those of one of 10,000. It reads from the service
// itself, because the gateway combines requests for the same page.
func (b *bench) growth(ctx context.Context) error {
	service, err := b.serviceAddress("records")
	if err != nil {
		return err
	}
	ranks := func(m int) (paths []string) {
		for n := range 1000 {
			paths = append(paths, basePath+"/records/"+recordID(m, n*7%10_000))
		}
		return paths
	}
	for _, part := range []struct {
		name       string
		giant, big []string
	}{
		{"page 1", []string{page(giantMap, 0)}, []string{page(bigMap, 0)}},
		{"page 500", []string{page(giantMap, 4990)}, []string{page(bigMap, 4990)}},
		{"a record's rank", ranks(giantMap), ranks(bigMap)},
	} {
		medians, err := b.compare(ctx, reads(service, 16, part.giant...), reads(service, 16, part.big...))
		if err != nil {
			return err
		}
		b.add("1,000,000 records beside 10,000: "+part.name, rate(medians[0]), rate(medians[1]),
			"≤ 2 times", medians[1].rate/medians[0].rate, medians[1].rate <= 2*medians[0].rate)
	}
	return nil
}

func (b *bench) submissions(ctx context.Context) error {
	database, err := b.running.Database("records")
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, bareTables); err != nil {
		return err
	}
	defer func() { _, _ = conn.Exec(context.WithoutCancel(ctx), "drop schema bench cascade") }()
	all, err := newSubmitters(ctx, site.New(b.gateway))
	if err != nil {
		return err
	}
	medians, err := b.compare(ctx, submissions(all), transactions(database, bareTransaction))
	if err != nil {
		return err
	}
	b.atLeast("submissions, 16 players at once, beside pgbench's bare transaction", medians, 0.04)
	median, p99 := medians[0].median, medians[0].p99
	b.add("submissions: 99th percentile beside the median", p99.Round(100*time.Microsecond).String(),
		median.Round(100*time.Microsecond).String(), "≤ 6 times", float64(p99)/float64(median), p99 <= 6*median)
	return nil
}

// memory reports the most that each process held in this run.
func (b *bench) memory(context.Context) error {
	for _, p := range b.running.Processes {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID))
		if err != nil {
			return err
		}
		limit := 100
		if p.Kind == "gateway" {
			limit = 150
		}
		_, peak, _ := strings.Cut(string(status), "VmHWM:")
		var kib int
		if _, err := fmt.Sscan(peak, &kib); err != nil {
			return err
		}
		b.add("memory of "+p.Name+", at most", fmt.Sprintf("%d MiB", kib/1024), "",
			fmt.Sprintf("≤ %d MiB", limit), 0, kib <= limit*1024)
	}
	return nil
}
