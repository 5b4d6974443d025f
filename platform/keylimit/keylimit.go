// Package keylimit bounds how much is done at a time for each of many keys, such as players or addresses, so that the
// work for one waits for itself and not for that of others.
package keylimit

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Limit bounds the work for each key.
type Limit struct {
	most int64

	mu   sync.Mutex
	keys map[string]*key
}

type key struct {
	free *semaphore.Weighted
	// count is how many work or wait.
	count int
}

// New returns a limit of so much work at a time for each key.
func New(most int64) *Limit { return &Limit{most: most, keys: map[string]*key{}} }

// Begin waits until there is less work for a key, which goes on until end is called. It returns the error of ctx where
// that ends before.
func (l *Limit) Begin(ctx context.Context, name string) (end func(), err error) {
	l.mu.Lock()
	own, ok := l.keys[name]
	if !ok {
		own = &key{free: semaphore.NewWeighted(l.most)}
		l.keys[name] = own
	}
	own.count++
	l.mu.Unlock()
	leave := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if own.count--; own.count == 0 {
			delete(l.keys, name)
		}
	}
	if err := own.free.Acquire(ctx, 1); err != nil {
		leave()
		return nil, err
	}
	return func() {
		own.free.Release(1)
		leave()
	}, nil
}
