// Package flight shares work among those who ask for the same at the same time. Unlike that of
// golang.org/x/sync/singleflight, work ends with its last waiting caller.
package flight

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Group shares work by its key. The zero value is ready for use.
type Group[T any] struct {
	mu    sync.Mutex
	calls map[string]*call[T]
}

type call[T any] struct {
	cancel  context.CancelFunc
	waiting int
	done    chan struct{} // closed when value and err are set
	value   T
	err     error
}

// Do returns the result of work. All who call it with one key while that is under way get the same result; joined
// reports whether the work is an earlier caller's. The context of work has the values of ctx, and ends when the
// contexts of all waiting callers have ended. A caller whose ctx ends gets its error. A panic of work is an error.
func (g *Group[T]) Do(
	ctx context.Context, key string, work func(context.Context) (T, error),
) (value T, joined bool, err error) {
	g.mu.Lock()
	c, joined := g.calls[key]
	if !joined {
		shared, cancel := context.WithCancel(context.WithoutCancel(ctx))
		c = &call[T]{cancel: cancel, done: make(chan struct{})}
		if g.calls == nil {
			g.calls = map[string]*call[T]{}
		}
		g.calls[key] = c
		go func() {
			defer cancel()
			c.value, c.err = run(shared, work)
			close(c.done)
			g.mu.Lock()
			defer g.mu.Unlock()
			g.remove(key, c)
		}()
	}
	c.waiting++
	g.mu.Unlock()
	select {
	case <-c.done:
		return c.value, joined, c.err
	case <-ctx.Done():
		g.leave(key, c)
		return value, joined, ctx.Err()
	}
}

func run[T any](ctx context.Context, work func(context.Context) (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return work(ctx)
}

// leave ends the work after its last caller. The next one begins it anew.
func (g *Group[T]) leave(key string, c *call[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.waiting--; c.waiting == 0 {
		g.remove(key, c)
		c.cancel()
	}
}

// remove removes a call, unless another one has its key. The caller holds the lock.
func (g *Group[T]) remove(key string, c *call[T]) {
	if g.calls[key] == c {
		delete(g.calls, key)
	}
}
