package app

import (
	"context"
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

// forgetReplays removes the replays of runs that were removed long ago, and returns how many.
func forgetReplays(runs *postgres.Records) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) {
		removed := 0
		for {
			n, err := runs.ForgetReplays(ctx, time.Now().Add(-appeal), forgetBatch, replays.KeyOf)
			removed += n
			if err != nil || n < forgetBatch {
				return removed, err
			}
		}
	}
}
