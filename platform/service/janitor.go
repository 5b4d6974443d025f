package service

import (
	"context"
	"time"

	"capzone.dev/platform/objectstore"
)

// fileSweepInterval is how often unreferenced files are removed.
const fileSweepInterval = 10 * time.Minute

// Janitor returns a part of Run that calls remove at once and then at each
// interval, and logs what was removed. An error is logged; the next interval tries
// again.
func (p *Process) Janitor(
	what string, interval time.Duration, remove func(context.Context) (removed int, err error),
) func(context.Context) error {
	return func(ctx context.Context) error {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			removed, err := remove(ctx)
			if err != nil && ctx.Err() == nil {
				p.Log.WarnContext(ctx, "sweeping failed", "what", what, "error", err)
			}
			if removed > 0 {
				p.Log.InfoContext(ctx, "swept", "what", what, "count", removed)
			}
			select {
			case <-ctx.Done():
				return nil
			case <-ticker.C:
			}
		}
	}
}

// SweepFiles returns a part of Run that removes the bucket's files that no row references.
func (s *Service) SweepFiles(files *objectstore.Store, named objectstore.IsReferenced) func(context.Context) error {
	sweeper := objectstore.NewSweeper(files, s.Pool, named)
	return s.Janitor("files that no row names", fileSweepInterval, func(ctx context.Context) (int, error) {
		return sweeper.Sweep(ctx, objectstore.UploadGrace)
	})
}
