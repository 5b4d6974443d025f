package app_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/natstest"
	"capzone.dev/platform/pgtest"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/redistest"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
	"capzone.dev/services/auth/internal/app"
	"capzone.dev/services/auth/migrations"
)

// bundle is the service with everything around it.
type bundle struct {
	t   *testing.T
	cfg app.Config
	// URL is where the first replica's API listens, OpsURL its operations port.
	URL, OpsURL string
	Pool        *pgxpool.Pool
	NATSServer  *natstest.Server
	NATS        *nats.Conn
	JetStream   jetstream.JetStream
	keys        []token.Key
	players     *players

	mu  sync.Mutex
	now time.Time // moved by pass; zero is the machine's
}

// setup starts the service as its binary runs, with servers of the test's own,
// and a players service, but no bot.
func setup(t *testing.T, configure ...func(*app.Config)) *bundle {
	t.Helper()
	b := &bundle{t: t, NATSServer: natstest.Start(t)}
	databaseURL := pgtest.Database(t, "auth", func(ctx context.Context, url string) error {
		return postgres.Migrate(ctx, url, migrations.FS)
	})
	var err error
	b.Pool, err = postgres.Open(t.Context(), databaseURL)
	must(t, err)
	t.Cleanup(b.Pool.Close)

	b.NATS, err = eventbus.Connect(b.NATSServer.URL(), "auth-test", slog.New(slog.DiscardHandler))
	must(t, err)
	t.Cleanup(b.NATS.Close)
	b.JetStream, err = eventbus.JetStream(b.NATS)
	must(t, err)
	must(t, eventbus.ProvisionWhenUp(t.Context(), b.JetStream, 1))
	b.players = b.startPlayers()

	b.cfg = app.Config{
		Config: service.Config{
			HTTPAddr: "127.0.0.1:0", OpsAddr: "127.0.0.1:0", DatabaseURL: databaseURL, NATSURL: b.NATSServer.URL(),
			LogConfig: service.LogConfig{LogLevel: slog.LevelError},
		},
		RedisConfig:   service.RedisConfig{RedisURL: redistest.Start(t)},
		SecretsConfig: b.writeSecrets(),
		RoomsPerHour:  1000,
		Now:           b.clock,
	}
	must(t, b.cfg.PublicURL.UnmarshalText([]byte("http://localhost:8080")))
	for _, configure := range configure {
		configure(&b.cfg)
	}
	b.URL, b.OpsURL = b.startReplica()
	return b
}

func (b *bundle) writeSecrets() app.SecretsConfig {
	b.t.Helper()
	dir := b.t.TempDir()
	cfg := app.SecretsConfig{TokenKeysFile: filepath.Join(dir, "keys.pem"), CodeSecretFile: filepath.Join(dir, "code")}
	var file []byte
	for range 2 {
		key, err := token.NewKey()
		must(b.t, err)
		text, err := key.PEM()
		must(b.t, err)
		file = append(file, text...)
		b.keys = append(b.keys, key)
	}
	must(b.t, os.WriteFile(cfg.TokenKeysFile, file, 0o600))
	must(b.t, os.WriteFile(cfg.CodeSecretFile, []byte(hex.EncodeToString(make([]byte, 32))+"\n"), 0o600))
	return cfg
}

func (b *bundle) clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.now.IsZero() {
		return time.Now()
	}
	return b.now
}

// pass moves the service's clock, which stands still from then on.
func (b *bundle) pass(d time.Duration) {
	now := b.clock()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = now.Add(d)
}

// startReplica runs the service until the test ends and returns where it listens.
func (b *bundle) startReplica() (apiURL, opsURL string) {
	b.t.Helper()
	cfg := b.cfg
	listening := make(chan [2]string, 1)
	cfg.OnListen = func(api, ops net.Addr) {
		listening <- [2]string{"http://" + api.String(), "http://" + ops.String()}
	}
	ctx, stop := context.WithCancel(b.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- app.Run(ctx, cfg) }()
	b.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			b.t.Errorf("the service ended with: %v", err)
		}
	})
	select {
	case urls := <-listening:
		return urls[0], urls[1]
	case err := <-ended:
		ended <- nil
		b.t.Fatalf("the service did not start: %v", err)
		return "", ""
	}
}

// browser keeps cookies, as a browser does.
type browser struct {
	b   *bundle
	url string
	jar *cookiejar.Jar
}

func (b *bundle) browser() *browser { return b.browserAt(b.URL) }

func (b *bundle) browserAt(url string) *browser {
	b.t.Helper()
	jar, err := cookiejar.New(nil)
	must(b.t, err)
	return &browser{b: b, url: url, jar: jar}
}

