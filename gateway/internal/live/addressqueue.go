package live

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// addressQueue lets each client address read one thing at a time, so that the readers of one wait for each other, and
// those of others do not wait for them. The zero value is ready for use.
type addressQueue struct {
	mu        sync.Mutex
	addresses map[string]*addressLock
}

type addressLock struct {
	free *semaphore.Weighted
	// readers counts those that wait or read.
	readers int
}

// begin waits until no other reader of an address reads, which it does until end is called. It returns the error of ctx
// where that ends before.
func (q *addressQueue) begin(ctx context.Context, address string) (end func(), err error) {
	q.mu.Lock()
	if q.addresses == nil {
		q.addresses = map[string]*addressLock{}
	}
	own, ok := q.addresses[address]
	if !ok {
		own = &addressLock{free: semaphore.NewWeighted(1)}
		q.addresses[address] = own
	}
	own.readers++
	q.mu.Unlock()
	leave := func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if own.readers--; own.readers == 0 {
			delete(q.addresses, address)
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
