package app_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/redistest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/runtest"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/client"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
)

const playerID = "01970000-0000-7000-8000-000000000001"

// stub is a service that records its requests and answers with a handler of the test.
type stub struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []asked
	answer http.HandlerFunc
}

type asked struct {
	method, uri string
	header      http.Header
	body        string
}

func startStub(tb testing.TB) *stub {
	tb.Helper()
	s := &stub{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" {
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the gateway ended the request
		}
		s.mu.Lock()
		s.asked = append(s.asked, asked{r.Method, r.URL.RequestURI(), r.Header, string(body)})
		answer := s.answer
		s.mu.Unlock()
		if answer != nil {
			answer(w, r)
			return
		}
		_, _ = io.WriteString(w, `{"success":true}`)
	}))
	tb.Cleanup(s.Close)
	return s
}

func (s *stub) answers(h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = h
}

func (s *stub) requests() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]asked(nil), s.asked...)
}

func (s *stub) last(t *testing.T) asked {
	t.Helper()
	all := s.requests()
	if len(all) == 0 {
		t.Fatal("the service was not asked")
	}
	return all[len(all)-1]
}

func (s *stub) address() string { return s.Listener.Addr().String() }

// bundle is a running gateway with the servers behind it.
type bundle struct {
	site, ops                    string
	auth, maps, records, players *stub
	signer                       *token.Signer
	keys                         *httptest.Server
	stop                         func()
	stopped                      chan error
	client                       *http.Client
}

// setup starts a gateway on free ports, with the configuration as change leaves it.
func setup(tb testing.TB, change func(*app.Config, *bundle)) *bundle {
	tb.Helper()
	key, err := token.NewKey()
	require.NoError(tb, err)
	b := &bundle{
		auth: startStub(tb), maps: startStub(tb), records: startStub(tb), players: startStub(tb),
		stopped: make(chan error, 1),
		client: &http.Client{
			Transport:     &http.Transport{DisableCompression: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	if b.signer, err = token.NewSigner([]token.Key{key}, time.Now); err != nil {
		tb.Fatal(err)
	}
	b.keys = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(b.signer.JWKS())
	}))
	tb.Cleanup(b.keys.Close)

	listeners := service.Listeners{API: runtest.Listen(tb), Ops: runtest.Listen(tb)}
	b.site, b.ops = "http://"+listeners.API.Addr().String(), "http://"+listeners.Ops.Addr().String()
	cfg := app.Config{
		ProcessConfig: service.ProcessConfig{
			NATSURL: natstest.Start(tb).URL(), Listeners: listeners,
		},
		Services: map[route.Service]app.Addresses{
			route.Auth: {b.auth.address()}, route.Maps: {b.maps.address()},
			route.Records: {b.records.address()}, route.Players: {b.players.address()},
		},
		PublicURL: service.SiteURL{URL: url.URL{Scheme: "https", Host: "capzone.example"}},
		Config: limit.Config{RequestsPerMinute: 1000, LoginsPerMinute: 1000, SubmissionsPerHour: 1000,
			RequestsInFlightPerAddress: 1000, TokenRequestsPerMinute: 1000,
			InvalidTokensPerMinute: 1000},
		TrustedProxies: client.TrustedProxies{netip.MustParsePrefix("127.0.0.0/8")},
	}
	cfg.LogLevel = slog.LevelError + 1
	cfg.JWKSURLs = []string{b.keys.URL}
	cfg.RedisURL = redistest.Start(tb)
	cfg.PageCacheMB = 16
	if change != nil {
		change(&cfg, b)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	b.stop = stop
	go func() { b.stopped <- app.Run(ctx, cfg) }()
	tb.Cleanup(func() {
		stop()
		if err := <-b.stopped; err != nil {
			tb.Errorf("the gateway ended with %v", err)
		}
	})
	runtest.AwaitAnswer(tb, b.ops+httpserve.HealthPath, b.stopped)
	return b
}

// response is a complete response.
type response struct {
	status int
	header http.Header
	body   string
}

// failure reads the envelope of a failure.
func (r response) failure(t *testing.T) httpserve.Failure {
	t.Helper()
	var f httpserve.Failure
	if err := json.Unmarshal([]byte(r.body), &f); err != nil {
		t.Fatalf("status %d without the envelope: %q", r.status, r.body)
	}
	return f
}

// send sends a request with headers, given as names and values in turn.
func (b *bundle) send(t *testing.T, method, path string, body io.Reader, headers ...string) response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, b.site+path, body)
	require.NoError(t, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	resp, err := b.client.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return response{resp.StatusCode, resp.Header, string(got)}
}

func (b *bundle) get(t *testing.T, path string, headers ...string) response {
	t.Helper()
	return b.send(t, http.MethodGet, path, nil, headers...)
}

// metrics returns the gateway's metrics.
func (b *bundle) metrics(tb testing.TB) string {
	tb.Helper()
	resp, err := http.Get(b.ops + "/metrics")
	require.NoError(tb, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(tb, err)
	return string(body)
}

// bearer returns an Authorization header with a valid token of a player.
func (b *bundle) bearer(t *testing.T, id string) []string {
	t.Helper()
	raw, err := b.signer.Sign(token.Claims{PlayerID: id, Name: "cloudstep"})
	require.NoError(t, err)
	return []string{"Authorization", "Bearer " + raw}
}

// upload returns a body of n bytes without a Content-Length.
func upload(n int64) io.Reader { return io.LimitReader(rand.Reader, n) }

// from returns the header with which the test, as a trusted proxy, names the address of a client.
func from(address string) []string { return []string{"X-Forwarded-For", address} }

func text(s string) io.Reader { return strings.NewReader(s) }
