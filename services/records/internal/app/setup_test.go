package app_test

import (
	"context"
	"log/slog"
	"testing"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
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
	b := prepare(t)
	b.URL, b.OpsURL = b.startReplica()
	return b
}

// prepare is setup without a start of the service.
func prepare(t *testing.T) *bundle {
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
	return b
}

// in is the bundle in a subtest.
func (b *bundle) in(t *testing.T) *bundle {
	t.Helper()
	of := *b
	of.t = t
	return &of
}

// storageEnv sets what commands read of the storage.
func (b *bundle) storageEnv() {
	b.t.Helper()
	for name, value := range map[string]string{
		"S3_ENDPOINT": b.cfg.Endpoint, "S3_ACCESS_KEY": b.cfg.AccessKey, "S3_SECRET_KEY": b.cfg.SecretKey,
		"S3_BUCKET": b.cfg.Bucket,
	} {
		b.t.Setenv(name, value)
	}
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

// commands runs operators' commands that succeed, each given as its name and its arguments.
func (b *bundle) commands(all ...[]string) {
	b.t.Helper()
	for _, c := range all {
		_, err := b.command(c[0], c[1:]...)
		require.NoError(b.t, err)
	}
}

// publish publishes states and waits until the copies have them.
func (b *bundle) publish(states ...event.State) {
	b.t.Helper()
	for _, s := range states {
		require.NoError(b.t, b.Publish(b.t.Context(), s))
	}
	natstest.AwaitSettled(b.t, b.JetStream, event.RecordsCopies)
}

// count counts rows.
func (b *bundle) count(sql string, args ...any) int {
	b.t.Helper()
	return pgtest.Value[int](b.t, b.Pool, sql, args...)
}
