package app_test

import (
	"context"
	"log/slog"
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/service"
	"capzone.dev/services/records/internal/app"
	"capzone.dev/services/records/migrations"
)

// bundle is the service with everything around it.
type bundle struct {
	*servicetest.Servers
	t    *testing.T
	keys *servicetest.Keys
	cfg  app.Config
	// URL is where the first replica's API listens, OpsURL its operations port.
	URL, OpsURL string
	owners      *owners
}

// setup starts the service as its binary runs, with servers of the test's own
// and owners who answer.
func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, Servers: servicetest.Start(t, app.Name, migrations.FS), keys: servicetest.StartKeys(t)}
	b.owners = startOwners(t, b.NATS)
	b.cfg = app.Config{
		APIConfig: service.APIConfig{
			Config: b.Config(), KeysConfig: b.keys.Config(), StorageConfig: servicetest.Storage(t),
		},
		Points: app.PointsConfig{Finishers: 3, Maps: 3, Authors: 2},
	}
	b.cfg.LogLevel = slog.LevelError + 1
	b.URL, b.OpsURL = b.startReplica()
	return b
}

// startReplica runs the service until the test ends and returns where it listens.
func (b *bundle) startReplica() (apiURL, opsURL string) {
	b.t.Helper()
	cfg := b.cfg
	return servicetest.Run(b.t, &cfg.Config, func(ctx context.Context) error { return app.Run(ctx, cfg) })
}

// command runs an operator's command and returns what it printed.
func (b *bundle) command(name string, args ...string) (string, error) {
	b.t.Helper()
	return b.Command(app.Commands, name, args...)
}

// count counts rows.
func (b *bundle) count(sql string, args ...any) int {
	b.t.Helper()
	return pgtest.Value[int](b.t, b.Pool, sql, args...)
}
