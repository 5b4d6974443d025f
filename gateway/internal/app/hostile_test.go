package app_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
)

// sendRaw sends a request as text on a connection of its own, and returns the response.
func (b *bundle) sendRaw(t *testing.T, request string) response {
	t.Helper()
	method, _, _ := strings.Cut(request, " ")
	resp, err := http.ReadResponse(bufio.NewReader(b.raw(t, request)), &http.Request{Method: method})
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
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

func TestGateway_requests_in_flight_of_one_address(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config, _ *bundle) { cfg.RequestsInFlightPerAddress = 2 })
	arrived, finish := make(chan struct{}), make(chan struct{})
	b.records.answers(func(http.ResponseWriter, *http.Request) { arrived <- struct{}{}; <-finish })
	download := func() response {
		return b.get(t, "/api/v1/download/replays/"+playerID, from("198.51.100.1")...)
	}
	var two sync.WaitGroup
	for range 2 {
		two.Go(func() { download() })
		<-arrived
	}
	if got := download(); got.status != http.StatusTooManyRequests {
		t.Errorf("a third request at once: %d", got.status)
	}
	if got := b.get(t, "/api/v1/maps/search", from("198.51.100.2")...); got.status != http.StatusOK {
		t.Errorf("a visitor from elsewhere: %d", got.status)
	}
	close(finish)
	two.Wait()
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
