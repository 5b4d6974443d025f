package upstream_test

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/gateway/internal/upstream"
)

// silent is the transport to replicas that accept requests and never answer.
type silent struct{}

func (silent) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestPool_RoundTrip_replica_that_hangs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		transport func(*upstream.Pool) http.RoundTripper
		want      time.Duration
		ejected   bool // after five of them
	}{
		"a read":        {(*upstream.Pool).Repeatable, 5 * time.Second, true},
		"a preview":     {(*upstream.Pool).Previews, 5 * time.Second, false},
		"anything else": {func(p *upstream.Pool) http.RoundTripper { return p }, 30 * time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				pool := upstream.New("records", []string{"192.0.2.1:80"}, nil, silent{}, slog.New(slog.DiscardHandler))
				pool.Resolve(t.Context())
				for range 5 {
					began := time.Now()
					_, _, err := send(t.Context(), t, tt.transport(pool), http.MethodGet, "")
					if took := time.Since(began); err == nil || took != tt.want {
						t.Errorf("given up after %s: %v, want %s", took, err, tt.want)
					}
				}
				registry := prometheus.NewRegistry()
				registry.MustRegister(pool)
				if up := values(t, registry, "records")["gateway_replica_up"]; (up == 0) != tt.ejected {
					t.Errorf("the replica is up: %v", up)
				}
			})
		})
	}
}

// healthy is the transport to replicas that answer everything with 200.
type healthy struct{}

func (healthy) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

func TestPool_Watch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		resolver := &names{}
		pool := upstream.New("records", []string{"records:80"}, resolver, healthy{}, slog.New(slog.DiscardHandler))
		var watched sync.WaitGroup
		watched.Go(func() { _ = pool.Watch(ctx) })
		time.Sleep(time.Minute)
		if pool.Check(ctx) == nil {
			t.Error("the pool is ready although the name has no address")
		}
		resolver.hosts.Store(&[]string{"192.0.2.1"})
		time.Sleep(4 * time.Second)
		if err := pool.Check(ctx); err != nil {
			t.Errorf("4 s after the name got an address: %v", err)
		}
		stop()
		watched.Wait()
	})
}
