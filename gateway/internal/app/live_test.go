package app_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/app"
)

// openEvents opens a stream of live events from an address.
func (b *bundle) openEvents(t *testing.T, address string) *http.Response {
	t.Helper()
	return b.open(t, address, "/api/v1/events")
}

// open begins to read a path from an address, on a connection of its own.
func (b *bundle) open(t *testing.T, address, path string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.site+path, nil)
	require.NoError(t, err)
	req.Header.Set("X-Forwarded-For", address)
	resp, err := (&http.Transport{}).RoundTrip(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// An address may have five streams. The sixth is refused and leaves the others as they are.
func TestGateway_live_events(t *testing.T) {
	t.Parallel()
	nats := natstest.Start(t)
	nats.Provision()
	b := setup(t, func(cfg *app.Config, _ *bundle) {
		cfg.NATSURL, cfg.StreamsPerAddress, cfg.RequestsInFlightPerAddress = nats.URL(), 5, 1
	})
	eventually.WaitFor(t, "the gateway to have read the stream", func() bool {
		resp := b.openEvents(t, "198.51.100.1")
		_ = resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
	var streams []*http.Response
	for range 5 {
		resp := b.openEvents(t, "198.51.100.2")
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" ||
			resp.Header.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.HasPrefix(resp.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Fatalf("%s %v", resp.Status, resp.Header)
		}
		streams = append(streams, resp)
	}
	got := b.get(t, "/api/v1/events", from("198.51.100.2")...)
	if f := got.failure(t); got.status != http.StatusTooManyRequests || f.Code != "streams_full" ||
		got.header.Get("Retry-After") == "" {
		t.Errorf("the sixth: %d %+v, Retry-After %q", got.status, f, got.header.Get("Retry-After"))
	}
	if resp := b.openEvents(t, "198.51.100.3"); resp.StatusCode != http.StatusOK {
		t.Errorf("of another address: %s", resp.Status)
	}
	if got := b.get(t, "/api/v1/events?types=x", from("198.51.100.4")...); got.status != http.StatusBadRequest {
		t.Errorf("a type that does not exist: %d", got.status)
	}
	_ = streams[0].Body.Close()
	eventually.WaitFor(t, "a place for another one", func() bool {
		resp := b.openEvents(t, "198.51.100.2")
		return resp.StatusCode == http.StatusOK
	})
	b.stop()
	for _, resp := range streams[1:] {
		body := bufio.NewReader(resp.Body)
		rest, err := io.ReadAll(body)
		if err != nil || !strings.Contains(string(rest), "retry: ") {
			t.Errorf("a stream ended with %q, %v", rest, err)
		}
	}
}

// A download is forwarded as it comes, counts as a stream, and ends with its client or with the gateway.
func TestGateway_downloads(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config, _ *bundle) { cfg.StreamsPerAddress, cfg.RequestsInFlightPerAddress = 2, 1 })
	ended := make(chan struct{}, 10)
	b.records.answers(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/dumps/") {
			return
		}
		_, _ = io.WriteString(w, "first\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		ended <- struct{}{}
	})
	const address, path = "198.51.100.1", "/dumps/2026-11-01/records.ndjson.gz"
	var bodies []*bufio.Reader
	first := b.open(t, address, path)
	for _, resp := range []*http.Response{first, b.open(t, address, path)} {
		body := bufio.NewReader(resp.Body)
		if line, err := body.ReadString('\n'); err != nil || line != "first\n" || resp.Header.Get("Content-Encoding") != "" {
			t.Fatalf("%s %q, %v", resp.Status, line, err)
		}
		bodies = append(bodies, body)
	}
	if got := b.get(t, path, from(address)...); got.failure(t).Code != "streams_full" {
		t.Errorf("a third: %d %s", got.status, got.body)
	}
	if got := b.get(t, "/api/v1/stats", from(address)...); got.status != http.StatusOK {
		t.Errorf("a request beside them: %d", got.status)
	}
	_ = first.Body.Close()
	<-ended
	eventually.WaitFor(t, "one stream in the metrics", func() bool {
		return strings.Contains(b.metrics(t), "http_streams_in_flight 1\n")
	})
	b.stop()
	if rest, err := io.ReadAll(bodies[1]); err != nil || len(rest) > 0 {
		t.Errorf("it ended with %q, %v", rest, err)
	}
}
