// Package upstream balances requests over the replicas of the services: a list of replicas with active and passive
// health checks and least-connections selection.
package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/httpserve"
)

var (
	// ErrNoReplica is returned where no replica is known or all are known to be down.
	ErrNoReplica = errors.New("no replica is up")
	// ErrRequestBody wraps an error of reading the body of the client's request.
	ErrRequestBody = errors.New("the request's body cannot be read")
	// errMisdirected is the answer of another service's replica, which got the address of one that has ended.
	errMisdirected = errors.New("a replica of another service answered")
	// errTimeout ends a request whose response did not begin in time.
	errTimeout = errors.New("the response did not begin in time")
)

const (
	// ReadTimeout is how long a replica may take to begin the response to a repeatable request.
	ReadTimeout = 5 * time.Second
	// responseTimeout is the same for all other requests. Opening a verification room takes up to 10 seconds.
	responseTimeout = 30 * time.Second
)

// Resolver looks names up. *net.Resolver implements it.
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

	mu       sync.RWMutex
	replicas []*replica
	next     atomic.Uint64
}

// New returns the pool of the named service. The addresses are host:port; a host that is a name is resolved to
// all of its addresses. The pool is empty until Resolve.
func New(name string, addresses []string, resolver Resolver, transport http.RoundTripper, log *slog.Logger) *Pool {
	return &Pool{
		name: name, addresses: addresses, resolver: resolver, transport: transport, log: log.With("upstream", name),
		retries: newRetries(name), unanswered: newUnanswered(name),
	}
}

// Repeatable returns what sends requests that change nothing and may be sent twice, where they are GET or HEAD.
func (p *Pool) Repeatable() http.RoundTripper { return repeatable{p, false} }

// Previews is Repeatable for pictures that are costly to make: one that takes too long is no failure of its replica.
func (p *Pool) Previews() http.RoundTripper { return repeatable{p, true} }

type repeatable struct {
	*Pool
	costly bool
}

// RoundTrip is Pool.RoundTrip, and also asks one other replica where the first breaks off or answers 502 or 503.
func (t repeatable) RoundTrip(r *http.Request) (*http.Response, error) {
	return t.roundTrip(r, r.Method == http.MethodGet || r.Method == http.MethodHead, t.costly)
}

// RoundTrip implements http.RoundTripper. It sends a request to the replica with the fewest requests in flight, and
// to another one where it could not connect, because then nothing was sent. A request without a body also goes to
// another one where another service has the address, because that one did nothing. It returns ErrNoReplica, or
// ErrRequestBody for an error that is the client's.
func (p *Pool) RoundTrip(r *http.Request) (*http.Response, error) {
	return p.roundTrip(r, false, false)
}

func (p *Pool) roundTrip(r *http.Request, repeatable, costly bool) (*http.Response, error) {
	body := &requestBody{ReadCloser: r.Body}
	next := p.selectReplica(nil)
	if next == nil {
		p.unanswered.Inc()
		return nil, ErrNoReplica
	}
	var tried []*replica
	for {
		tried = append(tried, next)
		resp, err := p.send(r, body, next, repeatable)
		if isClients := r.Context().Err() != nil || errors.Is(err, ErrRequestBody); isClients {
			return resp, err
		}
		if !costly || !errors.Is(err, errTimeout) {
			p.recordOutcome(r.Context(), next, repeatable, resp, err)
		}
		if next = nil; mayRetry(r, repeatable, resp, err, len(tried)) {
			next = p.selectReplica(tried)
		}
		if next == nil {
			if err != nil {
				p.unanswered.Inc()
			}
			return resp, err
		}
		if resp != nil {
			_ = resp.Body.Close()
		}
		p.retries.Inc()
	}
}

// mayRetry reports whether a request may go to another replica.
func mayRetry(r *http.Request, repeatable bool, resp *http.Response, err error, tries int) bool {
	switch {
	case notConnected(err):
		return true
	case errors.Is(err, errMisdirected):
		return !hasBody(r)
	case tries > 1 || !repeatable:
		return false
	case err != nil:
		return !errors.Is(err, errTimeout) // the time is up
	}
	return isUnavailable(resp)
}

func hasBody(r *http.Request) bool { return r.Body != nil && r.Body != http.NoBody }

func notConnected(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// isUnavailable reports whether a response is a failure of the replica. A refusal of work that is too much is not.
func isUnavailable(resp *http.Response) bool {
	return resp.StatusCode == http.StatusBadGateway ||
		resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get(httpserve.OverloadedHeader) == ""
}

// send sends the request to one replica.
func (p *Pool) send(r *http.Request, body *requestBody, to *replica, repeatable bool) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	out := r.Clone(ctx)
	out.URL.Host, out.Host = to.address, ""
	out.GetBody = nil // without it net/http repeats no request with a body
	out.Header.Set(httpserve.ServiceHeader, p.name)
	switch {
	case hasBody(r):
		out.Body = body
	case !repeatable && r.Method == http.MethodGet:
		// Where a kept connection breaks, net/http repeats a GET, but none that has a body, even an empty one.
		out.Body, out.ContentLength = io.NopCloser(strings.NewReader("")), 0
	}
	timeout := responseTimeout
	if repeatable {
		timeout = ReadTimeout
	}
	timer := time.AfterFunc(timeout, func() { cancel(errTimeout) })
	to.inFlight.Add(1)
	resp, err := p.transport.RoundTrip(out)
	if !timer.Stop() && err == nil {
		_ = resp.Body.Close()
		err = errTimeout
	}
	if err == nil && resp.StatusCode == http.StatusMisdirectedRequest {
		_ = resp.Body.Close()
		err = errMisdirected
	}
	if err != nil {
		switch bodyErr := body.err.Load(); {
		case bodyErr != nil:
			err = fmt.Errorf("%w: %w", ErrRequestBody, *bodyErr)
		case errors.Is(context.Cause(ctx), errTimeout):
			err = errTimeout
		}
		to.inFlight.Add(-1)
		cancel(nil)
		return nil, err
	}
	resp.Body = &responseBody{ReadCloser: resp.Body, done: sync.OnceFunc(func() {
		to.inFlight.Add(-1)
		cancel(nil)
	})}
	return resp, nil
}

// recordOutcome is the passive health check. Responses count for repeatable requests only: a 503 to others may be the
// answer of a rule, such as that no room is free.
func (p *Pool) recordOutcome(ctx context.Context, r *replica, repeatable bool, resp *http.Response, err error) {
	switch {
	case notConnected(err), errors.Is(err, errMisdirected):
		p.setDown(r, true)
	case repeatable && r.recordOutcome(err != nil || isUnavailable(resp), time.Now()):
		p.log.WarnContext(ctx, "replica is ejected after failures", "address", r.address)
	}
}

// requestBody keeps the error of reading the client's request, which the transport does not distinguish
// from the replica's.
type requestBody struct {
	io.ReadCloser
	err atomic.Pointer[error]
}

func (b *requestBody) Read(buf []byte) (int, error) {
	n, err := b.ReadCloser.Read(buf)
	if err != nil && !errors.Is(err, io.EOF) {
		b.err.Store(&err)
	}
	return n, err
}

// Close does nothing: the transport closes the body also where it could not connect, and the next replica has to read
// it. The server closes it at the end of the request.
func (*requestBody) Close() error { return nil }

// responseBody ends the count of a request in flight when it is closed.
type responseBody struct {
	io.ReadCloser
	done func()
}

func (b *responseBody) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}
