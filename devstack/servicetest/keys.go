package servicetest

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
)

// Keys stand in for auth, which signs tokens and publishes the keys to them.
type Keys struct {
	t      *testing.T
	signer *token.Signer
	url    string
}

// StartKeys publishes the keys until the test ends.
func StartKeys(t *testing.T) *Keys {
	t.Helper()
	key, err := token.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	signer, err := token.NewSigner([]token.Key{key}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(signer.JWKS())
	}))
	t.Cleanup(server.Close)
	return &Keys{t, signer, server.URL}
}

// Config returns the URL of the keys.
func (k *Keys) Config() service.KeysConfig { return service.KeysConfig{JWKSURLs: []string{k.url}} }

// Token returns an access token of a player.
func (k *Keys) Token(of event.PlayerState) string {
	k.t.Helper()
	signed, err := k.signer.Sign(token.Claims{PlayerID: of.ID, Name: of.Name, Roles: of.Roles})
	if err != nil {
		k.t.Fatal(err)
	}
	return signed
}
