package bench

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/jackc/pgx/v5"

	"capzone.dev/e2e/internal/load"
	"capzone.dev/e2e/stack"
)

// document is docs/performance.md.
func (r *report) document(machine string, rounds load.Rounds) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Performance

Written by %[1]smake bench%[1]s. All servers, the load generators and the references run on one machine, which is

%[2]s
Rates of different machines say nothing about each other; ratios do. Each figure is a ratio of the medians of %[3]d rounds of %[4]s, in which
the system and its reference took turns. The system is what %[1]smake up%[1]s starts, asked through the gateway, with limits that nobody meets.

`, "`", machine, rounds.Count, rounds.Length)
	var rows [][]string
	for _, row := range r.rows {
		cells := row.cells()
		if row.target != "" && !row.met {
			cells[5] = "**no**"
		}
		rows = append(rows, cells)
	}
	b.WriteString(markdownTable(columns, rows))
	for _, n := range r.notes {
		fmt.Fprintf(&b, "\n## %s\n\n%s", n.title, n.text)
	}
	b.WriteString(howTo)
	return b.String()
}

// howTo says what the lines of the table mean, and how to have them again.
const howTo = `
## What is measured

- **The community** has 100,000 players and 100,000 maps. 2,000 maps have 500,000 runs by 20,000 players, 122 on the median map and 10,000 on the largest; one
  further map has 1,000,000. It is written straight into the services' databases, once, and kept in ` + "`.local-bench/`" + ` for later runs.
- **hot**: the same page again and again, beside a bare gin handler that has the page's bytes at hand. The home page's three calls are asked in turn.
- **cold**: parts of leaderboards of 2,000 maps, none of which is asked for twice (they differ in map, offset and limit, and have ten rows on the average), with the gateway's cache
  on; beside one gin process without any middleware that reads the same page from the same database in one prepared statement, without a gateway. It gets the same addresses, and
  its answer is compared with the system's first.
- **search, cold**: 32 parts of names by chance for each length, through a second gateway whose cache is off (` + "`PAGE_CACHE_MB=0`" + `); beside pgbench, which runs the statements that the
  services run for the same terms, as the database server has logged them.
- **growth**: the rates of the same page on the largest maps, through the gateway whose cache is off.
- **submissions**: 16 players hand in replays of generated maps, each with a time and a moment of its own. A run is answered when its file and its row are safe. Beside it, pgbench
  inserts a run and its three events into empty tables like the system's, with all their indexes, each time in a transaction of its own; and, for comparison, the row of the run alone.
- **memory**: the most that a process held in memory (resident) in the whole run, the gateway with as many pages as it may keep.
- **start**: from the launcher's start on an empty data folder, with the programs built, until every process is ready.

## How to have it again

` + "```console" + `
$ apt-get install wrk postgresql   # the load generators: wrk, and pgbench, whatever its version
$ make bench                       # everything; writes this page
$ make bench QUICK=1               # the same with few, short rounds, to see that it works; writes nothing
$ make bench ONLY="hot growth"     # parts of it: hot cold search growth submit fresh memory start
$ make bench SOAK=10m              # ten minutes of load from all sides, to see whether memory grows
` + "```" + `

The machine should have nothing else to do. The first run fills the databases, which takes some minutes more; ` + "`rm -rf .local-bench`" + ` forgets them.
`

// describe says what the machine and its software are.
func describe(ctx context.Context, s stack.Stack) (string, error) {
	version, err := serverVersion(ctx, s)
	if err != nil {
		return "", err
	}
	rows := [][]string{
		{"processor", fmt.Sprintf("%s, %d of them", valueIn("/proc/cpuinfo", "model name"), runtime.NumCPU())},
		{"memory", valueIn("/proc/meminfo", "MemTotal")},
		{"system", runtime.GOOS + "/" + runtime.GOARCH + " " + firstLine(ctx, "uname", "-r")},
		{"Go", runtime.Version()},
		{"PostgreSQL", version},
		{"load generators", firstLine(ctx, "wrk", "-v") + "; " + firstLine(ctx, "pgbench", "--version")},
	}
	return markdownTable([]string{"", ""}, rows), nil
}

func serverVersion(ctx context.Context, s stack.Stack) (version string, err error) {
	url, err := s.Database("records")
	if err != nil {
		return "", err
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	err = conn.QueryRow(ctx, "show server_version").Scan(&version)
	return version, err
}

// valueIn is the value of a name in a file of lines like "name : value".
func valueIn(file, name string) string {
	f, err := os.Open(file)
	if err != nil {
		return "unknown"
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// firstLine is the first line that a program prints, whatever its exit status: wrk -v has one of its own.
func firstLine(ctx context.Context, program string, arguments ...string) string {
	output, _ := exec.CommandContext(ctx, program, arguments...).CombinedOutput()
	line, _, _ := strings.Cut(string(output), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return "unknown"
	}
	return line
}
