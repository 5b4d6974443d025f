package upstream_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"capzone.dev/devstack/require"
)

// breaker answers the first request and breaks off in the middle of all others.
type breaker struct {
	*httptest.Server
	begun atomic.Int64
}

func startBreaker(t *testing.T) *breaker {
	t.Helper()
	b := &breaker{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if b.begun.Add(1) > 1 {
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(b.Close)
	return b
}

// When a kept connection breaks, net/http itself sends a GET again. That must not happen to a GET that changes
// something, such as a refresh, nor to anything else.
func TestPool_RoundTrip_broken_connections(t *testing.T) {
	t.Parallel()
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
		b := startBreaker(t)
		pool := newPool(t, nil, b.Listener.Addr().String())
		_, _, err := send(t.Context(), t, pool, method, "body")
		require.NoError(t, err)
		if _, _, err := send(t.Context(), t, pool, method, "body"); err == nil {
			t.Fatalf("%s: a broken answer is no error", method)
		}
		if got := b.begun.Load(); got != 2 {
			t.Errorf("two requests with %s were begun %d times", method, got)
		}
	}
}

func TestNewTransport_shares_connections(t *testing.T) {
	t.Parallel()
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		var opened atomic.Int64
		replica := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		replica.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				opened.Add(1)
			}
		}
		replica.Start()
		t.Cleanup(replica.Close)
		pool := newPool(t, nil, replica.Listener.Addr().String())
		for range 3 {
			_, _, err := send(t.Context(), t, pool, method, "body")
			require.NoError(t, err)
		}
		if got := opened.Load(); got != 1 {
			t.Errorf("three requests with %s opened %d connections, want 1", method, got)
		}
	}
}

func TestPool_RoundTrip_replica_that_breaks_off(t *testing.T) {
	t.Parallel()
	broken, sound := startBreaker(t), startReplica(t, "")
	broken.begun.Store(1)
	pool := newPool(t, nil, broken.Listener.Addr().String(), sound.address)
	for i := range 20 {
		if status, _, err := send(t.Context(), t, pool.Repeatable(), http.MethodGet, ""); err != nil ||
			status != http.StatusOK {
			t.Fatalf("request %d: %d, %v", i, status, err)
		}
	}
	if sound.asked.Load() != 20 {
		t.Errorf("the sound replica answered %d of 20", sound.asked.Load())
	}
}

func TestPool_RoundTrip_ejects_a_replica(t *testing.T) {
	t.Parallel()
	failing, sound := startReplica(t, ""), startReplica(t, "")
	failing.status.Store(http.StatusServiceUnavailable)
	pool := newPool(t, nil, failing.address, sound.address)
	for range 50 {
		if status, _, err := send(t.Context(), t, pool.Repeatable(), http.MethodGet, ""); err != nil ||
			status != http.StatusOK {
			t.Fatal(status, err)
		}
		pool.CheckReplicas(t.Context()) // its health check succeeds
	}
	if got := failing.asked.Load(); got != 5 {
		t.Errorf("the failing replica was asked %d times, want 5", got)
	}
	if got := testutil.CollectAndCount(pool, "gateway_replica_up"); got != 2 {
		t.Errorf("the metrics name %d replicas, want 2", got)
	}
}

func TestPool_RoundTrip_least_connections(t *testing.T) {
	t.Parallel()
	arrived, finish := make(chan struct{}, 20), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-finish
	}))
	defer slow.Close()
	quick := startReplica(t, "")
	pool := newPool(t, nil, slow.Listener.Addr().String(), quick.address)
	done := make(chan error, 1)
	go func() { // one of two requests in turn reaches the slow one
		_, _, err := send(t.Context(), t, pool, http.MethodGet, "")
		if err == nil {
			_, _, err = send(t.Context(), t, pool, http.MethodGet, "")
		}
		done <- err
	}()
	<-arrived
	quick.asked.Store(0)
	for range 10 {
		_, _, err := send(t.Context(), t, pool, http.MethodGet, "")
		require.NoError(t, err)
	}
	if got := quick.asked.Load(); got != 10 {
		t.Errorf("the quick replica answered %d of 10 while the other was busy", got)
	}
	close(finish)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
