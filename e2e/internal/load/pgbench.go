package load

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// Statements are scripts that pgbench runs over and over, one of them at a time by chance.
type Statements struct {
	URL         string // of the database
	Scripts     []string
	Connections int
}

// MaxScripts is how many scripts pgbench takes.
const MaxScripts = 128

// pgbenchThreads is few: the database needs the processors too.
const pgbenchThreads = 2

// pgbenchExtra comes on top of the measured time: the first second, in which
// statements are prepared, and the last, which pgbench may not tell of.
const pgbenchExtra = 2 * time.Second

// Measure runs scripts for as long, prepared.
func (s Statements) Measure(ctx context.Context, length time.Duration) (Result, error) {
	folder, err := os.MkdirTemp("", "capzone-pgbench-")
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	arguments := []string{
		"--no-vacuum", "--protocol", "prepared", "--progress", "1", "--time", seconds(length + pgbenchExtra),
		"--client", strconv.Itoa(s.Connections), "--jobs", strconv.Itoa(min(pgbenchThreads, s.Connections)),
	}
	for i, text := range s.Scripts {
		file := filepath.Join(folder, strconv.Itoa(i)+".sql")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return Result{}, err
		}
		arguments = append(arguments, "--file", file)
	}
	command := exec.CommandContext(ctx, "pgbench", append(arguments, s.URL)...)
	// As the services ask for it.
	command.Env = append(os.Environ(), "PGOPTIONS=-c plan_cache_mode=force_generic_plan")
	output, err := command.CombinedOutput()
	if err != nil {
		return Result{}, fmt.Errorf("pgbench: %w\n%s", err, output)
	}
	return readProgress(output)
}

var progress = regexp.MustCompile(`(?m)^progress: [\d.]+ s, ([\d.]+) tps, lat ([\d.]+) ms .*?, (\d+) failed`)

// readProgress is the mean of what pgbench says each second, from the second one.
func readProgress(output []byte) (Result, error) {
	said := progress.FindAllSubmatch(output, -1)
	if len(said) < 2 {
		return Result{}, fmt.Errorf("pgbench said nothing of its progress:\n%s", output)
	}
	var sum float64
	for _, second := range said[1:] {
		rate, err := strconv.ParseFloat(string(second[1]), 64)
		if err != nil {
			return Result{}, err
		}
		if string(second[3]) != "0" {
			return Result{}, fmt.Errorf("transactions failed:\n%s", output)
		}
		sum += rate
	}
	return Result{Rate: sum / float64(len(said)-1)}, nil
}
