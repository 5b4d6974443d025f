package app

import (
	"context"
	"log/slog"
	"time"

	"capzone.dev/services/auth/internal/session"
)

// sweepEvery is how often expired sessions are forgotten. Nothing depends on it
// but the size of the tables.
const sweepEvery = 10 * time.Minute

func sweep(ctx context.Context, sessions *session.Service, log *slog.Logger) error {
	for {
		swept, err := sessions.Sweep(ctx)
		if err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "expired sessions were not swept", "error", err)
		}
		if swept > 0 {
			log.DebugContext(ctx, "expired sessions swept", "rows", swept)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(sweepEvery):
		}
	}
}
