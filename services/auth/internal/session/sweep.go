package session

import "context"

// sweepBatch bounds one transaction of the sweeper.
const sweepBatch = 500

// Sweep forgets what has expired, and returns how many tokens and families that were.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	swept := 0
	for {
		n, err := s.Families.Sweep(ctx, s.Now(), sweepBatch)
		swept += n
		if err != nil || n == 0 {
			return swept, err
		}
	}
}
