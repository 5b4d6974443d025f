// Package groupcommit does work together that comes at once, as a database server
// flushes its log once for many transactions: what comes while a batch is done is
// the next batch. Where nothing else is under way a call is done at once, by
// itself.
package groupcommit

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// longest is how long a batch may take: more than a database lets a statement take,
// so that it ends only what waits for an answer that will not come.
const longest = 30 * time.Second

// ErrAbandoned is what the calls of a batch get whose work panicked.
var ErrAbandoned = errors.New("groupcommit: the batch was abandoned")

// Options say what is done together.
type Options[In, Out any] struct {
	// Max is the most calls of a batch.
	Max int
	// Keys names what a call touches. Of calls with a key in common the later one
	// waits for a later batch. Nil where all may be together.
	Keys func(In) []string
	// Do does a batch, and returns an outcome for each call in their order, or an
	// error that is everybody's. Its context is that of one of the calls, but ends
	// after 30 s and not when that call's does.
	Do func(context.Context, []In) ([]Out, error)
}

// Group does calls together.
type Group[In, Out any] struct {
	options Options[In, Out]

	mu      sync.Mutex
	busy    bool // with a batch
	waiting []*call[In, Out]
}

// call is one that waits or is being done.
type call[In, Out any] struct {
	in   In
	keys []string
	out  Out
	err  error
	// turn holds something when the call is to lead a batch, done is closed when
	// there is an outcome.
	turn, done chan struct{}
}

// New returns a group that has nothing to do.
func New[In, Out any](o Options[In, Out]) *Group[In, Out] {
	return &Group[In, Out]{options: o}
}

// Do returns what became of a call. A call that waits when ctx ends is taken back,
// and the error is that of ctx; once begun it is done to its end.
func (g *Group[In, Out]) Do(ctx context.Context, in In) (Out, error) {
	c := &call[In, Out]{in: in, turn: make(chan struct{}, 1), done: make(chan struct{})}
	if g.options.Keys != nil {
		c.keys = g.options.Keys(in)
	}
	g.enter(c)
	leave := ctx.Done()
	for {
		select {
		case <-c.done:
			return c.out, c.err
		case <-c.turn:
			g.lead(ctx, c)
		case <-leave:
			if g.takeBack(c) {
				return c.out, ctx.Err()
			}
			leave = nil
		}
	}
}

// enter puts the call into the line.
func (g *Group[In, Out]) enter(c *call[In, Out]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, c)
	g.giveTurn()
}

// takeBack removes a call that only waits, and tells whether it could.
func (g *Group[In, Out]) takeBack(c *call[In, Out]) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := slices.Index(g.waiting, c)
	if at < 0 {
		return false
	}
	g.waiting = slices.Delete(g.waiting, at, at+1)
	return true
}

// giveTurn has the first of the line lead a batch, where none is under way.
func (g *Group[In, Out]) giveTurn() {
	if g.busy || len(g.waiting) == 0 {
		return
	}
	g.busy = true
	first := g.waiting[0]
	g.waiting = slices.Delete(g.waiting, 0, 1)
	first.turn <- struct{}{}
}

// lead does a batch of c and of those who wait by then.
func (g *Group[In, Out]) lead(ctx context.Context, c *call[In, Out]) {
	batch := g.join(c)
	in := make([]In, len(batch))
	for i, c := range batch {
		in[i] = c.in
	}
	var outs []Out
	err := ErrAbandoned
	defer func() {
		for i, c := range batch {
			if c.err = err; err == nil {
				c.out = outs[i]
			}
			close(c.done)
		}
		g.end()
	}()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longest)
	defer cancel()
	outs, err = g.options.Do(ctx, in)
}

// join takes those out of the line who may be done with the leader: who has no key
// of the batch, and none of somebody who came before and has to wait.
func (g *Group[In, Out]) join(leader *call[In, Out]) []*call[In, Out] {
	g.mu.Lock()
	defer g.mu.Unlock()
	batch := []*call[In, Out]{leader}
	taken := map[string]bool{}
	take := func(c *call[In, Out]) (free bool) {
		free = true
		for _, key := range c.keys {
			free = free && !taken[key]
			taken[key] = true
		}
		return free
	}
	take(leader)
	g.waiting = slices.DeleteFunc(g.waiting, func(c *call[In, Out]) bool {
		if len(batch) == g.options.Max || !take(c) {
			return false
		}
		batch = append(batch, c)
		return true
	})
	return batch
}

// end lets the next batch begin.
func (g *Group[In, Out]) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.busy = false
	g.giveTurn()
}
