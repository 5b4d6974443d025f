package gameroom

import (
	"math/rand/v2"
	"time"
)

// BackoffLimits say how long to leave the game alone after it has refused something:
// Initial, twice as long after each further refusal, at most Max; between half
// and all of that, so that several bots don't come back at once.
type BackoffLimits struct{ Initial, Max time.Duration }

// backoff counts refusals in a row. It does no locking.
type backoff struct {
	limits   BackoffLimits
	failures int
	until    time.Time
}

func (b *backoff) failed(now time.Time) {
	pause := b.limits.Initial
	for range b.failures {
		pause = min(2*pause, b.limits.Max)
	}
	b.failures++
	half := pause / 2
	b.until = now.Add(half + rand.N(half+1))
}

func (b *backoff) worked() { b.failures, b.until = 0, time.Time{} }

// left is how long to wait still; zero or less is not at all.
func (b *backoff) left(now time.Time) time.Duration { return b.until.Sub(now) }

// quota counts what may happen so many times within a minute. It does no locking.
type quota struct {
	limit int
	taken []time.Time // of the last minute, the oldest first
}

// take takes one of the quota, or tells how long to wait for one.
func (q *quota) take(now time.Time) (wait time.Duration) {
	for len(q.taken) > 0 && !now.Before(q.taken[0].Add(time.Minute)) {
		q.taken = q.taken[1:]
	}
	if len(q.taken) >= q.limit {
		return q.taken[len(q.taken)-q.limit].Add(time.Minute).Sub(now)
	}
	q.taken = append(q.taken, now)
	return 0
}
