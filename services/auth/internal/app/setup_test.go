package app_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"log/slog"
	"net"
	"os"
	"path/filepath"
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
