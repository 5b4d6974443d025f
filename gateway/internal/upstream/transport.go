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
	// bufferSize holds a page of a list.
	bufferSize = 16 << 10
)

// NewTransport returns the transport between the gateway and the services.
// Repeatable requests share kept connections; net/http sends them again where
// one of those turns out to be dead. Others get a connection of their own, so
// that nothing is ever sent twice. Each try is a span of its own.
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
	own := kept.Clone()
	own.DisableKeepAlives = true
	return tracing.Transport(transport{kept, own})
}

type transport struct{ kept, own *http.Transport }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if repeatable(r) {
		return t.kept.RoundTrip(r)
	}
	return t.own.RoundTrip(r)
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
