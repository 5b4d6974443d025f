package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/natstest"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/pgtest"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/s3test"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
	"capzone.dev/services/maps/internal/app"
	"capzone.dev/services/maps/internal/maptest"
	"capzone.dev/services/maps/migrations"
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
	Files       *objectstore.Store
	// Players stands in for the players service.
	Players *neighbour
	signer  *token.Signer
}

// setup starts the service as its binary runs, with servers of the test's own.
func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, NATSServer: natstest.Start(t)}
	url := pgtest.Database(t, "maps", func(ctx context.Context, url string) error {
		return postgres.Migrate(ctx, url, migrations.FS)
	})
	var err error
	b.Pool, err = postgres.Open(t.Context(), url)
	must(t, err)
	t.Cleanup(b.Pool.Close)

	b.NATS, err = eventbus.Connect(b.NATSServer.URL(), "maps-test", slog.New(slog.DiscardHandler))
	must(t, err)
	t.Cleanup(b.NATS.Close)
	b.JetStream, err = eventbus.JetStream(b.NATS)
	must(t, err)
	must(t, eventbus.ProvisionWhenUp(t.Context(), b.JetStream, 1))
	b.Players = newNeighbour(t, b.NATS)

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
	b.Files, err = objectstore.Open(t.Context(), b.cfg.For(app.Name))
	must(t, err)
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

// operator runs a command that succeeds.
func (b *bundle) operator(name string, args ...string) string {
	b.t.Helper()
	out, err := b.command(name, args...)
	must(b.t, err)
	return out
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

// wireMap is a map as the API tells it.
type wireMap struct {
	ID           string `json:"_id"`
	Name         string
	ImageURL     string
	ThumbnailURL string
	GameMode     string
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Author       wirePlayer
	SubmittedBy  wirePlayer
	Tags         []string
	RecordCount  int64
	MedalTimes   map[string]*int64
	Description  string
	Contributors []string
}

type wirePlayer struct {
	ID           string `json:"_id"`
	Name         string
	SkinImageURL *string
	SkinColor    *string
}

func dataOf[T any](t *testing.T, a answer) T {
	t.Helper()
	var data T
	if err := json.Unmarshal(a.Data, &data); err != nil {
		t.Fatalf("%d %s: %v", a.Status, a.Raw, err)
	}
	return data
}

func (b *bundle) get(path string, header ...string) answer {
	b.t.Helper()
	return b.do(http.MethodGet, path, nil, header...)
}

func (b *bundle) token(of event.PlayerState) string {
	b.t.Helper()
	signed, err := b.signer.Sign(token.Claims{PlayerID: of.ID, Name: of.Name, Roles: of.Roles})
	must(b.t, err)
	return signed
}

func (b *bundle) do(method, path string, body io.Reader, header ...string) answer {
	b.t.Helper()
	a, err := b.try(method, b.URL+path, body, header...)
	must(b.t, err)
	return a
}

// try is do for any replica and for any goroutine.
func (b *bundle) try(method, url string, body io.Reader, header ...string) (answer, error) {
	req, err := http.NewRequestWithContext(b.t.Context(), method, url, body)
	if err != nil {
		return answer{}, err
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	a := answer{Status: resp.StatusCode, Header: resp.Header}
	if a.Raw, err = io.ReadAll(resp.Body); err != nil {
		return a, err
	}
	if resp.Header.Get("Content-Type") != "image/webp" && len(a.Raw) > 0 {
		err = json.Unmarshal(a.Raw, &a)
	}
	return a, err
}

// submission is a form that would be accepted.
type submission struct {
	by       event.PlayerState
	replay   []byte
	image    []byte
	metadata string
}

// submissionOf is by's own run on a map of the author's.
func (b *bundle) submissionOf(by event.PlayerState, id int, name, author string, alter ...func(*bonkmap.Map, *lbreplay.Replay)) submission {
	b.t.Helper()
	drawing := maptest.Drawing(id, name, author)
	run := maptest.Run(drawing, by.Name)
	for _, a := range alter {
		a(drawing, run)
	}
	return submission{by: by, replay: maptest.File(b.t, run), image: picture(b.t, 64, 36)}
}

// submit sends a submission.
func (b *bundle) submit(s submission) answer {
	b.t.Helper()
	body, contentType := s.form(b.t)
	return b.do(http.MethodPost, "/api/v1/maps/submit", body, "Content-Type", contentType, "Authorization", "Bearer "+b.token(s.by))
}

// submitted sends a submission that is accepted.
func (b *bundle) submitted(s submission) wireMap {
	b.t.Helper()
	a := b.submit(s)
	if a.Status != http.StatusCreated || !a.Success {
		b.t.Fatalf("got %d %s", a.Status, a.Raw)
	}
	return dataOf[wireMap](b.t, a)
}

func (s submission) form(t *testing.T) (body *bytes.Buffer, contentType string) {
	t.Helper()
	body = &bytes.Buffer{}
	writer := multipart.NewWriter(body)
	for _, file := range []struct {
		field, name string
		data        []byte
	}{{"replayFile", "run.lbReplay", s.replay}, {"mapImage", "map.png", s.image}} {
		if file.data == nil {
			continue
		}
		part, err := writer.CreateFormFile(file.field, file.name)
		must(t, err)
		_, err = part.Write(file.data)
		must(t, err)
	}
	if s.metadata != "" {
		must(t, writer.WriteField("metadata", s.metadata))
	}
	must(t, writer.Close())
	return body, writer.FormDataContentType()
}

// picture draws a PNG.
func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		img.Set(x, x%height, color.RGBA{uint8(x), 99, 200, 255})
	}
	var buffer bytes.Buffer
	must(t, png.Encode(&buffer, img))
	return buffer.Bytes()
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
