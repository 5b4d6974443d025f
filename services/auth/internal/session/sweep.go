package session

import (
	"context"

	"capzone.dev/platform/sweep"
)

// sweepBatch bounds one transaction of the sweeper.
const sweepBatch = 500

// Sweep removes expired tokens and families and returns how many.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	return sweep.Batches(sweepBatch, func(ctx context.Context) (int, error) {
		return s.Families.Sweep(ctx, s.Now(), sweepBatch)
	})(ctx)
}
