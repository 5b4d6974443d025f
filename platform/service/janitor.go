package service

import (
	"context"
	"time"

	"capzone.dev/platform/sweep"
)

// Sweep returns a part of Run that removes what is due at regular intervals. The
// log says what was removed.
func (p *Process) Sweep(what string, every time.Duration, round sweep.Round) func(context.Context) error {
	return func(ctx context.Context) error { return sweep.Run(ctx, p.Log, what, every, round) }
}
