package upstream

import (
	"context"
	"net"
	"net/http"
	"time"

	"capzone.dev/platform/tracing"
)

const (
	dialTimeout = time.Second
	// answerTimeout is how long a replica may take to begin its answer; opening
	// a verification room may take 10 seconds.
	answerTimeout = 30 * time.Second
	// idlePerReplica keeps connections for as many requests at once. The
	// default of 2 costs close to half of the throughput.
	idlePerReplica = 256
	// idleTimeout is shorter than the services', so that no request goes into a
	// connection that is being closed.
	idleTimeout = 60 * time.Second
	// briefly is how long a connection is kept that carries what must not be sent
	// twice: one that answered a moment ago is as good as a new one. A service that
	// stops is avoided for longer before it closes connections (see httpserve.Drain).
	briefly = 500 * time.Millisecond
	// bufferSize holds a page of a list.
	bufferSize = 16 << 10
)

// transport is between the gateway and the services. Nothing is ever sent twice
// but what may be: net/http sends a GET or HEAD again where a kept connection turns
// out to be dead, and anything else only where not a byte of it was sent.
type transport struct {
	// kept is for repeatable requests.
	kept *http.Transport
	// brief is for what net/http does not repeat.
	brief *http.Transport
	// single is for what it would, though it must not be: each has a connection of
	// its own.
	single *http.Transport
}

// NewTransport returns the transport between the gateway and the services, which
// shares connections where that is safe. Each try is a span of its own.
func NewTransport() http.RoundTripper {
	kept := &http.Transport{
		DialContext:           (&net.Dialer{Timeout: dialTimeout}).DialContext,
		MaxIdleConnsPerHost:   idlePerReplica,
		IdleConnTimeout:       idleTimeout,
		ResponseHeaderTimeout: answerTimeout,
		DisableCompression:    true, // bytes pass as they are
		WriteBufferSize:       bufferSize,
		ReadBufferSize:        bufferSize,
	}
	brief, single := kept.Clone(), kept.Clone()
	brief.IdleConnTimeout = briefly
	single.DisableKeepAlives = true
	return tracing.Transport(transport{kept, brief, single})
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	switch {
	case repeatable(r):
		return t.kept.RoundTrip(r)
	case r.Method == http.MethodPost:
		return t.brief.RoundTrip(r)
	}
	return t.single.RoundTrip(r)
}

type repeatableKey struct{}

// Repeatable marks the requests of ctx as harmless to send twice, where they
// are GET or HEAD.
func Repeatable(ctx context.Context) context.Context {
	return context.WithValue(ctx, repeatableKey{}, true)
}

func repeatable(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.Context().Value(repeatableKey{}) != nil
}
