package limit

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Turns lets each client address do one thing at a time, so that the requests of one wait for each other, and those of
// others do not wait for them. The zero value is ready for use.
type Turns struct {
	mu        sync.Mutex
	addresses map[string]*turn
}

type turn struct {
	free *semaphore.Weighted
	// requests counts those that wait or have their turn.
	requests int
}

// Begin waits until no other request of an address has its turn. The turn lasts until end is called. It returns the
// error of ctx where that ends before.
func (t *Turns) Begin(ctx context.Context, address string) (end func(), err error) {
	t.mu.Lock()
	if t.addresses == nil {
		t.addresses = map[string]*turn{}
	}
	own, ok := t.addresses[address]
	if !ok {
		own = &turn{free: semaphore.NewWeighted(1)}
		t.addresses[address] = own
	}
	own.requests++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if own.requests--; own.requests == 0 {
			delete(t.addresses, address)
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
