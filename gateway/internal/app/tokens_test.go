package app_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/personal"
	"capzone.dev/platform/token"
)

// tokens are personal tokens, which it exchanges in place of auth.
type tokens struct {
	*bundle
	t    *testing.T
	nats *nats.Conn
	stop func()

	mu    sync.Mutex
	known map[personal.Hash]event.ExchangedToken
	asked int
}

// setupTokens starts a gateway with an auth that exchanges tokens.
func setupTokens(t *testing.T, change func(*app.Config)) *tokens {
	t.Helper()
	server := natstest.Start(t)
	s := &tokens{t: t, known: map[personal.Hash]event.ExchangedToken{}}
	s.nats, _ = server.Provision()
	s.bundle = setup(t, func(cfg *app.Config, _ *bundle) {
		cfg.NATSURL, cfg.StreamsPerAddress, cfg.TokenRequestsPerMinute = server.URL(), 5, 1_000_000
		if change != nil {
			change(cfg)
		}
	})
	s.stop = natstest.Serve(t, s.nats, event.ExchangeTokenSubject, s.exchange)
	return s
}

func (s *tokens) exchange(_ context.Context, req event.ExchangeToken) (event.ExchangedToken, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	known, ok := s.known[personal.Hash(req.Hash)]
	if !ok {
		return event.ExchangedToken{}, personal.ErrInvalid
	}
	signed, err := s.signer.Sign(token.Claims{
		PlayerID: playerID, Name: "cloudstep", PersonalID: known.TokenID, Scopes: known.Scopes, ExpiresAt: known.ExpiresAt,
	})
	known.AccessToken = signed
	return known, err
}

// create makes a token with scopes, of which every exchange is for so long.
func (s *tokens) create(lifetime time.Duration, scopes ...access.Scope) (raw, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	raw, id = personal.NewToken(), uuid.NewString()
	s.known[personal.HashOf(raw)] = event.ExchangedToken{
		TokenID: id, Scopes: scopes, ExpiresAt: time.Now().Add(lifetime),
	}
	return raw, id
}

// revoke revokes a token as auth does: it exchanges it no more, and announces that.
func (s *tokens) revoke(raw string) {
	s.t.Helper()
	s.mu.Lock()
	id := s.known[personal.HashOf(raw)].TokenID
	delete(s.known, personal.HashOf(raw))
	s.mu.Unlock()
	data, err := json.Marshal(event.TokenRevoked{TokenID: id})
	require.NoError(s.t, err)
	body, err := json.Marshal(event.Envelope{ID: uuid.NewString(), Data: data})
	require.NoError(s.t, err)
	require.NoError(s.t, s.nats.Publish(event.TokenRevokedSubject, body))
}

func (s *tokens) exchanges() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// kept is the lifetime of an access token that the gateway keeps.
const kept = 5 * time.Minute

func bearerOf(raw string) []string { return []string{"Authorization", "Bearer " + raw} }

// Services see an access token of the player with the scopes, never the token.
func TestGateway_personal_token(t *testing.T) {
	t.Parallel()
	s := setupTokens(t, nil)
	raw, id := s.create(kept, access.ScopeSubmitRecords)
	for i := range 3 {
		got := s.send(t, http.MethodPost, "/api/v1/records/submit", text("x"), bearerOf(raw)...)
		if got.status != http.StatusOK {
			t.Fatalf("%d %s", got.status, got.body)
		}
		if policy, left := got.header.Get("RateLimit-Policy"), got.header.Get("RateLimit"); policy != `"token";q=1000000;w=60` ||
			!strings.HasPrefix(left, `"token";r=99999`) {
			t.Errorf("request %d: RateLimit-Policy %s, RateLimit %s", i+1, policy, left)
		}
	}
	forwarded := s.records.last(t).header
	claims, err := token.NewLocalVerifier(s.signer).Verify(
		strings.TrimPrefix(forwarded.Get("Authorization"), "Bearer "))
	require.NoError(t, err)
	want := token.Claims{
		PlayerID: playerID, Name: "cloudstep", Roles: []string{}, PersonalID: id,
		Scopes: []access.Scope{access.ScopeSubmitRecords}, ExpiresAt: claims.ExpiresAt,
	}
	assert.Equal(t, "claims", want, claims)
	for name, values := range forwarded {
		if strings.Contains(strings.Join(values, ""), raw) {
			t.Errorf("the service was sent the token in %s", name)
		}
	}
	if n := s.exchanges(); n != 1 {
		t.Errorf("exchanged %d times, want once", n)
	}
}

