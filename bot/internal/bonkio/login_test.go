package bonkio_test

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"capzone.dev/bot/gametest"
	"capzone.dev/bot/internal/bonkio"
)

func TestLogin(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	session, err := client.Login(t.Context(), capzonebot)
	if err != nil || session.Token == "" || session.ID < 1000 {
		t.Fatalf("%+v %v", session, err)
	}
	if logins := game.State().Logins; logins != 1 {
		t.Errorf("%d logins", logins)
	}
}

func TestTheGameRefusesALogin(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	cases := []struct {
		name    string
		account bonkio.Credentials
		fails   string
		want    string
	}{
		{"a wrong password", bonkio.Credentials{Name: "capzonebot", Password: "wrong"}, "", "password"},
		{"an unknown name", bonkio.Credentials{Name: "nobody", Password: "wrong"}, "", "username_fail"},
		{"too many logins", capzonebot, "ratelimited", "ratelimited"},
		{"a reason that is none", capzonebot, "<script>\n", "unknown"},
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

func TestAnswersToALoginThatCannotBe(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		status int
		body   string
	}{
		{"an error", 503, `{"r":"success","token":"very-secret","id":1}`},
		{"a redirection", 307, ""},
		{"a page", 200, "<html>very-secret</html>"},
		{"nothing", 200, ""},
		{"a list", 200, `["very-secret"]`},
		{"neither success nor fail", 200, `{"r":"maybe","token":"very-secret","id":1}`},
		{"no token", 200, `{"r":"success","id":1}`},
		{"a number for a token", 200, `{"r":"success","token":17,"id":1}`},
		{"no id", 200, `{"r":"success","token":"very-secret"}`},
		{"a fraction for an id", 200, `{"r":"success","token":"very-secret","id":1.5}`},
		{"more than an answer", 200, `{"r":"success","token":"very-secret","id":1,"friends":"` + strings.Repeat("x", 5<<20) + `"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked++
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
					t.Errorf("the error holds %s: %v", secret, err)
				}
			}
			if asked != 1 {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}

func TestCertificatesAreChecked(t *testing.T) {
	t.Parallel()
	certFile, keyFile := gametest.Certificate(t)
	game := gametest.Start(t, gametest.Options{CertFile: certFile, KeyFile: keyFile})
	game.Account(capzonebot.Name, string(capzonebot.Password))

	cfg := config(game)
	stranger := bonkio.NewClient(cfg)
	var unknown x509.UnknownAuthorityError
	if _, err := stranger.Login(t.Context(), capzonebot); !errors.As(err, &unknown) {
		t.Errorf("login at a server that nobody vouches for: %v", err)
	}
	if _, err := stranger.CreateRoom(t.Context(), game.ServerName(), bonkio.Session{Token: "t"}, spec); !errors.As(err, &unknown) {
		t.Errorf("connection to a server that nobody vouches for: %v", err)
	}

	text, err := os.ReadFile(certFile)
	if err != nil {
		t.Fatal(err)
	}
	cfg.RootCAs = x509.NewCertPool()
	cfg.RootCAs.AppendCertsFromPEM(text)
	created, told := room(t, game, bonkio.NewClient(cfg))
	game.Enter(created.Link(), gametest.Visitor{Name: "cloudstep", Level: 57})
	awaitTold(t, told, "1 joined")
}

func TestSecretsAreNotPrinted(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"%s", "%v", "%+v", "%#v", "%q", "%x", "%d"} {
		printed := fmt.Sprintf(verb, capzonebot) + fmt.Sprintf(verb, bonkio.Session{Token: "correct horse"})
		if strings.Contains(printed, "correct horse") || strings.Contains(printed, "636f7272656374") {
			t.Errorf("%s prints %s", verb, printed)
		}
	}
}
