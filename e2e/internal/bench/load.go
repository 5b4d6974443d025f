package bench

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// result is the result of one measurement. The rate is per second; pgbench reports no times.
type result struct {
	rate        float64
	median, p99 time.Duration
	requests    int64
	// processor is the processor time of a request, where it is measured.
	processor time.Duration
}

// measure loads one side of a comparison for a while, in whole seconds.
type measure func(ctx context.Context, length time.Duration) (result, error)

// compare measures the system and its reference in turn, so that both see the same state of the machine, and returns
// the medians. The first round is not counted: it fills connections, plans and buffers.
func (b *bench) compare(ctx context.Context, sides ...measure) ([]result, error) {
	all := make([][]result, len(sides))
	for range b.rounds + 1 {
		for i, side := range sides {
			measured, err := side(ctx, b.length)
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], measured)
		}
	}
	var medians []result
	for _, results := range all {
		counted := results[1:]
		slices.SortFunc(counted, func(a, b result) int { return int(a.rate - b.rate) })
		medians = append(medians, counted[len(counted)/2])
	}
	return medians, nil
}

//go:embed wrk.lua
var wrkScript string

// reads returns a measure of GET requests for the paths, in turn, by wrk. An answer that is no success is an error.
func reads(address string, connections int, paths ...string) measure {
	return readsAs("", address, connections, paths...)
}

// readsAs is reads with an access token.
func readsAs(token, address string, connections int, paths ...string) measure {
	return func(ctx context.Context, length time.Duration) (result, error) {
		var r result
		threads := strconv.Itoa(min(2, len(paths)))
		output, err := withFiles([]string{wrkScript, strings.Join(paths, "\n") + "\n"}, func(files []string) *exec.Cmd {
			return exec.CommandContext(ctx, "wrk", "-t", threads, "-c", strconv.Itoa(connections),
				"-d", strconv.Itoa(int(length.Seconds())), "--timeout", "10s",
				"-H", "Authorization: Bearer "+token, "-s", files[0], address, "--", files[1], threads)
		})
		if err != nil {
			return r, err
		}
		_, line, _ := strings.Cut(output, "result ")
		var requests, took, failed, median, p99 int64
		if _, err := fmt.Sscan(line, &requests, &took, &failed, &median, &p99); err != nil {
			return r, fmt.Errorf("wrk: %w\n%s", err, output)
		}
		if requests == 0 || failed > 0 {
			return r, fmt.Errorf("%d of %d reads of %s and the like failed", failed, requests, paths[0])
		}
		r.rate, r.requests = float64(requests)/float64(took)*1e6, requests
		r.median, r.p99 = time.Duration(median)*time.Microsecond, time.Duration(p99)*time.Microsecond
		return r, nil
	}
}

var (
	progress  = regexp.MustCompile(`progress: [\d.]+ s, ([\d.]+) tps, .*, 0 failed`)
	processed = regexp.MustCompile(`transactions actually processed: (\d+)`)
)

// transactions returns a measure of 16 clients of pgbench, which runs one of the scripts at a time, prepared.
func transactions(database string, scripts ...string) measure {
	return func(ctx context.Context, length time.Duration) (result, error) {
		// The first second, in which statements are prepared, is not counted.
		arguments := []string{"--no-vacuum", "--protocol", "prepared", "--progress", "1", "--client", "16", "--jobs", "2",
			"--time", strconv.Itoa(int(length.Seconds()) + 2)}
		output, err := withFiles(scripts, func(files []string) *exec.Cmd {
			for _, file := range files {
				arguments = append(arguments, "--file", file)
			}
			command := exec.CommandContext(ctx, "pgbench", append(arguments, database)...)
			// As the services set it, so that the plans are the same.
			command.Env = append(os.Environ(), "PGOPTIONS=-c random_page_cost=1.1")
			return command
		})
		seconds := progress.FindAllStringSubmatch(output, -1)
		if err != nil || len(seconds) < 2 {
			return result{}, fmt.Errorf("pgbench: %w\n%s", err, output)
		}
		var r result
		if count := processed.FindStringSubmatch(output); count != nil {
			r.requests, _ = strconv.ParseInt(count[1], 10, 64)
		}
		for _, second := range seconds[1:] {
			rate, err := strconv.ParseFloat(second[1], 64)
			if err != nil {
				return r, err
			}
			r.rate += rate / float64(len(seconds)-1)
		}
		return r, nil
	}
}

// withFiles runs a command that reads texts from files, and returns what it prints.
func withFiles(texts []string, command func(files []string) *exec.Cmd) (output string, err error) {
	folder, err := os.MkdirTemp("", "capzone-bench-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	var files []string
	for i, text := range texts {
		files = append(files, filepath.Join(folder, strconv.Itoa(i)))
		if err := os.WriteFile(files[i], []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	printed, err := command(files).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, printed)
	}
	return string(printed), err
}
