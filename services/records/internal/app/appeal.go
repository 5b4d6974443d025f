package app

import (
	"context"
	"time"

	"capzone.dev/platform/sweep"
	"capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/replays"
)

const (
	// appeal is how long the replay of a removed run is kept.
	appeal      = 365 * 24 * time.Hour
	forgetEvery = time.Hour
	forgetBatch = 100
)

// forgetReplays is the round that lets the replays of runs go that were removed long ago.
func forgetReplays(runs *postgres.Records) sweep.Round {
	return sweep.Batches(forgetBatch, func(ctx context.Context) (int, error) {
		return runs.ForgetReplays(ctx, time.Now().Add(-appeal), forgetBatch, replays.KeyOf)
	})
}
