package e2e_test

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/platform/token"
)

// withToken sends what needs a token: a change of nothing, which goes no further than the token when that is bad.
func withToken(t *testing.T, authorization string) []site.Answer {
	t.Helper()
	var answers []site.Answer
	for _, r := range []site.Request{
		{Method: http.MethodPost, Path: "/maps/submit"},
		{Method: http.MethodPost, Path: "/records/submit"},
		{Method: http.MethodPut, Path: "/players/01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55"},
	} {
		var f site.Form
		f.Field("nothing", "here")
		r.Body = f.Request(r.Method, r.Path).Body
		r.Header = f.Request(r.Method, r.Path).Header
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		answers = append(answers, send(t, newVisitor(), r))
	}
	return answers
}

func TestToken_invalid(t *testing.T) {
	t.Parallel()
	good := newPlayer(t)
	head, rest, _ := strings.Cut(good.Token, ".")
	payload, signature, _ := strings.Cut(rest, ".")
	kid := keyID(t, head)
	cases := []struct {
		name, authorization, code string
	}{
		{"none at all", "", "token_missing"},
		{"an empty one", "Bearer ", "token_missing"},
		{"nonsense", "Bearer nonsense", "token_invalid"},
		{"one of another scheme", "Basic " + good.Token, "token_missing"},
		{"one without a signature", "Bearer " + head + "." + payload + ".", "token_invalid"},
		{"one with another's payload", "Bearer " + head + "." + encode(t, claims(good.Player.ID, "admin")) + "." + signature,
			"token_invalid"},
		{"one that says it needs no signature",
			"Bearer " + encode(t, jwtHeader{Algorithm: "none", Type: "JWT"}) + "." + encode(t,
				claims(good.Player.ID, "admin")) + ".", "token_invalid"},
		{"one that says it needs no signature, and names the key",
			"Bearer " + encode(t, jwtHeader{Algorithm: "none", Type: "JWT", KeyID: kid}) + "." + encode(t,
				claims(good.Player.ID, "admin")) + ".", "token_invalid"},
		{"one signed with the public key as a secret", "Bearer " + confused(t, kid, good.Player.ID), "token_invalid"},
		{"one signed with a key of one's own", "Bearer " + forged(t, kid, good.Player.ID), "token_invalid"},
		{"one of an unknown key", "Bearer " + forged(t, "unknown", good.Player.ID), "token_invalid"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, answer := range withToken(t, c.authorization) {
				refusal(t, answer, http.StatusUnauthorized, c.code)
			}
		})
	}
	t.Run("a good one counts", func(t *testing.T) {
		for _, answer := range withToken(t, "Bearer "+good.Token) {
			if answer.Status == http.StatusUnauthorized {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
		}
	})
}

func TestToken_expired(t *testing.T) {
	t.Parallel()
	needOperator(t)
	v := newPlayer(t)
	v.Token = minted(t, v.Player, time.Now().Add(-token.Lifetime-time.Minute))
	for _, answer := range withToken(t, "Bearer "+v.Token) {
		refusal(t, answer, http.StatusUnauthorized, "token_expired")
	}
	t.Run("never breaks browsing", func(t *testing.T) {
		if _, err := v.SearchMaps(t.Context(), api.SearchMapsParams{}); err != nil {
			t.Error(err)
		}
		if _, err := v.PlayerByID(t.Context(), v.Player.ID); err != nil {
			t.Error(err)
		}
	})
	t.Run("is exchanged by a refresh", func(t *testing.T) {
		if err := v.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := v.SubmitMap(t.Context(), submission(t, newMap(v.Player.Name), v.Player.Name)); err != nil {
			t.Error(err)
		}
	})
}

// minted is a token of the site itself, signed at some time with its own key.
func minted(t *testing.T, p *api.LoggedInPlayer, at time.Time) string {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(local.DataDir, "token-keys.pem"))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := token.ParseKeys(file)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := token.NewSigner(keys, func() time.Time { return at })
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign(token.Claims{PlayerID: p.ID, Name: p.Name})
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// jwtHeader is the first part of a token.
type jwtHeader struct {
	Algorithm string `json:"alg"`
	Type      string `json:"typ"`
	KeyID     string `json:"kid,omitempty"`
}

func claims(player string, roles ...string) map[string]any {
	now := time.Now()
	return map[string]any{
		"iss": token.Issuer, "sub": player, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(), "name": "mallory",
		"roles": roles,
	}
}

// forged is signed properly, with a key that is not the site's.
func forged(t *testing.T, kid, player string) string {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signed := encode(t, jwtHeader{"EdDSA", "JWT", kid}) + "." + encode(t, claims(player, "admin"))
	return signed + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(private, []byte(signed)))
}

// confused is signed by HMAC, with the site's public key for a secret: a verifier that lets the token choose the
// algorithm would take it.
func confused(t *testing.T, kid, player string) string {
	t.Helper()
	secret := []byte("the public key")
	if len(local.Processes) > 0 {
		secret = publicKey(t)
	}
	signed := encode(t, jwtHeader{"HS256", "JWT", kid}) + "." + encode(t, claims(player, "admin"))
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(signed))
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// publicKey is the site's, as auth publishes it.
func publicKey(t *testing.T) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(local.DataDir, "token-keys.pem"))
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(file)
	if block == nil {
		t.Fatal("the key file has no key")
	}
	// The last 32 bytes of an Ed25519 key in PKCS #8 are its seed.
	return ed25519.NewKeyFromSeed(block.Bytes[len(block.Bytes)-ed25519.SeedSize:]).Public().(ed25519.PublicKey)
}

func keyID(t *testing.T, head string) string {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil {
		t.Fatal(err)
	}
	var h jwtHeader
	if err := json.Unmarshal(text, &h); err != nil {
		t.Fatal(err)
	}
	if h.Algorithm != "EdDSA" || h.KeyID == "" {
		t.Errorf("the token's header is %s", text)
	}
	return h.KeyID
}

func encode(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(text)
}
