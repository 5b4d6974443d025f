package load

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Reads are GETs that wrk sends over and over.
type Reads struct {
	Address     string // http://host:port
	Paths       []string
	Connections int
	// Once says that no path may be asked for twice in a measurement.
	Once bool
}

//go:embed wrk.lua
var script []byte

// wrkThreads are few: the servers need the processors too.
const wrkThreads = 2

// Measure sends reads for as long. Any answer that is no success is an error.
func (r Reads) Measure(ctx context.Context, length time.Duration) (Result, error) {
	folder, err := os.MkdirTemp("", "capzone-wrk-")
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	lua, paths := filepath.Join(folder, "wrk.lua"), filepath.Join(folder, "paths")
	if err := errors.Join(
		os.WriteFile(lua, script, 0o600),
		os.WriteFile(paths, []byte(strings.Join(r.Paths, "\n")+"\n"), 0o600),
	); err != nil {
		return Result{}, err
	}
	threads := min(wrkThreads, len(r.Paths), r.Connections)
	command := exec.CommandContext(ctx, "wrk",
		"-t", strconv.Itoa(threads), "-c", strconv.Itoa(r.Connections), "-d", seconds(length),
		"--timeout", "10s", "-s", lua, r.Address, "--", paths, strconv.Itoa(threads))
	output, err := command.CombinedOutput()
	if err != nil {
		return Result{}, fmt.Errorf("wrk: %w\n%s", err, output)
	}
	return r.read(string(output))
}

// read reads the line that the script prints at the end.
func (r Reads) read(output string) (Result, error) {
	at := strings.LastIndex(output, "result ")
	if at < 0 {
		return Result{}, fmt.Errorf("wrk said no result:\n%s", output)
	}
	var requests, took, refused, broken, median, p99, turns int64
	if _, err := fmt.Sscanf(output[at:], "result %d %d %d %d %d %d %d", &requests, &took, &refused, &broken, &median, &p99, &turns); err != nil {
		return Result{}, fmt.Errorf("wrk's result: %w\n%s", err, output)
	}
	switch {
	case requests == 0 || took == 0:
		return Result{}, fmt.Errorf("nothing was answered:\n%s", output)
	case refused > 0 || broken > 0:
		return Result{}, fmt.Errorf("%d of %d answers were no success, %d connections broke; the first path is %s", refused, requests, broken, r.Paths[0])
	case r.Once && turns > 0:
		return Result{}, fmt.Errorf("%d paths were too few for %d requests", len(r.Paths), requests)
	}
	return Result{
		Rate:   float64(requests) / (time.Duration(took) * time.Microsecond).Seconds(),
		Median: time.Duration(median) * time.Microsecond,
		P99:    time.Duration(p99) * time.Microsecond,
	}, nil
}
