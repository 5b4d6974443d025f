package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/natstest"
	"capzone.dev/platform/pgtest"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/s3test"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
	"capzone.dev/services/players/internal/app"
	"capzone.dev/services/players/migrations"
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
	signer      *token.Signer
}

// setup starts the service as its binary runs, with servers of the test's own.
func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, NATSServer: natstest.Start(t)}
	url := pgtest.Database(t, "players", func(ctx context.Context, url string) error {
		return postgres.Migrate(ctx, url, migrations.FS)
	})
	var err error
	b.Pool, err = postgres.Open(t.Context(), url)
	must(t, err)
	t.Cleanup(b.Pool.Close)

	b.NATS, err = eventbus.Connect(b.NATSServer.URL(), "players-test", slog.New(slog.DiscardHandler))
	must(t, err)
	t.Cleanup(b.NATS.Close)
	b.JetStream, err = eventbus.JetStream(b.NATS)
	must(t, err)
	must(t, eventbus.ProvisionWhenUp(t.Context(), b.JetStream, 1))

	key, err := token.NewKey()
	must(t, err)
	b.signer, err = token.NewSigner([]token.Key{key}, time.Now)
	must(t, err)
	keys := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(b.signer.JWKS())
	}))
	t.Cleanup(keys.Close)

	storage := s3test.Start(t)
	b.cfg = app.Config{
		Config: service.Config{
			HTTPAddr: "127.0.0.1:0", OpsAddr: "127.0.0.1:0", DatabaseURL: url, NATSURL: b.NATSServer.URL(),
			LogConfig: service.LogConfig{LogLevel: slog.LevelError},
		},
		KeysConfig: service.KeysConfig{JWKSURL: keys.URL},
		StorageConfig: service.StorageConfig{
			Endpoint: storage.Endpoint, AccessKey: storage.AccessKey, SecretKey: storage.SecretKey, Bucket: s3test.Bucket(t),
		},
	}
	b.URL, b.OpsURL = b.startReplica()
	return b
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

// command runs an operator's command and returns what it said. It sets the
// environment, so that its test cannot be parallel.
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

// register logs a player in, as auth does.
func (b *bundle) register(name string) event.PlayerState {
	b.t.Helper()
	return b.registerWith(event.RegisterPlayer{Name: name, Level: 1})
}

func (b *bundle) registerWith(login event.RegisterPlayer) event.PlayerState {
	b.t.Helper()
	p, err := ask[event.PlayerState](b, event.RegisterPlayerSubject, login)
	must(b.t, err)
	return p
}

// ask is a request of a neighbour. The service may not have subscribed yet.
func ask[Resp, Req any](b *bundle, subject string, req Req) (Resp, error) {
	b.t.Helper()
	var resp Resp
	var err error
	eventually(b.t, "an answer on "+subject, func() bool {
		resp, err = eventbus.Call[Req, Resp](b.t.Context(), b.NATS, subject, req)
		return err == nil || !isUnavailable(err)
	})
	return resp, err
}

// answer is what the API answers.
type answer struct {
	Status     int
	Header     http.Header
	Raw        []byte
	Success    bool
	Code       string
	Message    string
	Errors     []map[string]string
	Data       json.RawMessage
	Pagination map[string]int64
}

// err is set where the answer is no success.
func (a answer) err() error {
	if a.Success {
		return nil
	}
	return fmt.Errorf("%d: %s", a.Status, a.Raw)
}

// player is the answer's data.
func (a answer) player(t *testing.T) wirePlayer {
	t.Helper()
	var p wirePlayer
	if err := json.Unmarshal(a.Data, &p); err != nil {
		t.Fatalf("%s: %v", a.Raw, err)
	}
	return p
}

// list is the answer's data.
func list(t *testing.T, a answer) []wirePlayer {
	t.Helper()
	var players []wirePlayer
	if err := json.Unmarshal(a.Data, &players); err != nil {
		t.Fatalf("%s: %v", a.Raw, err)
	}
	return players
}

type wirePlayer struct {
	ID           string    `json:"_id"`
	Name         string    `json:"name"`
	Level        int       `json:"level"`
	SkinImageURL *string   `json:"skinImageUrl"`
	SkinColor    *string   `json:"skinColor"`
	Roles        []string  `json:"roles"`
	CreatedAt    time.Time `json:"createdAt"`
	UpdatedAt    time.Time `json:"updatedAt"`
	Registered   bool      `json:"registered"`
	MapCount     int64     `json:"mapCount"`
	RecordCount  int64     `json:"recordCount"`
	Trophies     []any     `json:"trophies"`
}

func (b *bundle) get(path string, header ...string) answer {
	b.t.Helper()
	return b.do(http.MethodGet, path, nil, header...)
}

func (b *bundle) getFrom(server, path string) answer {
	b.t.Helper()
	return b.doAt(server, http.MethodGet, path, nil)
}

// put sends a form in the name of a player.
func (b *bundle) put(by event.PlayerState, id string, fields ...field) answer {
	b.t.Helper()
	body, contentType := form(b.t, fields)
	return b.do(http.MethodPut, "/api/v1/players/"+id, body, "Content-Type", contentType, "Authorization", "Bearer "+b.token(by))
}

func (b *bundle) token(of event.PlayerState) string {
	b.t.Helper()
	signed, err := b.signer.Sign(token.Claims{PlayerID: of.ID, Name: of.Name, Roles: of.Roles})
	must(b.t, err)
	return signed
}

func (b *bundle) do(method, path string, body io.Reader, header ...string) answer {
	b.t.Helper()
	return b.doAt(b.URL, method, path, body, header...)
}

func (b *bundle) doAt(server, method, path string, body io.Reader, header ...string) answer {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, server+path, body)
	must(b.t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	must(b.t, err)
	defer resp.Body.Close()
	a := answer{Status: resp.StatusCode, Header: resp.Header}
	a.Raw, err = io.ReadAll(resp.Body)
	must(b.t, err)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(a.Raw, &a); err != nil {
			b.t.Fatalf("%s: %v", a.Raw, err)
		}
	}
	return a
}

// field is a part of a form; a file has a name.
type field struct {
	name, file string
	data       []byte
}

func text(name, value string) field { return field{name: name, data: []byte(value)} }

func file(name string, data []byte) field { return field{name: name, file: "image.png", data: data} }

func form(t *testing.T, fields []field) (body io.Reader, contentType string) {
	t.Helper()
	var buffer bytes.Buffer
	writer := multipart.NewWriter(&buffer)
	for _, f := range fields {
		var part io.Writer
		var err error
		if f.file != "" {
			part, err = writer.CreateFormFile(f.name, f.file)
		} else {
			part, err = writer.CreateFormField(f.name)
		}
		must(t, err)
		_, err = part.Write(f.data)
		must(t, err)
	}
	must(t, writer.Close())
	return &buffer, writer.FormDataContentType()
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
