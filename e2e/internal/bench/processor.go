package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// withProcessor is a measure that also tells the processor time of a request in programs with some names.
func withProcessor(side measure, programs ...string) measure {
	return func(ctx context.Context, length time.Duration) (result, error) {
		before, err := processorTime(programs)
		if err != nil {
			return result{}, err
		}
		r, err := side(ctx, length)
		if err != nil {
			return r, err
		}
		after, err := processorTime(programs)
		r.processor = (after - before) / time.Duration(max(r.requests, 1))
		return r, err
	}
}

// processorTime returns the processor time that all processes with some names have used, with that of their children
// that have ended.
func processorTime(programs []string) (total time.Duration, err error) {
	const tick = 10 * time.Millisecond // of Linux, for programs
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil { // the process has ended
			continue
		}
		_, named, _ := strings.Cut(string(stat), "(")
		name, fields, _ := strings.Cut(named, ") ")
		if !slices.Contains(programs, name) {
			continue
		}
		var skipped string
		var ticks [4]int // of the process and its children, in the program and in the kernel
		arguments := slices.Repeat([]any{&skipped}, 11)
		for i := range ticks {
			arguments = append(arguments, &ticks[i])
		}
		if _, err := fmt.Sscan(fields, arguments...); err != nil {
			return 0, fmt.Errorf("%s: %w", file, err)
		}
		total += time.Duration(ticks[0]+ticks[1]+ticks[2]+ticks[3]) * tick
	}
	return total, nil
}
