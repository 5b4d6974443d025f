package upstream

import (
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

const (
	// failuresToRest is how many failures in a row make a replica rest, however
	// healthy it says it is.
	failuresToRest = 5
	restTime       = 5 * time.Second
)

// target is one replica.
type target struct {
	address string
	client  *fasthttp.HostClient
	// replica is the id that it told with its health, nil before that.
	replica atomic.Pointer[string]
	// down says that it cannot be connected to or is not healthy. Health checks
	// end that.
	down     atomic.Bool
	inFlight atomic.Int64
	// failures are in a row; restsUntil is in Unix nanoseconds.
	failures   atomic.Int64
	restsUntil atomic.Int64
}

func newTarget(address string) *target { return &target{address: address, client: newClient(address)} }

func (t *target) works(now time.Time) bool {
	return !t.down.Load() && now.UnixNano() >= t.restsUntil.Load()
}

// note counts how requests end. It tells whether the replica rests from now on.
func (t *target) note(failed bool, now time.Time) bool {
	if !failed {
		t.failures.Store(0)
		return false
	}
	if t.failures.Add(1) < failuresToRest {
		return false
	}
	t.failures.Store(0)
	t.restsUntil.Store(now.Add(restTime).UnixNano())
	return true
}
