package app

import (
	"context"
	"log/slog"
	"time"

	"capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/replays"
)

const (
	// appeal is how long the replay of a removed run is kept.
	appeal      = 365 * 24 * time.Hour
	forgetEvery = time.Hour
	forgetBatch = 100
)

// forgetReplays lets the replays of runs go that were removed long ago, until ctx ends.
func forgetReplays(ctx context.Context, runs *postgres.Records, log *slog.Logger) error {
	for {
		count, err := runs.ForgetReplays(ctx, time.Now().Add(-appeal), forgetBatch, replays.KeyOf)
		if err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "replays of removed runs were not forgotten", "error", err)
		} else if count > 0 {
			log.InfoContext(ctx, "forgot replays of removed runs", "count", count)
		}
		if count == forgetBatch {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(forgetEvery):
		}
	}
}
