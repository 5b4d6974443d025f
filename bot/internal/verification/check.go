package verification

import (
	"context"
	"errors"
	"time"
)

const (
	// checkTimeout bounds one check.
	checkTimeout = time.Minute
	// The pauses after a check that failed: the first one, and the longest.
	firstCheckPause, maxCheckPause = 5 * time.Second, 5 * time.Minute
)

// RunChecks checks at the start and every CheckEvery that a player could use the bot's rooms, until
// ctx ends. After a check that failed the bot takes no logins until the next one succeeds.
func (b *Bot) RunChecks(ctx context.Context) {
	if b.cfg.CheckEvery == 0 {
		return
	}
	failedPause := firstCheckPause
	for {
		pause := b.cfg.CheckEvery
		if b.check(ctx) {
			failedPause = firstCheckPause
		} else {
			pause = failedPause
			failedPause = min(2*failedPause, maxCheckPause)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// IsReady reports whether the last check of the bot's own rooms succeeded.
func (b *Bot) IsReady() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ready
}

// check runs one check and reports whether it succeeded. A check for which the game creates no room
// does not stop a bot whose last check succeeded.
func (b *Bot) check(ctx context.Context) bool {
	b.mu.Lock()
	if !b.reserveCreation() {
		b.mu.Unlock()
		return false
	}
	b.open++
	b.mu.Unlock()

	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	err := b.game.Check(ctx)

	b.mu.Lock()
	defer b.mu.Unlock()
	b.open--
	var limit LimitError
	var later RetryLaterError
	isInconclusive := errors.As(err, &limit) || errors.As(err, &later)
	switch {
	case ctx.Err() != nil && b.isStopping():
		return false
	case err == nil:
		if !b.ready {
			b.log.Info("the bot can enter its own room")
		}
		b.ready = true
		b.metrics.Checked("")
	case !b.ready || !isInconclusive:
		b.log.Error("no logins are taken: the bot cannot enter its own room", "error", err)
		b.ready = false
		var failed CheckError
		_ = errors.As(err, &failed)
		b.metrics.Checked(failed.Step)
	}
	b.dispatch()
	return err == nil
}
