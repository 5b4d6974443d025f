package upstream

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"
)

const (
	// maxFailures is how many failures in a row eject a replica for ejectionTime, although its health check succeeds.
	maxFailures  = 5
	ejectionTime = 5 * time.Second
)

// replica is one process of a service.
type replica struct {
	address  string
	inFlight atomic.Int64
	// down says that no connection can be made or that the health check fails.
	down atomic.Bool
	// timeouts counts health checks that timed out, in a row.
	timeouts atomic.Int64
	// failures counts failed requests in a row. ejectedUntil is in Unix nanoseconds.
	failures     atomic.Int64
	ejectedUntil atomic.Int64
}

func (r *replica) ejected(now time.Time) bool { return now.UnixNano() < r.ejectedUntil.Load() }

// recordOutcome counts how requests end. It reports whether that ejects the replica.
func (r *replica) recordOutcome(failed bool, now time.Time) bool {
	if !failed {
		r.failures.Store(0)
		return false
	}
	if r.failures.Add(1) < maxFailures {
		return false
	}
	r.failures.Store(0)
	r.ejectedUntil.Store(now.Add(ejectionTime).UnixNano())
	return true
}

// selectReplica returns the replica with the fewest requests in flight that is not among those tried, in turn where
// several have the fewest. Replicas that are down are never selected, ejected ones only where there is no other. It
// returns nil where there is none.
func (p *Pool) selectReplica(tried []*replica) *replica {
	p.mu.RLock()
	defer p.mu.RUnlock()
	now, turn, n := time.Now(), p.turn.Add(1), uint64(len(p.replicas))
	var best *replica
	for i := range n {
		r := p.replicas[(turn+i)%n]
		if r.down.Load() || slices.Contains(tried, r) {
			continue
		}
		if best == nil || isBetter(r, best, now) {
			best = r
		}
	}
	return best
}

func isBetter(a, b *replica, now time.Time) bool {
	if a.ejected(now) != b.ejected(now) {
		return b.ejected(now)
	}
	return a.inFlight.Load() < b.inFlight.Load()
}

func (p *Pool) setDown(r *replica, down bool) {
	if r.down.Swap(down) != down {
		p.log.Info("replica changed", "address", r.address, "down", down)
	}
}

// Check returns an error when no replica is up.
func (p *Pool) Check(context.Context) error {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if !slices.ContainsFunc(p.replicas, func(r *replica) bool { return !r.down.Load() }) {
		return errors.New("no replica is up")
	}
	return nil
}
