package session

import (
	"context"

	"capzone.dev/platform/sweep"
)

// sweepBatch bounds one transaction of the sweeper.
const sweepBatch = 500

// Sweep forgets what has expired, and returns how many tokens and families that were.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	return sweep.Batches(sweepBatch, func(ctx context.Context) (int, error) {
		return s.Families.Sweep(ctx, s.Now(), sweepBatch)
	})(ctx)
}
