package verification

import (
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	// growEvery is how long after a limit of the game, or after the last growth, the limit grows by one room.
	growEvery = time.Minute
	// The pauses after limits of the game in a row: the first one, and the longest.
	firstLimitPause, maxLimitPause = 2500 * time.Millisecond, 30 * time.Second
)

// concurrencyLimit is the number of rooms at once, by additive increase and multiplicative decrease: a limit of the
// game halves it, and it grows by one room in each growEvery until it is max again.
type concurrencyLimit struct {
	current, max int
	changedAt    time.Time
	pauses       backoff.ExponentialBackOff // after limits of the game
}

func newConcurrencyLimit(capacity int) concurrencyLimit {
	return concurrencyLimit{current: capacity, max: capacity, pauses: backoff.ExponentialBackOff{
		InitialInterval: firstLimitPause, MaxInterval: maxLimitPause, Multiplier: 2,
	}}
}

// increase raises the limit if it is due.
func (l *concurrencyLimit) increase(now time.Time) {
	if !l.isFull() && now.Sub(l.changedAt) >= growEvery {
		l.current, l.changedAt = l.current+1, now
	}
}

// decrease halves the limit after a creation that began at a moment was refused, and returns how long to create no
// rooms. Creations that were under way together are one incident: only the first of them has an effect.
func (l *concurrencyLimit) decrease(began, now time.Time) (pause time.Duration) {
	if !began.After(l.changedAt) {
		return 0
	}
	l.current, l.changedAt = max(1, l.current/2), now
	return l.pauses.NextBackOff()
}

// resetPause makes the next pause the first one again.
func (l *concurrencyLimit) resetPause() { l.pauses.Reset() }

func (l *concurrencyLimit) isFull() bool { return l.current == l.max }
