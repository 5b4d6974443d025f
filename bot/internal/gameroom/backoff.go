package gameroom

import (
	"math/rand/v2"
	"time"
)

// BackoffLimits are the pauses after the game has refused something: Initial, twice
// as long after each further refusal, at most Max; of that between half and all, at
// random, so that several bots don't come back at the same time.
type BackoffLimits struct{ Initial, Max time.Duration }

// backoff counts refusals in a row. Attempts that were under way when one was
// refused belong to the same incident, which counts once. It does no locking.
type backoff struct {
	limits   BackoffLimits
	failures int
	failedAt time.Time
	until    time.Time
}

// failed notes the refusal of an attempt that began at a moment. The pause is at most longest.
func (b *backoff) failed(began, now time.Time, longest time.Duration) {
	if b.failures > 0 && !began.After(b.failedAt) {
		return
	}
	pause := b.limits.Initial
	for range b.failures {
		pause = min(2*pause, b.limits.Max)
	}
	pause = min(pause, longest)
	b.failures++
	b.failedAt = now
	half := pause / 2
	b.until = now.Add(half + rand.N(half+1))
}

func (b *backoff) worked() { b.failures, b.until = 0, time.Time{} }

// left returns how long to wait still; zero or less is not at all.
func (b *backoff) left(now time.Time) time.Duration { return b.until.Sub(now) }
