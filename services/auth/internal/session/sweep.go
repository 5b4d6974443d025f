package session

import "context"

// sweepBatch bounds one transaction of the sweeper.
const sweepBatch = 500

// Sweep removes expired tokens and families and returns how many.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	removed := 0
	for {
		n, err := s.Families.Sweep(ctx, s.Now(), sweepBatch)
		removed += n
		if err != nil || n < sweepBatch {
			return removed, err
		}
	}
}
