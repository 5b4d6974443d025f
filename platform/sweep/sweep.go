// Package sweep lets go what is not needed any more, beside a service's work:
// a round now and then, and in each round batch after batch, so that no
// statement holds many rows.
package sweep

import (
	"context"
	"log/slog"
	"time"
)

// Round removes all that is due, and returns how many things that were.
type Round func(ctx context.Context) (removed int, err error)

// Batches is the round that repeats batch until it finds less than it may take
// at once, which is most.
func Batches(most int, batch Round) Round {
	return func(ctx context.Context) (removed int, err error) {
		for {
			n, err := batch(ctx)
			removed += n
			if err != nil || n < most {
				return removed, err
			}
		}
	}
}

// Run does a round at once and then whenever the time has passed, until ctx
// ends. What fails is due in the next round. The log says "swept" with what it was.
func Run(ctx context.Context, log *slog.Logger, what string, every time.Duration, round Round) error {
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		removed, err := round(ctx)
		if err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "sweeping failed", "what", what, "error", err)
		}
		if removed > 0 {
			log.InfoContext(ctx, "swept", "what", what, "count", removed)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
		}
	}
}
