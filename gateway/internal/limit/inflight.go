package limit

import (
	"sync"
	"time"
)

// retryInFlight is when a client may try again that has too many requests in flight.
const retryInFlight = time.Second

// InFlight bounds the requests of one address that are being answered.
type InFlight struct {
	max int

	mu     sync.Mutex
	counts map[string]int
}

// NewInFlight returns a limit of so many requests of an address at once.
func NewInFlight(limit int) *InFlight { return &InFlight{max: limit, counts: map[string]int{}} }

// Begin counts a request until end is called. It returns ErrTooOften where the address has too many in flight.
func (f *InFlight) Begin(address string) (end func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts[address] >= f.max {
		return nil, ErrTooOften.WithRetryAfter(retryInFlight)
	}
	f.counts[address]++
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.counts[address]--; f.counts[address] == 0 {
			delete(f.counts, address)
		}
	}, nil
}
