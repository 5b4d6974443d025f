package bench

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/httpget"
	"capzone.dev/e2e/internal/load"
	"capzone.dev/e2e/stack"
)

// megabytes are what a process of a kind may hold in memory, in MiB. Others than
// services have no bound.
var megabytes = map[string]float64{"auth": 100, "players": 100, "maps": 100, "records": 100, "gateway": 150}

// watch notes how much memory the processes of a stack hold.
type watch struct {
	processes []stack.Process
	stop      func()

	mu      sync.Mutex
	samples map[string][]sample // by process
}

type sample struct {
	at  time.Time
	mib float64
}

const watchEvery = time.Second

func watchMemory(ctx context.Context, all []stack.Process) *watch {
	ctx, cancel := context.WithCancel(ctx)
	w := &watch{processes: all, samples: map[string][]sample{}}
	done := make(chan struct{})
	w.stop = func() {
		cancel()
		<-done
	}
	go func() {
		defer close(done)
		for {
			w.look(ctx)
			select {
			case <-ctx.Done():
				return
			case <-time.After(watchEvery):
			}
		}
	}()
	return w
}

// look asks the system for the memory that is resident.
func (w *watch) look(ctx context.Context) {
	pids := make([]string, len(w.processes))
	for i, p := range w.processes {
		pids[i] = strconv.Itoa(p.PID)
	}
	output, err := exec.CommandContext(ctx, "ps", "-o", "pid=,rss=", "-p", strings.Join(pids, ",")).Output()
	if err != nil {
		return // the table says that nothing was seen
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for line := range strings.Lines(string(output)) {
		var pid, kib int
		if _, err := fmt.Sscan(line, &pid, &kib); err != nil {
			continue
		}
		for _, p := range w.processes {
			if p.PID == pid {
				w.samples[p.Name] = append(w.samples[p.Name], sample{time.Now(), float64(kib) / 1024})
			}
		}
	}
}

func (w *watch) of(name string) []sample {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.samples[name])
}

// memory tells the most that each process has held under the load of this run, the
// gateway with a full cache. Where only this part is measured, there is no load but
// its own.
func (b *bench) memory(ctx context.Context) error {
	length := 10 * time.Second
	if b.Quick {
		length = 2 * time.Second
	}
	if err := b.fillCache(ctx); err != nil {
		return err
	}
	if err := b.everything(ctx, length); err != nil {
		return err
	}
	for _, p := range b.running.Processes {
		most := 0.0
		for _, s := range b.watch.of(p.Name) {
			most = max(most, s.mib)
		}
		if most == 0 {
			return fmt.Errorf("nothing is known of the memory of %s", p.Name)
		}
		if bound, ok := megabytes[p.Kind]; ok {
			b.report.atMost("memory of "+p.Name+", at most", fmt.Sprintf("%.0f MiB", most), "", most, bound, "MiB")
		}
	}
	return nil
}

// fullCache is how much of its bound the gateway's cache holds when it is full: what
// comes in drives something out.
const fullCache = 0.95

var cacheLine = regexp.MustCompile(`(?m)^gateway_pages_bytes(_max)? (\S+)$`)

// fillCache asks for pages until the gateway has no room for more.
func (b *bench) fillCache(ctx context.Context) error {
	const share = 20_000
	for unasked := newStock(); len(unasked.paths) > 0; {
		_, err := load.Reads{Address: b.gateway(), Paths: unasked.take(share), Connections: 16}.Measure(ctx, 2*time.Second)
		if err != nil {
			return err
		}
		kept, most, err := b.cached(ctx)
		if err != nil {
			return err
		}
		if kept >= fullCache*most {
			b.report.rows = append(b.report.rows, row{measure: "pages that the gateway keeps", system: fmt.Sprintf("%.0f of %.0f MiB", kept/(1<<20), most/(1<<20))})
			return nil
		}
	}
	return errors.New("the gateway's cache does not get full")
}

// cached returns how many bytes of pages the gateway keeps, and may keep.
func (b *bench) cached(ctx context.Context) (kept, most float64, err error) {
	for _, p := range b.running.Processes {
		if p.Kind != "gateway" {
			continue
		}
		metrics, err := httpget.Body(ctx, p.Ops+"/metrics")
		if err != nil {
			return 0, 0, err
		}
		for _, m := range cacheLine.FindAllStringSubmatch(metrics, -1) {
			value, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				return 0, 0, err
			}
			if m[1] == "" {
				kept = value
			} else {
				most = value
			}
		}
	}
	if most == 0 {
		return 0, 0, errors.New("the gateway says nothing of its cache")
	}
	return kept, most, nil
}

// everything loads the system from all sides: pages that are asked for often and
// others that never were, searches, and submissions.
func (b *bench) everything(ctx context.Context, length time.Duration) error {
	w, err := newWriters(b.running.Stack, b.gateway(), firstWriter, 4)
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		_, err := w.load(ctx, length)
		return err
	})
	paths := newStock().take(200_000)
	for _, term := range []string{"run", "e", "sky", "gauntlet", "12"} {
		paths = append(paths, api+"/maps/search?name="+term, api+"/players/search?name="+term)
	}
	g.Go(func() error {
		_, err := load.Reads{Address: b.gateway(), Paths: paths, Connections: 16}.Measure(ctx, length)
		return err
	})
	return g.Wait()
}

const (
	// growthOfMemory is how many times as much as in its beginning a process may hold at
	// the end of a soak.
	growthOfMemory = 1.1
	// spareMemory is how much more it may hold in any case, in MiB: the heap of a program
	// that does little grows that much between two collections.
	spareMemory = 8
)

// soak keeps the system under load and compares what its processes hold in the
// second tenth of the time, when caches and pools are full, with the last.
func (b *bench) soak(ctx context.Context) error {
	// A writer's token lasts for some minutes.
	const turn = time.Minute
	began := time.Now()
	for time.Since(began) < b.Soak {
		b.say(fmt.Sprintf("under load for %s of %s", time.Since(began).Round(time.Second), b.Soak))
		if err := b.everything(ctx, min(turn, max(time.Second, b.Soak-time.Since(began)))); err != nil {
			return err
		}
	}
	length := time.Since(began)
	for _, p := range b.running.Processes {
		bound, ok := megabytes[p.Kind]
		if !ok {
			continue
		}
		samples := b.watch.of(p.Name)
		first := between(samples, began.Add(length/10), began.Add(length/5))
		last := between(samples, began.Add(length*9/10), began.Add(length))
		b.report.atMost("memory of "+p.Name+" after "+length.Round(time.Second).String(),
			fmt.Sprintf("%.0f MiB", last), fmt.Sprintf("%.0f MiB in the beginning", first), last/first, max(growthOfMemory, 1+spareMemory/first), "")
		b.report.atMost("– beside its bound", fmt.Sprintf("%.0f MiB", last), "", last, bound, "MiB")
	}
	b.report.print(b.Out)
	return nil
}

// between is the median of the samples of a time.
func between(samples []sample, from, to time.Time) float64 {
	var within []sample
	for _, s := range samples {
		if !s.at.Before(from) && !s.at.After(to) {
			within = append(within, s)
		}
	}
	return load.Median(within, func(s sample) float64 { return s.mib })
}
