package app_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
)

// sendRaw sends a request as text on a connection of its own, and returns the response.
func (b *bundle) sendRaw(t *testing.T, request string) response {
	t.Helper()
	method, _, _ := strings.Cut(request, " ")
	resp, err := http.ReadResponse(bufio.NewReader(b.raw(t, request)), &http.Request{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{resp.StatusCode, resp.Header, string(body)}
}

const host = " HTTP/1.1\r\nHost: capzone.example\r\n"

func TestGateway_faulty_bodies(t *testing.T) {
	t.Parallel()
	var closed *stub
	b := setup(t, func(cfg *app.Config, _ *bundle) {
		closed = startStub(t)
		cfg.Services[route.Records] = append(cfg.Services[route.Records], closed.address())
	})
	closed.CloseClientConnections()
	closed.Close()
	bearer := strings.Join(b.bearer(t, playerID), ": ")
	for range 10 {
		for _, method := range []string{"GET", "HEAD"} {
			got := b.sendRaw(t, method+" /api/v1/stats"+host+"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
			if got.status != http.StatusRequestEntityTooLarge {
				t.Fatalf("%s with a body: %d", method, got.status)
			}
		}
		got := b.sendRaw(t, "POST /api/v1/records/submit"+host+bearer+"\r\nTransfer-Encoding: chunked\r\n\r\n"+
			"nonsense\r\n\r\n")
		if got.status != http.StatusBadRequest || got.failure(t).Code != "malformed_request" {
			t.Fatalf("malformed chunks: %d %s", got.status, got.body)
		}
	}
	for i := range 40 {
		if got := b.get(t, "/api/v1/download/replays/"+playerID); got.status != http.StatusOK {
			t.Fatalf("request %d with one live replica: %d %s", i, got.status, got.body)
		}
	}
}

// A replica that accepts connections and never answers is marked as down and gets no requests.
func TestGateway_service_that_hangs(t *testing.T) {
	t.Parallel()
	asked, finish := make(chan struct{}, 1000), make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			asked <- struct{}{}
		}
		<-finish
	}))
	defer hanging.Close()
	defer close(finish)
	address := hanging.Listener.Addr().String()
	b := setup(t, func(cfg *app.Config, _ *bundle) { cfg.Services[route.Maps] = app.Addresses{address} })
	eventually.WaitFor(t, "the replica to be down", func() bool {
		return strings.Contains(b.metrics(t), `gateway_replica_up{address="`+address+`",service="maps"} 0`)
	})
	for _, path := range []string{"/api/v1/maps/search", "/media/maps/a.webp", "/api/v1/maps/" + playerID} {
		if got := b.get(t, path); got.status != http.StatusServiceUnavailable ||
			got.failure(t).Code != "service_unavailable" {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if len(asked) > 0 {
		t.Errorf("a replica that is down got %d requests", len(asked))
	}
	if got := b.get(t, "/api/v1/stats"); got.status != http.StatusOK {
		t.Errorf("the other services: %d", got.status)
	}
}

func TestGateway_connections_of_one_address(t *testing.T) {
	t.Parallel()
	const limit = 20
	b := setup(t, func(cfg *app.Config, _ *bundle) {
		cfg.TrustedProxies, cfg.ConnectionsPerAddress, cfg.RequestsInFlightPerAddress = nil, limit, limit/2
	})
	local := func(address string) *http.Client {
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
		return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
	}
	attacker, visitor := local("127.0.0.2"), local("127.0.0.3")
	finish := make(chan struct{})
	b.records.answers(func(http.ResponseWriter, *http.Request) { <-finish })
	var refused int
	results := make(chan int, limit-1)
	for range limit - 1 {
		go func() {
			resp, err := attacker.Get(b.site + "/api/v1/download/replays/" + playerID)
			if err != nil {
				t.Error(err)
				results <- 0
				return
			}
			resp.Body.Close()
			results <- resp.StatusCode
		}()
	}
	for range limit/2 - 1 { // those beyond the limit are answered at once
		if status := <-results; status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused != limit/2-1 {
		t.Errorf("%d of %d requests at once were refused, want %d", refused, limit-1, limit/2-1)
	}
	resp, err := visitor.Get(b.site + "/api/v1/maps/search")
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("a visitor from elsewhere: %v, %v", resp, err)
	}
	if err == nil {
		resp.Body.Close()
	}
	close(finish)
}

// Cookies are those of the login, which no other service needs.
func TestGateway_cookies(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.get(t, "/api/v1/auth/status", "Cookie", "a=b")
	if got := b.auth.last(t).header.Get("Cookie"); got != "a=b" {
		t.Errorf("auth got the cookie %q", got)
	}
	b.get(t, "/api/v1/download/replays/"+playerID, "Cookie", "a=b")
	b.send(t, http.MethodPost, "/api/v1/records/submit", text("replay"), append(b.bearer(t, playerID), "Cookie", "a=b")...)
	for _, asked := range b.records.requests() {
		if got := asked.header.Get("Cookie"); got != "" {
			t.Errorf("%s got the cookie %q", asked.uri, got)
		}
	}
}