// answer is what the API answers.
type answer struct {
	HTTPStatus int         `json:"-"`
	Header     http.Header `json:"-"`
	Raw        string      `json:"-"`

	Success     bool
	Code        string
	Message     string
	Data        map[string]any
	RoomLink    string
	SessionID   string
	ExpiresIn   int
	Status      struct{ Status, Message string }
	AccessToken string
	Player      *wirePlayer
	User        *wirePlayer
}

type wirePlayer struct {
	ID           string   `json:"_id"`
	Name         string   `json:"name"`
	Level        int      `json:"level"`
	SkinImageURL *string  `json:"skinImageUrl"`
	SkinColor    *string  `json:"skinColor"`
	Roles        []string `json:"roles"`
}

func (w *browser) do(method, path, body string, header ...string) answer {
	w.b.t.Helper()
	req, err := http.NewRequestWithContext(w.b.t.Context(), method, w.url+path, strings.NewReader(body))
	must(w.b.t, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := (&http.Client{Jar: w.jar, Timeout: 20 * time.Second}).Do(req)
	must(w.b.t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	must(w.b.t, err)
	a := answer{HTTPStatus: resp.StatusCode, Header: resp.Header, Raw: string(raw)}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(raw, &a); err != nil {
			w.b.t.Errorf("%s: %v", raw, err)
		}
	}
	if strings.HasPrefix(path, "/api/v1/auth/") && resp.Header.Get("Cache-Control") != "no-store" {
		w.b.t.Errorf("%s may be stored: %q", path, resp.Header.Get("Cache-Control"))
	}
	return a
}

func (w *browser) requestRoom() answer {
	w.b.t.Helper()
	return w.do(http.MethodGet, "/api/v1/auth/request-room-link", "")
}

func (w *browser) status(session string) answer {
	w.b.t.Helper()
	return w.do(http.MethodGet, "/api/v1/auth/status?sessionId="+url.QueryEscape(session), "")
}

func (w *browser) verify(session, code string) answer {
	w.b.t.Helper()
	body, err := json.Marshal(map[string]string{"sessionId": session, "code": code})
	must(w.b.t, err)
	return w.do(http.MethodPost, "/api/v1/auth/verify-code", string(body))
}

func (w *browser) refresh() answer {
	w.b.t.Helper()
	return w.do(http.MethodGet, "/api/v1/auth/refresh-token", "")
}

func (w *browser) logout(header ...string) answer {
	w.b.t.Helper()
	return w.do(http.MethodPost, "/api/v1/auth/logout", "", header...)
}

// cookies are those that the browser would send to auth.
func (w *browser) cookies() map[string]string {
	w.b.t.Helper()
	at, err := url.Parse(w.url + "/api/v1/auth/x")
	must(w.b.t, err)
	found := map[string]string{}
	for _, c := range w.jar.Cookies(at) {
		found[c.Name] = c.Value
	}
	return found
}

// copyOf is another browser with the same cookies.
func (w *browser) copyOf() *browser {
	w.b.t.Helper()
	other := w.b.browserAt(w.url)
	at, err := url.Parse(w.url + "/api/v1/auth/x")
	must(w.b.t, err)
	other.jar.SetCookies(at, w.jar.Cookies(at))
	return other
}

// expect fails the test unless an answer has the status and the code ("" for success).
func expect(t *testing.T, a answer, status int, code string) {
	t.Helper()
	if a.HTTPStatus != status || a.Code != code || a.Success != (code == "") {
		t.Errorf("answered %d %s, want %d %s", a.HTTPStatus, a.Raw, status, code)
	}
}

// begin asks for a room and returns it.
func (w *browser) begin(o *bot) (answer, *room) {
	w.b.t.Helper()
	a := w.requestRoom()
	expect(w.b.t, a, http.StatusOK, "")
	return a, <-o.opened
}

// login goes the whole way.
func (w *browser) login(o *bot, name string) answer {
	w.b.t.Helper()
	asked, room := w.begin(o)
	room.join(name, false)
	a := w.verify(asked.SessionID, room.code(w.b.t))
	expect(w.b.t, a, http.StatusOK, "")
	return a
}

// awaitStatus waits until the session is in the state.
func (w *browser) awaitStatus(session, state string) answer {
	w.b.t.Helper()
	var a answer
	eventually(w.b.t, "the status "+state, func() bool {
		a = w.status(session)
		return a.Status.Status == state
	})
	return a
}

// command runs an operator's command and returns what it said.
func (b *bundle) command(name string, args ...string) (string, error) {
	b.t.Helper()
	b.t.Setenv("DATABASE_URL", b.cfg.DatabaseURL)
	b.t.Setenv("NATS_URL", b.cfg.NATSURL)
	var out bytes.Buffer
	for _, c := range app.Commands(&out) {
		if c.Name == name {
			err := c.Run(b.t.Context(), args)
			return out.String(), err
		}
	}
	b.t.Fatalf("there is no command %s", name)
	return "", nil
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
