// Package groupcommit does work together that comes at once, as a database server
// flushes its log once for many transactions: what comes while batches are done is
// the next batch. Where nothing else is under way a call is done at once, by
// itself.
package groupcommit

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrAbandoned is what the calls of a batch get whose work panicked.
var ErrAbandoned = errors.New("groupcommit: the batch was abandoned")

// Options say what is done together.
type Options[In, Out any] struct {
	// Max is the most calls of a batch, AtOnce the most batches under way.
	Max, AtOnce int
	// Keys names what a call touches. Of calls with a key in common the later one
	// waits until the other is done. Nil where all may be together.
	Keys func(In) []string
	// Do does a batch, and returns an outcome for each call in their order, or an
	// error that is everybody's. Its context is that of one of the calls, without
	// its end.
	Do func(context.Context, []In) ([]Out, error)
}

// Group does calls together.
type Group[In, Out any] struct {
	options Options[In, Out]

	mu sync.Mutex
	// free is how many more batches may begin.
	free    int
	waiting []*call[In, Out]
	// touched has the keys of what is under way.
	touched map[string]bool
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
	return &Group[In, Out]{options: o, free: o.AtOnce, touched: map[string]bool{}}
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
	g.giveTurns()
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

// lead does a batch of c and of those who wait by then.
func (g *Group[In, Out]) lead(ctx context.Context, c *call[In, Out]) {
	batch := append([]*call[In, Out]{c}, g.takeBatch(g.options.Max-1)...)
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
		g.end(batch)
	}()
	outs, err = g.options.Do(context.WithoutCancel(ctx), in)
}

func (g *Group[In, Out]) takeBatch(most int) []*call[In, Out] {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.take(most)
}

// end lets the keys of a batch go, and others begin.
func (g *Group[In, Out]) end(batch []*call[In, Out]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range batch {
		for _, key := range c.keys {
			delete(g.touched, key)
		}
	}
	g.free++
	g.giveTurns()
}

// giveTurns has calls lead batches, as many as may begin.
func (g *Group[In, Out]) giveTurns() {
	leaders := g.take(g.free)
	g.free -= len(leaders)
	for _, c := range leaders {
		c.turn <- struct{}{}
	}
}

// take takes the first calls out of the line whose keys nobody has: neither what
// is under way nor who came before.
func (g *Group[In, Out]) take(most int) (taken []*call[In, Out]) {
	if most <= 0 || len(g.waiting) == 0 {
		return nil
	}
	before := map[string]bool{}
	g.waiting = slices.DeleteFunc(g.waiting, func(c *call[In, Out]) bool {
		has := func(key string) bool { return g.touched[key] || before[key] }
		if len(taken) == most || slices.ContainsFunc(c.keys, has) {
			for _, key := range c.keys {
				before[key] = true
			}
			return false
		}
		for _, key := range c.keys {
			g.touched[key] = true
		}
		taken = append(taken, c)
		return true
	})
	return taken
}
