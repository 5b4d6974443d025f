package app_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/natstest"
	"capzone.dev/platform/pgtest"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/s3test"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
	"capzone.dev/services/records/internal/app"
	"capzone.dev/services/records/migrations"
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
	neighbours  *neighbours
}

// setup starts the service as its binary runs, with servers of the test's own
// and neighbours who answer.
func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, NATSServer: natstest.Start(t)}
	url := pgtest.Database(t, "records", func(ctx context.Context, url string) error {
		return postgres.Migrate(ctx, url, migrations.FS)
	})
	var err error
	b.Pool, err = postgres.Open(t.Context(), url)
	must(t, err)
	t.Cleanup(b.Pool.Close)

	b.NATS, err = eventbus.Connect(b.NATSServer.URL(), "records-test", slog.New(slog.DiscardHandler))
	must(t, err)
	t.Cleanup(b.NATS.Close)
	b.JetStream, err = eventbus.JetStream(b.NATS)
	must(t, err)
	must(t, eventbus.ProvisionWhenUp(t.Context(), b.JetStream, 1))
	b.neighbours = startNeighbours(t, b.NATS)

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
			LogConfig: service.LogConfig{LogLevel: slog.LevelError + 1},
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

// command runs an operator's command and returns what it said.
func (b *bundle) command(name string, args ...string) (string, error) {
	b.t.Helper()
	b.t.Setenv("DATABASE_URL", b.cfg.DatabaseURL)
	b.t.Setenv("NATS_URL", b.cfg.NATSURL)
	return b.commandAsIs(name, args...)
}

// commandAsIs is command in the environment as it is.
func (b *bundle) commandAsIs(name string, args ...string) (string, error) {
	b.t.Helper()
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

// count counts rows.
func (b *bundle) count(sql string, args ...any) (n int) {
	b.t.Helper()
	must(b.t, b.Pool.QueryRow(b.t.Context(), sql, args...).Scan(&n))
	return n
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
