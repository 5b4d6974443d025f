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

// Serve serves handler on the listener until ctx ends, then takes no more
// requests and finishes those in flight.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	// Requests outlive ctx while the server drains.
	base, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(errDrained)
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
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
	drain, stop := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer stop()
	if err := server.Shutdown(drain); err != nil {
		log.WarnContext(ctx, "requests were cut off", "error", err)
		_ = server.Close()
	}
	return nil
}
