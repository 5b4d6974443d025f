package token_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/token"
)

const playerID = "01970000-0000-7000-8000-000000000001"

var claims = token.Claims{PlayerID: playerID, Name: "cloudstep", Roles: []string{"validator"}, Banned: true}

func newSigner(t *testing.T, now func() time.Time, keys ...token.Key) *token.Signer {
	t.Helper()
	if len(keys) == 0 {
		keys = []token.Key{newKey(t)}
	}
	s, err := token.NewSigner(keys, now)
	require.NoError(t, err)
	return s
}

func newKey(t *testing.T) token.Key {
	t.Helper()
	k, err := token.NewKey()
	require.NoError(t, err)
	return k
}

func sign(t *testing.T, s *token.Signer) string {
	t.Helper()
	raw, err := s.Sign(claims)
	require.NoError(t, err)
	return raw
}

func TestVerifier_Verify(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 11, 18, 0, 0, 0, time.UTC)
	s := newSigner(t, func() time.Time { return now })
	got, err := token.NewLocalVerifier(s).Verify(sign(t, s))
	require.NoError(t, err)
	want := claims
	want.ExpiresAt = now.Add(15 * time.Minute)
	got.ExpiresAt = got.ExpiresAt.UTC()
	assert.Equal(t, "claims", want, got)
	if !got.Has("admin", "validator") || got.Has("admin") {
		t.Error("Has reports roles that the token does not have, or none that it has")
	}
}

func TestVerifier_Verify_expired(t *testing.T) {
	t.Parallel()
	var now atomic.Int64
	now.Store(1_800_000_000)
	s := newSigner(t, func() time.Time { return time.Unix(now.Load(), 0) })
	raw, v := sign(t, s), token.NewLocalVerifier(s)
	for _, tt := range []struct {
		after time.Duration
		want  error
	}{{14 * time.Minute, nil}, {15*time.Minute + 4*time.Second, nil}, {15*time.Minute + 6*time.Second, token.ErrExpired}} {
		now.Store(1_800_000_000 + int64(tt.after.Seconds()))
		if _, err := v.Verify(raw); !errors.Is(err, tt.want) {
			t.Errorf("after %v: %v, want %v", tt.after, err, tt.want)
		}
	}
}

