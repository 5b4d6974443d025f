package app_test

import (
	"context"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"capzone.dev/devstack/redistest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
	"capzone.dev/services/auth/internal/app"
	"capzone.dev/services/auth/migrations"
)

// bundle is the service with everything around it.
type bundle struct {
	*servicetest.Servers
	t   *testing.T
	cfg app.Config
	// URL is where the first replica's API listens, OpsURL its operations port.
	URL, OpsURL string
	keys        []token.Key
	players     *players

	mu  sync.Mutex
	now time.Time // moved by pass; zero is the machine's
}

// setup starts the service as its binary runs, with servers of the test's own, and a players
// service, but no bot.
func setup(t *testing.T, configure ...func(*app.Config)) *bundle {
	t.Helper()
	b := &bundle{t: t, Servers: servicetest.Start(t, app.Name, migrations.FS)}
	b.players = b.startPlayers()
	b.cfg = app.Config{
		Config:        b.Config(),
		RedisConfig:   service.RedisConfig{RedisURL: redistest.Start(t)},
		SecretsConfig: b.writeSecrets(),
		RoomsPerHour:  1000, RoomsPerAddress: 1000,
	}
	require.NoError(t, b.cfg.PublicURL.UnmarshalText([]byte("http://localhost:8080")))
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
		require.NoError(b.t, err)
		text, err := key.PEM()
		require.NoError(b.t, err)
		file = append(file, text...)
		b.keys = append(b.keys, key)
	}
	require.NoError(b.t, os.WriteFile(cfg.TokenKeysFile, file, 0o600))
	require.NoError(b.t, os.WriteFile(cfg.CodeSecretFile, []byte(hex.EncodeToString(make([]byte, 32))+"\n"), 0o600))
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
	return servicetest.Run(b.t, &cfg.Config, func(ctx context.Context) error { return app.RunAt(ctx, cfg, b.clock) })
}

// command runs an operator's command and returns what it printed.
func (b *bundle) command(name string, args ...string) (string, error) {
	b.t.Helper()
	return b.Command(app.Commands, name, args...)
}
