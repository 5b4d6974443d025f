// Package turns bounds how much of a work is done at once, where each takes much
// memory: the others wait for their turn.
package turns

import "context"

// Turns are taken by at most so many at a time.
type Turns chan struct{}

// New returns turns for so many at a time.
func New(atOnce int) Turns { return make(Turns, atOnce) }

// Take waits for a turn, as long as ctx allows. Whoever has one gives it back by
// done. The error is that of ctx.
func (t Turns) Take(ctx context.Context) (done func(), err error) {
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