// An access token that is about to expire is not kept.
func TestGateway_personal_token_exchanged_again(t *testing.T) {
	t.Parallel()
	s := setupTokens(t, nil)
	raw, _ := s.create(2*time.Second, access.ScopeFollows)
	for range 2 {
		if got := s.get(t, "/api/v1/stats", bearerOf(raw)...); got.status != http.StatusOK {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
	if n := s.exchanges(); n != 2 {
		t.Errorf("exchanged %d times, want twice", n)
	}
}

// A token opens the calls for which it has the scope, and those that need none. apidoc's test says which these are.
func TestGateway_personal_token_calls(t *testing.T) {
	t.Parallel()
	s := setupTokens(t, nil)
	every, _ := s.create(kept, access.Scopes()...)
	submits, _ := s.create(kept, access.ScopeSubmitRecords)
	for _, tt := range []struct{ method, path, raw, missing string }{
		{"POST", "/records/submit", submits, ""},
		{"GET", "/records/progress", submits, ""}, // needs no scope
		{"GET", "/stats", submits, ""},
		{"GET", "/inbox", submits, "the scope " + string(access.ScopeReadInbox)},
		{"GET", "/desk/cases", every, "scope_missing"},
		{"GET", "/auth/refresh-token", every, "scope_missing"},
	} {
		got := s.send(t, tt.method, route.Base+tt.path, nil, bearerOf(tt.raw)...)
		if refused := got.status == http.StatusForbidden; refused != (tt.missing != "") ||
			!strings.Contains(got.body, tt.missing) {
			t.Errorf("%s %s: %d %s", tt.method, tt.path, got.status, got.body)
		}
	}
	if n := len(s.auth.requests()); n != 0 {
		t.Errorf("auth was sent %d requests", n)
	}
}

func TestGateway_personal_token_invalid(t *testing.T) {
	t.Parallel()
	s := setupTokens(t, func(cfg *app.Config) { cfg.InvalidTokensPerMinute = 5 })
	valid, _ := s.create(kept, access.ScopeFollows)
	const guesser, other = "198.51.100.1", "198.51.100.2"
	get := func(address, raw string) response {
		return s.get(t, "/api/v1/stats", append(bearerOf(raw), from(address)...)...)
	}
	for _, malformed := range []string{"cz_", "cz_short", personal.NewToken() + "A"} {
		if got := get(other, malformed); got.failure(t).Code != "personal_token_invalid" {
			t.Errorf("%q: %d", malformed, got.status)
		}
	}
	if n := s.exchanges(); n != 0 {
		t.Errorf("auth was asked %d times for what is no token", n)
	}
	statuses := map[int]int{}
	for range 20 {
		statuses[get(guesser, personal.NewToken()).status]++
	}
	if statuses[http.StatusUnauthorized] != 5 || statuses[http.StatusTooManyRequests] != 15 {
		t.Errorf("20 guesses: %v", statuses)
	}
	if got := get(other, valid); got.status != http.StatusOK {
		t.Errorf("a valid token of another address: %d", got.status)
	}
}

// Once a request is refused after a revocation, none that begins later is answered, however many are under way.
func TestGateway_personal_token_revoked(t *testing.T) {
	t.Parallel()
	s := setupTokens(t, nil)
	raw, _ := s.create(kept, access.ScopeSubmitRecords)
	another, _ := s.create(kept, access.ScopeSubmitRecords)
	submit := func(raw string) int {
		return s.send(t, http.MethodPost, "/api/v1/records/submit", text("x"), bearerOf(raw)...).status
	}
	if status := submit(raw); status != http.StatusOK { // so that the exchange is kept
		t.Fatal(status)
	}
	var answered atomic.Int64
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			for submit(raw) == http.StatusOK {
				answered.Add(1)
			}
			if status := submit(raw); status != http.StatusUnauthorized {
				t.Errorf("after the revocation: %d", status)
			}
		})
	}
	eventually.WaitFor(t, "requests", func() bool { return answered.Load() > 20 })
	s.revoke(raw)
	clients.Wait()
	if status := submit(another); status != http.StatusOK {
		t.Errorf("another token: %d", status)
	}
}

