// Package upstream knows the replicas of each service: where they are, which of
// them work, and whose turn it is.
package upstream

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// ErrNoReplica says that a service has no known address.
var ErrNoReplica = errors.New("no replica is known")

// Resolver looks names up. *net.Resolver is one.
type Resolver interface {
	LookupHost(ctx context.Context, host string) ([]string, error)
}

// Pool holds the replicas of one service and sends requests to them.
type Pool struct {
	name      string
	addresses []string
	resolver  Resolver
	transport http.RoundTripper
	log       *slog.Logger

	retries, unanswered prometheus.Counter

	mu      sync.RWMutex
	targets []*target
	turn    atomic.Uint64
}

// New returns the pool of the named service. The addresses are host:port; a
// host that is a name stands for all addresses that it has. The pool is empty
// until Resolve.
func New(name string, addresses []string, resolver Resolver, transport http.RoundTripper, log *slog.Logger) *Pool {
	return &Pool{
		name: name, addresses: addresses, resolver: resolver, transport: transport, log: log.With("upstream", name),
		retries: retries.WithLabelValues(name), unanswered: unanswered.WithLabelValues(name),
	}
}

// RoundTrip sends a request to the replica with the least to do. Where no
// connection can be made, and so nothing was sent, it goes to the next; a
// repeatable request also goes to another one, once, where the replica breaks
// off or answers 502 or 503. It implements http.RoundTripper.
func (p *Pool) RoundTrip(r *http.Request) (*http.Response, error) {
	var resp *http.Response
	err := p.try(r.Context(), repeatable(r), func(t *target) (status int, err error) {
		if resp != nil {
			_ = resp.Body.Close()
		}
		if resp, err = p.send(r, t); err != nil { //nolint:bodyclose // whoever gets it closes it
			return 0, err
		}
		return resp.StatusCode, nil
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// try has send ask one replica after the other, as long as another may get what
// the one before did not answer and ctx goes on: the client may leave, or send
// too much.
func (p *Pool) try(ctx context.Context, repeatable bool, send func(t *target) (status int, err error)) error {
	t := p.pick(nil)
	if t == nil {
		p.unanswered.Inc()
		return ErrNoReplica
	}
	for tried := []*target{t}; ; tried = append(tried, t) {
		status, err := send(t)
		gone := ctx.Err() != nil
		if err == nil || !gone {
			p.learn(ctx, t, repeatable, status, err)
		}
		var next *target
		if !gone && mayRepeat(repeatable, status, err, len(tried)) {
			next = p.pick(tried)
		}
		if next == nil {
			if err != nil && !gone {
				p.unanswered.Inc()
			}
			return err
		}
		p.retries.Inc()
		t = next
	}
}

// mayRepeat tells whether another replica may get what this one did not answer.
func mayRepeat(repeatable bool, status int, err error, tries int) bool {
	switch {
	case notConnected(err):
		return true
	case tries > 1 || !repeatable:
		return false
	case err != nil:
		return !timedOut(err) // another would be waited for as long
	}
	return cannotNow(status)
}

func notConnected(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

func timedOut(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

func cannotNow(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable
}

func (p *Pool) send(r *http.Request, t *target) (*http.Response, error) {
	out := r.WithContext(r.Context())
	url := *r.URL
	url.Host = t.address
	out.URL, out.Host = &url, ""
	if r.Body != nil {
		// A transport closes the body even where it could not connect, but the
		// next replica is to read it.
		out.Body = io.NopCloser(r.Body)
	}
	t.inFlight.Add(1)
	resp, err := p.transport.RoundTrip(out)
	if err != nil {
		t.inFlight.Add(-1)
		return nil, err
	}
	resp.Body = &counted{ReadCloser: resp.Body, target: t}
	return resp, nil
}

// learn judges a replica by what became of a request. A 503 counts only as the
// answer to what always works, not where it is the answer of a rule, such as
// that no room is free.
func (p *Pool) learn(ctx context.Context, t *target, repeatable bool, status int, err error) {
	if notConnected(err) {
		p.setDown(t, true)
		return
	}
	if !repeatable {
		return
	}
	if t.note(err != nil || cannotNow(status), time.Now()) {
		p.log.WarnContext(ctx, "replica rests after failures", "address", t.address)
	}
}

// counted ends the count of a request in flight with its answer.
type counted struct {
	io.ReadCloser
	target *target
	once   sync.Once
}

// Close implements io.Closer.
func (c *counted) Close() error {
	c.once.Do(func() { c.target.inFlight.Add(-1) })
	return c.ReadCloser.Close()
}

// pick returns the replica whose turn it is, besides those tried: of those that
// work the one with the least to do. For a first try it may be any where none
// is known to work.
func (p *Pool) pick(tried []*target) *target {
	p.mu.RLock()
	defer p.mu.RUnlock()
	now, turn := time.Now(), p.turn.Add(1)
	var best, last *target
	for i := range uint64(len(p.targets)) {
		t := p.targets[(turn+i)%uint64(len(p.targets))]
		last = t
		if t.works(now) && !slices.Contains(tried, t) && (best == nil || t.inFlight.Load() < best.inFlight.Load()) {
			best = t
		}
	}
	if best == nil && len(tried) == 0 {
		return last
	}
	return best
}

// Replicas returns the ids of the replicas that can be reached. Complete is
// false where one of them has not told its id.
func (p *Pool) Replicas() (ids []string, complete bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	complete = true
	for _, t := range p.targets {
		if t.down.Load() {
			continue
		}
		if id := t.replica.Load(); id != nil {
			ids = append(ids, *id)
		} else {
			complete = false
		}
	}
	return ids, complete
}

// setDown notes whether a replica can be used.
func (p *Pool) setDown(t *target, down bool) {
	if t.down.Swap(down) != down {
		p.log.Info("replica changed", "address", t.address, "down", down)
	}
}

// Check returns an error when no replica works.
func (p *Pool) Check(context.Context) error {
	p.mu.RLock()
	defer p.mu.RUnlock()
	now := time.Now()
	if !slices.ContainsFunc(p.targets, func(t *target) bool { return t.works(now) }) {
		return errors.New("no replica answers")
	}
	return nil
}
