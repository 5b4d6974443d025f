// Package semaphore bounds how much of a work is done at once, where each takes much
// memory: the others wait.
package semaphore

import "context"

// Semaphore is held by at most so many at a time.
type Semaphore chan struct{}

// New returns a semaphore for so many at a time.
func New(atOnce int) Semaphore { return make(Semaphore, atOnce) }

// Acquire waits for a place, as long as ctx allows. Whoever has one gives it back
// by release. The error is that of ctx.
func (s Semaphore) Acquire(ctx context.Context) (release func(), err error) {
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
