package httpserve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	// readHeaderTimeout and readTimeout end connections of clients that hardly send.
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 60 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 120 * time.Second
	maxHeaderBytes    = 16 << 10
	// drainTimeout bounds the wait for requests in flight when the process stops.
	drainTimeout = 10 * time.Second
)

// errDrained is what ends in-flight work that outlasts drainTimeout.
var errDrained = errors.New("the server has stopped")

// Farewell is how a server leaves those who send it requests: it says so before
// it stops, so that they turn to another replica in time.
type Farewell struct {
	// Path is what they ask for the server's health. It answers 503 from the
	// moment when the server is told to stop.
	Path string
	// For is how long everything else is still served; longer than it takes
	// them to ask.
	For time.Duration
}

// Serve serves handler on the listener until ctx ends and the farewell is over,
// then takes no more requests and finishes those in flight.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, farewell Farewell, log *slog.Logger) error {
	// Requests outlive ctx while the server drains.
	base, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(errDrained)
	server := &http.Server{
		Handler:           farewell.before(ctx, handler),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ConnState:         newCrowd(maxConnections).note,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return base },
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	select {
	case err := <-served:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-time.After(farewell.For):
	}
	drain, stop := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer stop()
	if err := server.Shutdown(drain); err != nil {
		log.WarnContext(ctx, "requests were cut off", "error", err)
		_ = server.Close()
	}
	return nil
}

// before answers requests for the server's health once ctx has ended, and leaves
// all others to next.
func (f Farewell) before(ctx context.Context, next http.Handler) http.Handler {
	if f.For == 0 {
		return next // there is no time to ask
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == f.Path && ctx.Err() != nil {
			http.Error(w, "stopping", http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}
