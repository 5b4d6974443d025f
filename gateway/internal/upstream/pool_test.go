package upstream_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/upstream"
	"capzone.dev/platform/httpserve"
)

// replica is a service that counts its requests.
type replica struct {
	*httptest.Server
	address string
	asked   atomic.Int64
	status  atomic.Int64 // answered to everything but health checks
	down    atomic.Bool
	// misdirects is true for the health checks of another service.
	misdirects atomic.Bool
}

func startReplica(t *testing.T, address string) *replica {
	t.Helper()
	r := &replica{}
	r.status.Store(http.StatusOK)
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/healthz" {
			switch {
			case r.down.Load():
				w.WriteHeader(http.StatusServiceUnavailable)
			case r.misdirects.Load() && req.Header.Get(httpserve.ServiceHeader) == "records":
				w.WriteHeader(http.StatusMisdirectedRequest)
			}
			return
		}
		r.asked.Add(1)
		body, _ := io.ReadAll(req.Body)
		w.WriteHeader(int(r.status.Load()))
		_, _ = w.Write(body)
	}))
	if address != "" {
		listener, err := net.Listen("tcp", address)
		require.NoError(t, err)
		_ = r.Listener.Close()
		r.Listener = listener
	}
	r.Start()
	t.Cleanup(r.Close)
	r.address = r.Listener.Addr().String()
	return r
}

// names is a resolver whose addresses can be changed. Without addresses it returns an error.
type names struct {
	hosts atomic.Pointer[[]string]
}

func (n *names) LookupHost(context.Context, string) ([]string, error) {
	if hosts := n.hosts.Load(); hosts != nil {
		return slices.Clone(*hosts), nil
	}
	return nil, errors.New("the resolver is unavailable")
}

func newPool(t *testing.T, resolver upstream.Resolver, addresses ...string) *upstream.Pool {
	t.Helper()
	pool := upstream.New("records", addresses, resolver, upstream.NewTransport(), slog.New(slog.DiscardHandler))
	pool.Resolve(t.Context())
	return pool
}

func send(ctx context.Context, t *testing.T, pool http.RoundTripper, method, body string) (int, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, "http://records/x", strings.NewReader(body))
	require.NoError(t, err)
	resp, err := pool.RoundTrip(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(got), nil
}

// Another service has the address of a replica that has ended, until the names are resolved again.
func TestPool_RoundTrip_address_of_another_service(t *testing.T) {
	t.Parallel()
	start := func() (own, other *replica, pool *upstream.Pool) {
		own, other = startReplica(t, ""), startReplica(t, "")
		other.status.Store(http.StatusMisdirectedRequest)
		return own, other, newPool(t, nil, own.address, other.address)
	}
	t.Run("requests without a body are sent to another replica", func(t *testing.T) {
		t.Parallel()
		own, other, pool := start()
		for i := range 10 {
			if status, _, err := send(t.Context(), t, pool, http.MethodDelete, ""); err != nil || status != http.StatusOK {
				t.Fatal(i, status, err)
			}
		}
		if own.asked.Load() != 10 || other.asked.Load() != 1 {
			t.Errorf("the replicas were asked %d and %d times, want 10 and 1", own.asked.Load(), other.asked.Load())
		}
	})
	t.Run("requests with a body fail, at most one", func(t *testing.T) {
		t.Parallel()
		own, other, pool := start()
		failed := 0
		for range 10 {
			if _, _, err := send(t.Context(), t, pool, http.MethodPost, "upload"); err != nil {
				failed++
			}
		}
		if failed != 1 || own.asked.Load() != 9 || other.asked.Load() != 1 {
			t.Errorf("%d requests failed; the replicas were asked %d and %d times, want 1, 9 and 1",
				failed, own.asked.Load(), other.asked.Load())
		}
	})
	t.Run("a health check finds it", func(t *testing.T) {
		t.Parallel()
		own, other, pool := start()
		other.misdirects.Store(true)
		pool.CheckReplicas(t.Context())
		for i := range 4 {
			if status, _, err := send(t.Context(), t, pool, http.MethodPost, "upload"); err != nil || status != http.StatusOK {
				t.Fatal(i, status, err)
			}
		}
		if own.asked.Load() != 4 || other.asked.Load() != 0 {
			t.Errorf("the replicas were asked %d and %d times, want 4 and 0", own.asked.Load(), other.asked.Load())
		}
	})
}

func TestPool_RoundTrip_closed_replica(t *testing.T) {
	t.Parallel()
	a, b := startReplica(t, ""), startReplica(t, "")
	pool := newPool(t, nil, a.address, b.address)
	b.Close()
	for i := range 10 {
		// No connection could be made, so nothing was sent, and even an upload may be sent to the other one.
		if status, body, err := send(t.Context(), t, pool, http.MethodPost, "upload"); err != nil ||
			status != http.StatusOK || body != "upload" {
			t.Fatalf("request %d: %d %q %v", i, status, body, err)
		}
	}
	again := startReplica(t, b.address)
	pool.CheckReplicas(t.Context())
	for range 10 {
		_, _, err := send(t.Context(), t, pool, http.MethodGet, "")
		require.NoError(t, err)
	}
	if again.asked.Load() == 0 {
		t.Error("the replica that was started again got no request")
	}
}

