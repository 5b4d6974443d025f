package httpserve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
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

// Drain is how a server stops: it fails its health check before it takes no
// more requests, so that clients turn to another replica in time.
type Drain struct {
	// HealthPath is where they check the server's health. It answers 503 from the moment when ctx ends.
	HealthPath string
	// Delay is how long everything else is still served; longer than the time between two of their checks.
	Delay time.Duration
}

// Serve serves handler on the listener until ctx ends and the drain's delay is over, then takes no more requests and
// finishes those in flight. Streams end with ctx.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, drain Drain, log *slog.Logger) error {
	// Requests outlive ctx while the server drains.
	state := &drainState{begins: ctx}
	base, cancel := context.WithCancelCause(context.WithValue(context.WithoutCancel(ctx), drainKey{}, state))
	defer cancel(errDrained)
	server := &http.Server{
		Handler:           drain.failHealth(ctx, handler),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return base },
		// All responses are the handler's, also that to OPTIONS *.
		DisableGeneralOptionsHandler: true,
	}
	busy := busyConns{conns: map[net.Conn]struct{}{}}
	server.ConnState = busy.track
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
	case <-time.After(drain.Delay):
	}
	// Shutdown drops requests that arrive on accepted connections, so these come to an end first.
	_ = listener.Close()
	log.DebugContext(ctx, "no more connections are accepted", "error", <-served)
	busy.await(readHeaderTimeout)
	inFlight, stop := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer stop()
	if err := server.Shutdown(inFlight); err != nil {
		log.WarnContext(ctx, "requests in flight were aborted", "error", err)
		_ = server.Close()
	}
	ended := make(chan struct{})
	go func() { state.streams.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-inFlight.Done():
		log.WarnContext(ctx, "streams were aborted")
	}
	return nil
}

// busyConns are the connections on which a request is expected or answered.
type busyConns struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

func (b *busyConns) track(conn net.Conn, state http.ConnState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if state == http.StateNew || state == http.StateActive {
		b.conns[conn] = struct{}{}
	} else {
		delete(b.conns, conn)
	}
}

// await waits until no connection is busy, but no longer than the timeout.
func (b *busyConns) await(timeout time.Duration) {
	ended := time.After(timeout)
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for {
		b.mu.Lock()
		busy := len(b.conns)
		b.mu.Unlock()
		if busy == 0 {
			return
		}
		select {
		case <-ended:
			return
		case <-poll.C:
		}
	}
}

// failHealth fails health checks once ctx has ended, and leaves all other requests to next.
// Their responses end their connections then, so that clients open new ones elsewhere.
func (d Drain) failHealth(ctx context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ctx.Err() != nil {
			w.Header().Set("Connection", "close")
			if r.URL.Path == d.HealthPath {
				http.Error(w, "stopping", http.StatusServiceUnavailable)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// checkTimeout bounds each check of readiness.
const checkTimeout = 2 * time.Second

// StartupCheck returns a check that prevents readiness until it has passed once. Later
// failures are reported, but the process stays ready, with what works without the dependency:
// all replicas would fail the check at the same time, and all would be taken out.
func StartupCheck(check func(context.Context) error) func(context.Context) error {
	var passed atomic.Bool
	return func(ctx context.Context) error {
		err := check(ctx)
		switch {
		case err == nil:
			passed.Store(true)
		case passed.Load():
			return degradedError{err}
		}
		return err
	}
}

// degradedError is a failed check that does not prevent readiness.
type degradedError struct{ error }

func (e degradedError) Unwrap() error { return e.error }

// Ops returns the handler of the operations port: /healthz (the process is alive), /readyz
// (all checks pass, with the errors of those that do not) and /metrics.
func Ops(checks map[string]func(context.Context) error, metrics prometheus.Gatherer) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+HealthPath, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("ok\n"))
	})
	mux.HandleFunc("GET "+ReadyPath, func(w http.ResponseWriter, r *http.Request) {
		results, ready := runChecks(r.Context(), checks)
		w.Header().Set("Content-Type", "application/json")
		if !ready {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"ready": ready, "checks": results})
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	return mux
}

func runChecks(
	ctx context.Context, checks map[string]func(context.Context) error,
) (results map[string]string, ready bool) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	results, ready = map[string]string{}, true
	var mu sync.Mutex
	var wg sync.WaitGroup
	for name, check := range checks {
		wg.Go(func() {
			err := check(ctx)
			mu.Lock()
			defer mu.Unlock()
			results[name] = "ok"
			if err != nil {
				// The port is not public, so the response may contain errors.
				results[name] = err.Error()
				ready = ready && errors.As(err, new(degradedError))
			}
		})
	}
	wg.Wait()
	return results, ready
}
