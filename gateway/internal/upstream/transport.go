package upstream

import (
	"net"
	"net/http"
	"time"

	"capzone.dev/platform/telemetry"
)

const (
	dialTimeout = time.Second
	// idlePerReplica keeps connections for as many requests at once. The default of 2 costs close to half of the
	// throughput.
	idlePerReplica = 256
	// idleTimeout is shorter than the services', so that no request is sent on a connection that the service is closing.
	idleTimeout = 60 * time.Second
	// bufferSize holds a typical list, in bytes.
	bufferSize = 16 << 10
)

// NewTransport returns the transport between the gateway and all services. Each try is a span of its own.
func NewTransport() http.RoundTripper {
	return telemetry.Transport(&http.Transport{
		DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
		MaxIdleConnsPerHost: idlePerReplica,
		IdleConnTimeout:     idleTimeout,
		DisableCompression:  true, // bytes pass as they are
		WriteBufferSize:     bufferSize,
		ReadBufferSize:      bufferSize,
	})
}
