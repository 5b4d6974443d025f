package gameroom

import (
	"math/rand/v2"
	"time"
)

// BackoffLimits bound the pauses after refusals of the game: Initial at first, twice as long after
// each further refusal, at most Max. The pause is a random part of that, at least half, so that
// several bots do not continue at the same time.
type BackoffLimits struct{ Initial, Max time.Duration }

// backoff counts refusals in a row. Attempts that were under way when one was refused are the same
// incident, which counts once. It is not safe for concurrent use.
type backoff struct {
	limits   BackoffLimits
	failures int
	failedAt time.Time
	until    time.Time
}

// failed records the refusal of an attempt that began at a moment. The pause is at most longest.
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

// worked ends the incident.
func (b *backoff) worked() { b.failures, b.until = 0, time.Time{} }

// left returns the rest of the pause; zero or less is none.
func (b *backoff) left(now time.Time) time.Duration { return b.until.Sub(now) }
