// Package upstream knows the replicas of each service: where they are, which of
// them work, and whose turn it is.
package upstream

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
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

	mu      sync.RWMutex
	targets []*target
	turn    atomic.Uint64
}

// target is one replica.
type target struct {
	address  string
	down     atomic.Bool
	inFlight atomic.Int64
}

// New returns the pool of the named service. The addresses are host:port; a
// host that is a name stands for all addresses that it has. The pool is empty
// until Resolve.
func New(name string, addresses []string, resolver Resolver, transport http.RoundTripper, log *slog.Logger) *Pool {
	return &Pool{name: name, addresses: addresses, resolver: resolver, transport: transport, log: log.With("service", name)}
}

const (
	dialTimeout = time.Second
	// answerTimeout is how long a replica may take to begin its answer; opening
	// a verification room may take 10 seconds.
	answerTimeout = 30 * time.Second
	// idlePerReplica keeps connections for as many requests at once.
	idlePerReplica = 256
	// idleTimeout is shorter than the services', so that no request goes into a
	// connection that is being closed.
	idleTimeout = 60 * time.Second
)

// NewTransport returns the transport between the gateway and the services.
func NewTransport() *http.Transport {
	return &http.Transport{
		DialContext:           (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext,
		MaxIdleConnsPerHost:   idlePerReplica,
		IdleConnTimeout:       idleTimeout,
		ResponseHeaderTimeout: answerTimeout,
		DisableCompression:    true, // bytes pass as they are
		WriteBufferSize:       16 << 10,
		ReadBufferSize:        16 << 10,
	}
}

type repeatableKey struct{}

// Repeatable marks the requests of ctx as harmless to send twice, where they
// are GET or HEAD.
func Repeatable(ctx context.Context) context.Context {
	return context.WithValue(ctx, repeatableKey{}, true)
}

func repeatable(r *http.Request) bool {
	return r.Context().Value(repeatableKey{}) != nil && (r.Method == http.MethodGet || r.Method == http.MethodHead)
}

// RoundTrip sends a request to the replica with the least to do. Where no
// connection can be made it goes to the next; a repeatable one also where the
// replica breaks off or answers 502 or 503, once.
func (p *Pool) RoundTrip(r *http.Request) (*http.Response, error) {
	var tried []*target
	for {
		t := p.pick(tried)
		if t == nil {
			return nil, ErrNoReplica
		}
		tried = append(tried, t)
		resp, err := p.send(r, t)
		if r.Context().Err() != nil || !p.again(r, resp, err, len(tried)) || p.peek(tried) == nil {
			return resp, err
		}
		if resp != nil {
			_ = resp.Body.Close()
		}
	}
}

// again tells whether another replica is to be tried after so many.
func (p *Pool) again(r *http.Request, resp *http.Response, err error, tries int) bool {
	if notConnected(err) {
		return true // nothing was sent
	}
	failed := err != nil || resp.StatusCode == http.StatusBadGateway || resp.StatusCode == http.StatusServiceUnavailable
	return failed && tries == 1 && repeatable(r)
}

func notConnected(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

func (p *Pool) send(r *http.Request, t *target) (*http.Response, error) {
	out := r.WithContext(r.Context())
	url := *r.URL
	url.Host = t.address
	out.URL, out.Host = &url, ""
	if r.Body != nil {
		// The transport closes the body even of what it could not send.
		out.Body = unclosed{r.Body}
	}
	t.inFlight.Add(1)
	resp, err := p.transport.RoundTrip(out)
	if err != nil {
		t.inFlight.Add(-1)
		if notConnected(err) && r.Context().Err() == nil {
			p.setDown(t, true)
		}
		return nil, err
	}
	resp.Body = &counted{ReadCloser: resp.Body, target: t}
	return resp, nil
}

type unclosed struct{ io.Reader }

func (unclosed) Close() error { return nil }

// counted ends the count of a request in flight with its answer.
type counted struct {
	io.ReadCloser
	target *target
	once   sync.Once
}

func (c *counted) Close() error {
	c.once.Do(func() { c.target.inFlight.Add(-1) })
	return c.ReadCloser.Close()
}

// pick returns the replica whose turn it is, besides those tried: of those that
// work the one with the least to do, or any where none is known to work.
func (p *Pool) pick(tried []*target) *target {
	p.turn.Add(1)
	return p.peek(tried)
}

func (p *Pool) peek(tried []*target) *target {
	p.mu.RLock()
	defer p.mu.RUnlock()
	var best *target
	for i := range p.targets {
		t := p.targets[(p.turn.Load()+uint64(i))%uint64(len(p.targets))] //nolint:gosec // an index is not negative
		if !contains(tried, t) && (best == nil || better(t, best)) {
			best = t
		}
	}
	if best != nil && best.down.Load() && len(tried) > 0 {
		return nil
	}
	return best
}

func contains(tried []*target, t *target) bool {
	for _, other := range tried {
		if other == t {
			return true
		}
	}
	return false
}

func better(a, b *target) bool {
	if a.down.Load() != b.down.Load() {
		return !a.down.Load()
	}
	return cmp.Less(a.inFlight.Load(), b.inFlight.Load())
}

// setDown notes whether a replica works.
func (p *Pool) setDown(t *target, down bool) {
	if t.down.Swap(down) != down {
		p.log.Info("replica changed", "address", t.address, "down", down)
	}
}

// Check returns an error when no replica works.
func (p *Pool) Check(context.Context) error {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, t := range p.targets {
		if !t.down.Load() {
			return nil
		}
	}
	return errors.New("no replica answers")
}
