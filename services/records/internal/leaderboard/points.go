package leaderboard

import (
	"context"
	"time"

	"capzone.dev/services/records/internal/points"
)

// PointsStore computes points and rankings from personal bests, never in a transaction that changes them. One process
// computes at a time.
type PointsStore interface {
	// ComputePoints computes some of what has changed, and returns how much it was: nothing when nothing is due, or
	// another process computes. Points of another version of the formula or other thresholds are rebuilt.
	ComputePoints(ctx context.Context, thresholds points.Thresholds, now time.Time) (ComputedPoints, error)
	// StoreDay stores the points and ranks of the day that has ended, once, and returns how many have changed. It deletes
	// the rankings of earlier months, and what explains changes of earlier weeks.
	StoreDay(ctx context.Context, now time.Time) (stored int, err error)
	// PointsDelay returns for how long the oldest change waits.
	PointsDelay(ctx context.Context) (time.Duration, error)
}

// ComputedPoints counts what was computed.
type ComputedPoints struct{ Maps, Players int }
