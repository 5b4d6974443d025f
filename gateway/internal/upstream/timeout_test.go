package upstream_test

import (
	"context"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

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
		ctx  func(context.Context) context.Context
		want time.Duration
	}{
		"a read":        {upstream.Repeatable, 5 * time.Second},
		"anything else": {func(ctx context.Context) context.Context { return ctx }, 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				addresses := []string{"192.0.2.1:80", "192.0.2.2:80"}
				pool := upstream.New("records", addresses, nil, silent{}, slog.New(slog.DiscardHandler))
				pool.Resolve(t.Context())
				began := time.Now()
				_, _, err := send(tt.ctx(t.Context()), t, pool, http.MethodGet, "")
				if took := time.Since(began); err == nil || took != tt.want {
					t.Errorf("given up after %s: %v, want %s", took, err, tt.want)
				}
			})
		})
	}
}