func TestVerifier_Verify_forged(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	key := newKey(t)
	s := newSigner(t, time.Now, key)
	v := token.NewLocalVerifier(s)
	good := sign(t, s)
	parts := strings.Split(good, ".")
	forge := func(method jwt.SigningMethod, key any, change func(jwt.MapClaims)) string {
		c := jwt.MapClaims{
			"iss": token.Issuer, "sub": playerID, "name": "cloudstep", "roles": []string{"admin"},
			"iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
		}
		if change != nil {
			change(c)
		}
		forged := jwt.NewWithClaims(method, c)
		forged.Header["kid"] = header(t, good)["kid"]
		raw, err := forged.SignedString(key)
		require.NoError(t, err)
		return raw
	}
	file, err := key.PEM()
	require.NoError(t, err)
	block, _ := pem.Decode(file)
	own, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	require.NoError(t, err)
	signed := func(change func(jwt.MapClaims)) string { return forge(jwt.SigningMethodEdDSA, own, change) }
	if _, err := v.Verify(signed(nil)); err != nil {
		t.Fatalf("the key's own token: %v", err)
	}
	payload := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"` + playerID + `","name":"admin"}`))
	for name, raw := range map[string]string{
		"no token at all":        "nonsense",
		"a changed payload":      parts[0] + "." + payload + "." + parts[2],
		"a cut signature":        good[:len(good)-4],
		"another key":            forge(jwt.SigningMethodEdDSA, private, nil),
		"alg none":               forge(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil),
		"HMAC with a public key": forge(jwt.SigningMethodHS256, []byte(public), nil),
		"HMAC with the key file": forge(jwt.SigningMethodHS256, file, nil),
		"another issuer":         signed(func(c jwt.MapClaims) { c["iss"] = "other" }),
		"no issuer":              signed(func(c jwt.MapClaims) { delete(c, "iss") }),
		"no expiry":              signed(func(c jwt.MapClaims) { delete(c, "exp") }),
		"issued in the future":   signed(func(c jwt.MapClaims) { c["iat"] = time.Now().Add(time.Hour).Unix() }),
		"no subject":             signed(func(c jwt.MapClaims) { delete(c, "sub") }),
		"an invalid player id":   signed(func(c jwt.MapClaims) { c["sub"] = "cloudstep" }),
		"an unknown key id":      sign(t, newSigner(t, time.Now)),
	} {
		if _, err := v.Verify(raw); !errors.Is(err, token.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	if _, err := v.Verify(""); !errors.Is(err, token.ErrMissing) {
		t.Errorf("empty: %v, want ErrMissing", err)
	}
}

func header(t *testing.T, raw string) map[string]any {
	t.Helper()
	decoded, err := base64.RawURLEncoding.DecodeString(strings.Split(raw, ".")[0])
	require.NoError(t, err)
	var h map[string]any
	require.NoError(t, json.Unmarshal(decoded, &h))
	return h
}

func TestParseKeys_round_trip(t *testing.T) {
	t.Parallel()
	first, second := newKey(t), newKey(t)
	var file []byte
	for _, k := range []token.Key{first, second} {
		block, err := k.PEM()
		require.NoError(t, err)
		file = append(file, block...)
	}
	keys, err := token.ParseKeys(file)
	require.NoError(t, err)
	if len(keys) != 2 || keys[0].ID != first.ID || keys[1].ID != second.ID {
		t.Errorf("%d keys, want the two keys in order", len(keys))
	}
	for _, bad := range []string{"", "hello", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		if _, err := token.ParseKeys([]byte(bad)); err == nil {
			t.Errorf("%q was accepted as keys", bad)
		}
	}
}

// publish serves the keys of a signer that may change, as auth does.
func publish(t *testing.T, signer *atomic.Pointer[token.Signer]) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s := signer.Load()
		if s == nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(s.JWKS())
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestVerifier_Verify_after_key_rotation(t *testing.T) {
	t.Parallel()
	oldKey, newKey := newKey(t), newKey(t)
	var signer atomic.Pointer[token.Signer]
	signer.Store(newSigner(t, time.Now, oldKey))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	v, err := token.NewVerifier(ctx, []string{publish(t, &signer)}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	oldToken := sign(t, signer.Load())
	_, err = v.Verify(oldToken)
	require.NoError(t, err)
	signer.Store(newSigner(t, time.Now, newKey, oldKey))
	for name, raw := range map[string]string{"new": sign(t, signer.Load()), "old": oldToken} {
		if _, err := v.Verify(raw); err != nil {
			t.Errorf("the token of the %s key: %v", name, err)
		}
	}
}

func TestVerifier_Verify_before_keys_are_published(t *testing.T) {
	t.Parallel()
	var signer atomic.Pointer[token.Signer]
	v, err := token.NewVerifier(t.Context(), []string{publish(t, &signer)}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	s := newSigner(t, time.Now)
	if _, err := v.Verify(sign(t, s)); !errors.Is(err, token.ErrKeysUnavailable) {
		t.Errorf("before: %v, want ErrKeysUnavailable", err)
	}
	signer.Store(s)
	if _, err := v.Verify(sign(t, s)); err != nil {
		t.Errorf("after: %v", err)
	}
}

// All replicas of auth publish the same keys, so one that answers is enough.
func TestVerifier_Verify_with_one_replica_up(t *testing.T) {
	t.Parallel()
	var down, up atomic.Pointer[token.Signer]
	s := newSigner(t, time.Now)
	up.Store(s)
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	log := slog.New(slog.DiscardHandler)
	v, err := token.NewVerifier(t.Context(), []string{dead.URL, publish(t, &down), publish(t, &up)}, log)
	require.NoError(t, err)
	if _, err := v.Verify(sign(t, s)); err != nil {
		t.Errorf("with one of three replicas: %v", err)
	}

	for _, wrong := range [][]string{nil, {""}, {"auth:8080"}, {"ftp://auth/keys"}, {"http://auth/keys", "auth"}} {
		if _, err := token.NewVerifier(t.Context(), wrong, log); err == nil {
			t.Errorf("%q was accepted as addresses", wrong)
		}
	}
}

// The wait for a replica that hangs leaves time for the others.
func TestVerifier_Verify_with_a_replica_that_hangs(t *testing.T) {
	t.Parallel()
	var up atomic.Pointer[token.Signer]
	s := newSigner(t, time.Now)
	up.Store(s)
	finished := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-finished }))
	t.Cleanup(func() {
		close(finished)
		hanging.Close()
	})
	v, err := token.NewVerifier(t.Context(), []string{hanging.URL, publish(t, &up)}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	if _, err := v.Verify(sign(t, s)); err != nil {
		t.Errorf("beside a replica that hangs: %v", err)
	}
}
