package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"capzone.dev/e2e/internal/load"
	"capzone.dev/e2e/stack"
)

const (
	startTimes = 5
	// startWithin is how soon all processes of a fresh stack serve, once built.
	startWithin = 6.0
)

// start measures how long a stack takes from nothing but built programs until
// everything is ready, first databases and migrations included.
func (b *bench) start(ctx context.Context) error {
	count := startTimes
	if b.Quick {
		count = 1
	}
	var all []float64
	for range count {
		took, err := b.startOnce(ctx)
		if err != nil {
			return err
		}
		all = append(all, took.Seconds())
	}
	median := load.Median(all, func(s float64) float64 { return s })
	b.report.atMost("start of a fresh stack, once built", fmt.Sprintf("%.1f s", median), "", median, startWithin, "s")
	return nil
}

func (b *bench) startOnce(ctx context.Context) (took time.Duration, err error) {
	dataDir, err := os.MkdirTemp("", "capzone-start-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, stack.Reset(context.WithoutCancel(ctx), dataDir)) }()
	if err := os.CopyFS(filepath.Join(dataDir, "bin"), os.DirFS(filepath.Join(b.dataDir, "bin"))); err != nil {
		return 0, err
	}
	running, err := stack.Up(ctx, dataDir, nil)
	if err != nil {
		return 0, err
	}
	return running.Took, running.Down()
}
