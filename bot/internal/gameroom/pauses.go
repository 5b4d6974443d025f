package gameroom

import (
	"time"

	"github.com/cenkalti/backoff/v5"
)

// BackoffLimits bound the pauses after refusals of the game: Initial at first, twice as long after each
// further refusal, at most Max. The pause is a random part of that, at least half, so that
// several bots do not continue at the same time.
type BackoffLimits struct{ Initial, Max time.Duration }

// pauses are those after refusals in a row. Attempts that were under way when one was refused are the same
// incident, which counts once. They are not safe for concurrent use.
type pauses struct {
	backoff  backoff.ExponentialBackOff
	failedAt time.Time
	until    time.Time
}

func newPauses(limits BackoffLimits) pauses {
	return pauses{backoff: backoff.ExponentialBackOff{ // 3/4, a third more or less
		InitialInterval: limits.Initial * 3 / 4, MaxInterval: limits.Max * 3 / 4,
		Multiplier: 2, RandomizationFactor: 1. / 3,
	}}
}

// failed records the refusal of an attempt that began at a moment. The pause is at most longest.
func (p *pauses) failed(began, now time.Time, longest time.Duration) {
	if began.After(p.failedAt) {
		p.failedAt, p.until = now, now.Add(min(p.backoff.NextBackOff(), longest))
	}
}

// worked ends the incident.
func (p *pauses) worked() {
	p.backoff.Reset()
	p.failedAt, p.until = time.Time{}, time.Time{}
}

// left returns the rest of the pause; zero or less is none.
func (p *pauses) left(now time.Time) time.Duration { return p.until.Sub(now) }
