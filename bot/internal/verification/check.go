package verification

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	// checkTimeout bounds one check.
	checkTimeout = time.Minute
	// The pauses after checks that failed in a row: the first one, and the longest.
	firstCheckPause, maxCheckPause = 5 * time.Second, time.Minute
)

// RunChecks checks at the start and every CheckEvery that a player could use the bot's rooms, until
// ctx ends. After a check that failed the bot takes no logins until the next one succeeds.
func (b *Bot) RunChecks(ctx context.Context) {
	if b.cfg.CheckEvery == 0 {
		return
	}
	afterFailure := backoff.ExponentialBackOff{
		InitialInterval: firstCheckPause, MaxInterval: maxCheckPause, Multiplier: backoff.DefaultMultiplier,
	}
	for {
		pause := b.cfg.CheckEvery
		if b.check(ctx) {
			afterFailure.Reset()
		} else {
			pause = afterFailure.NextBackOff()
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
	return b.queue.ready
}

// check runs one check and reports whether it succeeded. A check for which the game creates no room
// does not stop a bot whose last check succeeded.
func (b *Bot) check(ctx context.Context) bool {
	b.mu.Lock()
	mayOpen := b.queue.beginCheck(time.Now())
	b.mu.Unlock()
	if !mayOpen {
		return false
	}

	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	failedStep, err := b.game.Check(ctx)

	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue.endCheck()
	isInconclusive := errors.Is(err, ErrLimit) || errors.As(err, new(RetryLaterError))
	switch {
	case ctx.Err() != nil && b.isStopping():
		return false
	case err == nil:
		if !b.queue.ready {
			b.log.Info("the bot can enter its own room")
		}
		b.queue.ready = true
		b.metrics.Checked("")
	case !b.queue.ready || !isInconclusive:
		b.log.Error("no logins are taken: the bot cannot enter its own room", "error", err)
		b.queue.ready = false
		b.metrics.Checked(failedStep)
	}
	b.dispatch()
	return err == nil
}