// While auth is unavailable, tokens that are kept are accepted, and others are refused for a moment only.
func TestGateway_personal_token_without_auth(t *testing.T) {
	t.Parallel()
	s := setupTokens(t, nil)
	known, _ := s.create(kept, access.ScopeFollows)
	other, _ := s.create(kept, access.ScopeFollows)
	if got := s.get(t, "/api/v1/stats", bearerOf(known)...); got.status != http.StatusOK {
		t.Fatalf("%d %s", got.status, got.body)
	}
	s.stop()
	if got := s.get(t, "/api/v1/stats", bearerOf(known)...); got.status != http.StatusOK {
		t.Errorf("a token that is kept: %d", got.status)
	}
	got := s.get(t, "/api/v1/stats", bearerOf(other)...)
	if f := got.failure(t); got.status != http.StatusServiceUnavailable || f.Code != "tokens_unavailable" ||
		got.header.Get("Retry-After") == "" {
		t.Errorf("another token: %d %+v, Retry-After %q", got.status, f, got.header.Get("Retry-After"))
	}
	if got := s.get(t, "/api/v1/stats"); got.status != http.StatusOK {
		t.Errorf("without a token: %d", got.status)
	}
	natstest.Serve(t, s.nats, event.ExchangeTokenSubject, s.exchange)
	require.NoError(t, s.nats.Flush())
	if got := s.get(t, "/api/v1/stats", bearerOf(other)...); got.status != http.StatusOK {
		t.Errorf("when auth is back: %d", got.status)
	}
}

// A request with a token in its address is refused.
func TestGateway_personal_token_in_an_address(t *testing.T) {
	t.Parallel()
	s := setupTokens(t, nil)
	raw, _ := s.create(kept, access.Scopes()...)
	for _, address := range []string{
		"/api/v1/stats?token=", "/api/v1/maps/search?name=", "/api/v1/records/", "/api/v1/tokens/", "/?access_token=",
		"/maps/", "/media/maps/", "/nowhere/", "/api/v1/stats?a=1&a=x", "/api/v1/stats?",
		"/api/v1/events?me=true&token=", "/api/v1/auth/status?sessionId=",
	} {
		got := s.get(t, address+raw)
		if got.status != http.StatusBadRequest || got.failure(t).Code != "token_in_query" ||
			strings.Contains(got.body, raw) {
			t.Errorf("%s: %d %s", address, got.status, got.body)
		}
	}
	if n := len(s.records.requests()) + len(s.maps.requests()) + len(s.auth.requests()); n > 0 {
		t.Errorf("services were asked %d times", n)
	}
}

func TestGateway_personal_token_limit(t *testing.T) {
	t.Parallel()
	s := setupTokens(t, func(cfg *app.Config) { cfg.TokenRequestsPerMinute = 3 })
	raw, _ := s.create(kept, access.ScopeFollows)
	other, _ := s.create(kept, access.ScopeFollows)
	var got response
	for i, left := range []string{"r=2;", "r=1;", "r=0;"} {
		if got = s.get(t, "/api/v1/stats", bearerOf(raw)...); got.status != http.StatusOK ||
			!strings.Contains(got.header.Get("RateLimit"), left) {
			t.Errorf("request %d: %d, RateLimit %s", i+1, got.status, got.header.Get("RateLimit"))
		}
	}
	got = s.get(t, "/api/v1/stats", bearerOf(raw)...)
	if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" ||
		got.header.Get("RateLimit-Policy") != `"token";q=3;w=60` || !strings.Contains(got.header.Get("RateLimit"), "r=0;") {
		t.Errorf("the fourth: %d %v", got.status, got.header)
	}
	if got := s.get(t, "/api/v1/stats", bearerOf(other)...); got.status != http.StatusOK {
		t.Errorf("another token: %d", got.status)
	}
	if got := s.get(t, "/api/v1/stats"); got.status != http.StatusOK || got.header.Get("RateLimit") != "" {
		t.Errorf("without a token: %d, RateLimit %s", got.status, got.header.Get("RateLimit"))
	}
}

// A stream of the caller's own events needs the scope, and ends with the access token.
func TestGateway_personal_token_live_events(t *testing.T) {
	t.Parallel()
	s := setupTokens(t, nil)
	reader, _ := s.create(2*time.Second, access.ScopeReadInbox)
	other, _ := s.create(kept, access.ScopeFollows)
	got := s.get(t, "/api/v1/events?me=true", bearerOf(other)...)
	if got.status != http.StatusForbidden || !strings.Contains(got.body, "inbox:read") {
		t.Errorf("without the scope: %d %s", got.status, got.body)
	}
	got = s.get(t, "/api/v1/events?me=true", bearerOf(reader)...) // all of it
	if got.status != http.StatusOK {
		t.Errorf("%d %s", got.status, got.body)
	}
}
