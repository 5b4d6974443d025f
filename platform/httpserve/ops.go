package httpserve

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

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