func TestPool_CheckReplicas(t *testing.T) {
	t.Parallel()
	a, b := startReplica(t, ""), startReplica(t, "")
	pool := newPool(t, nil, a.address, b.address)
	b.down.Store(true)
	pool.CheckReplicas(t.Context())
	for range 10 {
		_, _, err := send(t.Context(), t, pool, http.MethodGet, "")
		require.NoError(t, err)
	}
	if b.asked.Load() != 0 {
		t.Errorf("the replica that is down got %d requests", b.asked.Load())
	}
	if err := pool.Check(t.Context()); err != nil {
		t.Error(err)
	}
	a.down.Store(true)
	pool.CheckReplicas(t.Context())
	if pool.Check(t.Context()) == nil {
		t.Error("the pool is ready although all replicas are down")
	}
	if _, _, err := send(t.Context(), t, pool, http.MethodGet, ""); !errors.Is(err, upstream.ErrNoReplica) {
		t.Errorf("with all down: %v", err)
	}
}

func TestPool_RoundTrip_retries(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		method     string
		repeatable bool
		asked      int64
	}{
		{"a GET that changes nothing", http.MethodGet, true, 2},
		{"a GET that changes something", http.MethodGet, false, 1},
		{"an upload", http.MethodPost, true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, b := startReplica(t, ""), startReplica(t, "")
			a.status.Store(http.StatusServiceUnavailable)
			b.status.Store(http.StatusServiceUnavailable)
			pool := newPool(t, nil, a.address, b.address)
			var transport http.RoundTripper = pool
			if tt.repeatable {
				transport = pool.Repeatable()
			}
			status, _, err := send(t.Context(), t, transport, tt.method, "")
			if err != nil || status != http.StatusServiceUnavailable {
				t.Fatal(status, err)
			}
			if got := a.asked.Load() + b.asked.Load(); got != tt.asked {
				t.Errorf("sent %d times, want %d", got, tt.asked)
			}
		})
	}
}

// faultyBody is a body that the client does not send whole.
type faultyBody struct{}

func (faultyBody) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Requests whose bodies cannot be read are no failures of the replica, and do not eject it.
func TestPool_RoundTrip_faulty_request_body(t *testing.T) {
	t.Parallel()
	const service = "records"
	r := startReplica(t, "")
	pool := upstream.New(service, []string{r.address}, nil, upstream.NewTransport(), slog.New(slog.DiscardHandler))
	pool.Resolve(t.Context())
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for range 10 {
			req, err := http.NewRequestWithContext(t.Context(), method, "http://records/x", faultyBody{})
			require.NoError(t, err)
			if _, err := pool.Repeatable().RoundTrip(req); !errors.Is(err, upstream.ErrRequestBody) {
				t.Fatalf("%s: %v, want ErrRequestBody", method, err)
			}
		}
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(pool)
	got := values(t, registry, service)
	want := map[string]float64{
		"gateway_replica_up": 1, "gateway_replica_requests_in_flight": 0, "gateway_retries_total": 0,
		"gateway_unanswered_total": 0,
	}
	assert.Equal(t, "metrics", want, got)
}

// values returns the values of all metrics with the label service, by name.
func values(t *testing.T, from prometheus.Gatherer, service string) map[string]float64 {
	t.Helper()
	families, err := from.Gather()
	require.NoError(t, err)
	found := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				if label.GetName() == "service" && label.GetValue() == service {
					found[family.GetName()] = metric.GetGauge().GetValue() + metric.GetCounter().GetValue()
				}
			}
		}
	}
	return found
}

func TestPool_Resolve(t *testing.T) {
	t.Parallel()
	a := startReplica(t, "127.0.0.1:0")
	_, port, err := net.SplitHostPort(a.address)
	require.NoError(t, err)
	b := startReplica(t, net.JoinHostPort("127.0.0.2", port))
	resolver := &names{}
	resolver.hosts.Store(&[]string{"127.0.0.1"})
	pool := newPool(t, resolver, net.JoinHostPort("records", port))

	counts := func() []int64 {
		a.asked.Store(0)
		b.asked.Store(0)
		for range 4 {
			_, _, err := send(t.Context(), t, pool, http.MethodGet, "")
			require.NoError(t, err)
		}
		return []int64{a.asked.Load(), b.asked.Load()}
	}
	for _, step := range []struct {
		name  string
		hosts *[]string
		want  []int64
	}{
		{"one replica", &[]string{"127.0.0.1"}, []int64{4, 0}},
		{"two replicas", &[]string{"127.0.0.1", "127.0.0.2"}, []int64{2, 2}},
		{"the resolver is unavailable", nil, []int64{2, 2}},
		{"the second replica alone", &[]string{"127.0.0.2"}, []int64{0, 4}},
	} {
		resolver.hosts.Store(step.hosts)
		pool.Resolve(t.Context())
		assert.Equal(t, step.name, step.want, counts())
	}
}

func TestPool_RoundTrip_without_replicas(t *testing.T) {
	t.Parallel()
	pool := newPool(t, &names{}, "records:8080")
	if _, _, err := send(t.Context(), t, pool, http.MethodGet, ""); err == nil {
		t.Error("a request without a replica returns no error")
	}
	if pool.Check(t.Context()) == nil {
		t.Error("a pool without replicas is ready")
	}
}
