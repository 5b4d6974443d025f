package bench

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"capzone.dev/devstack/httpget"
	"capzone.dev/e2e/internal/load"
)

// cost is what submissions have cost so far: processor time by process, and the
// time of their steps as the records service counts it.
type cost struct {
	processor map[process]time.Duration
	steps     map[string]step
}

// process is a part of the system, and its number. A part that ends takes its time
// along: what is left of it is no cost of what it served before.
type process struct {
	name string
	pid  int
}

type step struct {
	count   float64
	seconds float64
}

func newCost() cost { return cost{processor: map[process]time.Duration{}, steps: map[string]step{}} }

// observe reads the counters of the running stack.
func (b *bench) observe(ctx context.Context) (cost, error) {
	c := newCost()
	tree := readProcesses()
	named := map[int]string{}
	launcher := 0
	for _, p := range b.running.Processes {
		named[p.PID] = p.Name
		launcher = tree[p.PID].parent
	}
	for pid, p := range tree {
		if name := tree.owner(pid, launcher, named); name != "" {
			c.processor[process{name, pid}] = p.used
		}
	}
	for _, p := range b.running.Processes {
		if p.Kind != "records" {
			continue
		}
		metrics, err := httpget.Body(ctx, p.Ops+"/metrics")
		if err != nil {
			return cost{}, err
		}
		readSteps(metrics, c.steps)
	}
	return c, nil
}

var stepLine = regexp.MustCompile(`(?m)^submission_step_seconds_(sum|count)\{step="([^"]+)"\} (\S+)$`)

func readSteps(metrics string, into map[string]step) {
	for _, m := range stepLine.FindAllStringSubmatch(metrics, -1) {
		value, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			continue
		}
		s := into[m[2]]
		if m[1] == "sum" {
			s.seconds += value
		} else {
			s.count += value
		}
		into[m[2]] = s
	}
}

func (c cost) since(before cost) cost {
	d := newCost()
	for p, used := range c.processor {
		d.processor[p] = used - before.processor[p]
	}
	for name, s := range c.steps {
		d.steps[name] = step{s.count - before.steps[name].count, s.seconds - before.steps[name].seconds}
	}
	return d
}

func (c cost) add(more cost) {
	for p, used := range more.processor {
		c.processor[p] += used
	}
	for name, s := range more.steps {
		c.steps[name] = step{c.steps[name].count + s.count, c.steps[name].seconds + s.seconds}
	}
}

// text shows the cost of each of the submissions, all of which took so long.
func (c cost) text(all load.Result, submissions int) string {
	var b strings.Builder
	if submissions == 0 {
		return ""
	}
	fmt.Fprintf(&b, "At %d at once a submission takes %s in the median and %s at the 99th percentile. Its steps in the records service, on the average:\n\n",
		writerCount, milliseconds(all.Median), milliseconds(all.P99))
	var rows [][]string
	for _, name := range slices.SortedFunc(maps.Keys(c.steps), func(x, y string) int { return -compare(c.steps[x].seconds, c.steps[y].seconds) }) {
		if s := c.steps[name]; s.count > 0 {
			rows = append(rows, []string{name, fmt.Sprintf("%.2f ms", s.seconds/s.count*1000)})
		}
	}
	b.WriteString(markdownTable([]string{"step", "time"}, rows))
	if len(c.processor) == 0 {
		return b.String()
	}
	b.WriteString("\nThe processor time of a submission, its events and their effects in the other services included:\n\n")
	rows = nil
	byName := map[string]time.Duration{}
	for p, used := range c.processor {
		byName[p.name] += used
	}
	for _, name := range slices.SortedFunc(maps.Keys(byName), func(x, y string) int { return -compare(byName[x], byName[y]) }) {
		if used := byName[name].Seconds() * 1000 / float64(submissions); used >= noticeable {
			rows = append(rows, []string{name, fmt.Sprintf("%.2f ms", used)})
		}
	}
	b.WriteString(markdownTable([]string{"process", "processor time"}, rows))
	return b.String()
}

func compare[T float64 | time.Duration](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// processes are those of the system by their number, as /proc has it on Linux;
// there are none elsewhere.
type processes map[int]processState

type processState struct {
	name   string
	parent int
	used   time.Duration // of processors
}

// noticeable is from how many milliseconds a process has a part in a submission's cost.
const noticeable = 0.01

// tick is the unit of processor time in /proc (USER_HZ).
const tick = 10 * time.Millisecond

func readProcesses() processes {
	all := processes{}
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return all
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// The name may hold spaces and brackets; what follows it does not.
		open, end := strings.IndexByte(string(text), '('), strings.LastIndexByte(string(text), ')')
		if open < 0 || end < open {
			continue
		}
		pid, errPID := strconv.Atoi(strings.TrimSpace(string(text[:open])))
		fields := strings.Fields(string(text[end+1:]))
		if errPID != nil || len(fields) < 13 {
			continue
		}
		parent, _ := strconv.Atoi(fields[1])
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		all[pid] = processState{string(text[open+1 : end]), parent, time.Duration(user+system) * tick}
	}
	return all
}

// owner names the part of the stack that a process belongs to, "" for none: the
// launcher, what it has started, and what that has started.
func (all processes) owner(pid, launcher int, named map[int]string) string {
	if name := named[pid]; name != "" {
		return name
	}
	at := pid
	for at > 1 && at != launcher {
		at = all[at].parent
	}
	switch name := all[pid].name; {
	case at != launcher:
		return ""
	case pid == launcher:
		return "nats, redis (in the launcher)"
	case name == "postgres":
		return "postgresql"
	default:
		return name
	}
}
