package bonkio_test

import (
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/devstack/gametest"
)

func TestClient_Login(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	session, err := client.Login(t.Context(), capzonebot)
	if err != nil || session.Token == "" || session.ID < 1000 {
		t.Fatalf("%+v %v", session, err)
	}
	if logins := game.State().Logins; logins != 1 {
		t.Errorf("%d logins", logins)
	}
}

func TestClient_Login_refused(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	cases := []struct {
		name    string
		account bonkio.Credentials
		fails   string
		want    string
	}{
		{"wrong password", bonkio.Credentials{Name: "capzonebot", Password: "wrong"}, "", "password"},
		{"unknown name", bonkio.Credentials{Name: "mossfoot", Password: "wrong"}, "", "username_fail"},
		{"too many logins", capzonebot, "ratelimited", "ratelimited"},
		{"reason that is not printable", capzonebot, "<script>\n", "unknown"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			game.Set(gametest.Settings{LoginFails: &c.fails})
			_, err := client.Login(t.Context(), c.account)
			var refused bonkio.LoginRefusedError
			if !errors.As(err, &refused) || refused.Reason != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestClient_Login_invalid_answer(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		status int
		body   string
	}{
		{"status 503", 503, `{"r":"success","token":"very-secret","id":1}`},
		{"redirection", 307, ""},
		{"HTML", 200, "<html>very-secret</html>"},
		{"empty", 200, ""},
		{"list", 200, `["very-secret"]`},
		{"neither success nor fail", 200, `{"r":"maybe","token":"very-secret","id":1}`},
		{"no token", 200, `{"r":"success","id":1}`},
		{"number as token", 200, `{"r":"success","token":17,"id":1}`},
		{"no id", 200, `{"r":"success","token":"very-secret"}`},
		{"fraction as id", 200, `{"r":"success","token":"very-secret","id":1.5}`},
		{"more than 4 MiB", 200, `{"r":"success","token":"very-secret","id":1,"friends":"` + strings.Repeat("x",
			5<<20) + `"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			requests := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				requests++
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			}))
			defer server.Close()
			session, err := bonkio.NewClient(bonkio.Config{LoginURL: server.URL}).Login(t.Context(), capzonebot)
			if err == nil {
				t.Fatalf("logged in: %v", session)
			}
			for _, secret := range []string{"very-secret", string(capzonebot.Password)} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("the error contains %s: %v", secret, err)
				}
			}
			if requests != 1 {
				t.Errorf("%d requests", requests)
			}
		})
	}
}

func TestClient_verifies_certificates(t *testing.T) {
	t.Parallel()
	certificates := newCertificates(t)
	game := gametest.Start(t, gametest.Options{TLS: &certificates.server})
	game.Account(capzonebot.Name, string(capzonebot.Password))
	cfg := config(game)

	var unknown x509.UnknownAuthorityError
	refuses := func(t *testing.T, client *bonkio.Client) {
		t.Helper()
		_, err := client.Login(t.Context(), capzonebot)
		if !errors.As(err, &unknown) || !strings.Contains(err.Error(), "docs/bot.md") {
			t.Errorf("login: %v", err)
		}
		if _, err := client.CreateRoom(t.Context(), serverOf(game), bonkio.Session{Token: "t"}, spec); !errors.As(err,
			&unknown) {
			t.Errorf("room: %v", err)
		}
	}
	t.Run("unknown authority", func(t *testing.T) { refuses(t, bonkio.NewClient(cfg)) })
	t.Run("intermediate without its root", func(t *testing.T) {
		cfg := cfg
		cfg.Intermediates = []*x509.Certificate{certificates.intermediate}
		refuses(t, bonkio.NewClient(cfg))
	})
	t.Run("missing intermediate", func(t *testing.T) {
		cfg := cfg
		cfg.Roots = certificates.roots
		refuses(t, bonkio.NewClient(cfg))
	})
	cfg.Roots, cfg.Intermediates = certificates.roots, []*x509.Certificate{certificates.intermediate}
	t.Run("root and intermediate", func(t *testing.T) {
		created, events := room(t, game, bonkio.NewClient(cfg))
		game.Enter(created.Link(), gametest.Visitor{Name: "cloudstep", Level: 57})
		awaitEvent(t, events, "1 joined")
	})
	t.Run("certificate for another name", func(t *testing.T) {
		cfg := cfg
		cfg.LoginURL = strings.Replace(cfg.LoginURL, "127.0.0.1", "localhost", 1)
		var wrongName x509.HostnameError
		if _, err := bonkio.NewClient(cfg).Login(t.Context(), capzonebot); !errors.As(err, &wrongName) {
			t.Errorf("got %v", err)
		}
	})
}

// Port 1 is closed, and the error names the network of the connection.
func TestClient_connects_by_IPv4(t *testing.T) {
	t.Parallel()
	for _, protocol := range []struct{ http, ws string }{{"http", "ws"}, {"https", "wss"}} {
		for network, ipv4 := range map[string]bool{"tcp": false, "tcp4": true} {
			t.Run(protocol.http+" by "+network, func(t *testing.T) {
				t.Parallel()
				client := bonkio.NewClient(bonkio.Config{
					LoginURL: protocol.http + "://127.0.0.1:1/", SocketURL: protocol.ws + "://127.0.0.1:{server}/",
					IPv4: ipv4,
				})
				_, loginErr := client.Login(t.Context(), capzonebot)
				_, roomErr := client.CreateRoom(t.Context(), bonkio.Server{Name: "1"}, bonkio.Session{Token: "t"}, spec)
				for what, err := range map[string]error{"login": loginErr, "room": roomErr} {
					var failed *net.OpError
					if !errors.As(err, &failed) || failed.Op != "dial" || failed.Net != network {
						t.Errorf("%s: %v, want a failure to dial by %s", what, err, network)
					}
				}
			})
		}
	}
}

func TestClient_Login_token(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	payload := base64.RawURLEncoding.EncodeToString([]byte(`{"exp":1793000000,"uip":"192.0.2.7"}`))
	for name, c := range map[string]struct {
		token   string
		expires time.Time
		address string
	}{
		"JWT":             {"e30." + payload + ".c2ln", time.Unix(1793000000, 0), "192.0.2.7"},
		"JWT without exp": {"e30.e30.c2ln", time.Time{}, ""},
		"no JWT":          {"abcdef", time.Time{}, ""},
		"broken JWT":      {"e30.?.c2ln", time.Time{}, ""},
	} {
		game.Set(gametest.Settings{LoginToken: &c.token})
		session, err := client.Login(t.Context(), capzonebot)
		if err != nil || !session.Expires.Equal(c.expires) || session.Address != c.address {
			t.Errorf("%s: %s %s %v", name, session.Expires, session.Address, err)
		}
	}
}

func TestClient_FindServer(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	for name, c := range map[string]struct {
		server string
		err    bool
	}{
		"server":              {"b2frankfurt1", false},
		"none":                {"", true},
		"part of an address":  {"evil.test/", true},
		"name with a newline": {"b2\nny1", true},
	} {
		game.Set(gametest.Settings{CreateServer: &c.server})
		got, err := client.FindServer(t.Context())
		if (err != nil) != c.err {
			t.Errorf("%s: %v", name, err)
		}
		want := bonkio.Server{Name: c.server, Location: bonkio.Location{Latitude: 52.5, Longitude: 13.4, Country: "DE"}}
		if err == nil && got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestSecret_is_not_printed(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"%s", "%v", "%+v", "%#v", "%q", "%x", "%d"} {
		printed := fmt.Sprintf(verb, capzonebot) + fmt.Sprintf(verb, bonkio.Session{Token: "correct horse"})
		if strings.Contains(printed, "correct horse") || strings.Contains(printed, "636f7272656374") {
			t.Errorf("%s prints %s", verb, printed)
		}
	}
}
