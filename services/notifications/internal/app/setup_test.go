package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/service"
	"capzone.dev/services/notifications/internal/app"
	"capzone.dev/services/notifications/migrations"
)

// bundle is the service with everything around it.
type bundle struct {
	*servicetest.Servers
	t      *testing.T
	keys   *servicetest.Keys
	cfg    app.Config
	owners *owners
	// URL is where the first replica's API listens, OpsURL its operations port.
	URL, OpsURL string
}

// setup starts the service as its binary runs, with servers of the test's own and owners who answer.
func setup(t *testing.T) *bundle {
	t.Helper()
	b := prepare(t)
	b.URL, b.OpsURL = b.startReplica()
	return b
}

// prepare is setup without a replica of the service.
func prepare(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, Servers: servicetest.Start(t, app.Name, migrations.FS), keys: servicetest.StartKeys(t)}
	b.owners = startOwners(t, b.NATS)
	b.cfg.APIOnlyConfig = service.APIOnlyConfig{Config: b.Config(), KeysConfig: b.keys.Config()}
	b.cfg.LogLevel = slog.LevelError + 1
	return b
}

// startReplica runs the service until the test ends and returns where it listens.
func (b *bundle) startReplica() (apiURL, opsURL string) {
	b.t.Helper()
	cfg := b.cfg
	return servicetest.Run(b.t, &cfg.Config, func(ctx context.Context) error { return app.Run(ctx, cfg) })
}

// count counts rows.
func (b *bundle) count(sql string) int {
	b.t.Helper()
	return pgtest.Value[int](b.t, b.Pool, sql)
}

// do sends a request with a body, or without one where it is nil, in the name of a player.
func (b *bundle) do(by event.PlayerState, method, path string, body any) servicetest.Answer {
	b.t.Helper()
	var data bytes.Buffer
	if body != nil {
		require.NoError(b.t, json.NewEncoder(&data).Encode(body))
	}
	return servicetest.Do(b.t, method, b.URL+"/api/v1"+path, &data, "Content-Type", "application/json",
		"Authorization", "Bearer "+b.keys.Token(by))
}

func (b *bundle) get(by event.PlayerState, path string) servicetest.Answer {
	b.t.Helper()
	return b.do(by, http.MethodGet, path, nil)
}

// put changes something that answers with 204.
func (b *bundle) put(by event.PlayerState, path string) {
	b.t.Helper()
	if a := b.do(by, http.MethodPut, path, nil); a.Status != http.StatusNoContent {
		b.t.Fatalf("PUT %s: %d %s", path, a.Status, a.Raw)
	}
}

// publishFact publishes a fact and waits until it was handled.
func (b *bundle) publishFact(fact event.Fact) {
	b.t.Helper()
	require.NoError(b.t, b.PublishFact(b.t.Context(), newID(), fact))
	natstest.AwaitSettled(b.t, b.JetStream, event.NotificationsFacts)
}

// publish publishes states and waits until the copies have them.
func (b *bundle) publish(states ...event.State) {
	b.t.Helper()
	for _, state := range states {
		require.NoError(b.t, b.Publish(b.t.Context(), state))
	}
	natstest.AwaitSettled(b.t, b.JetStream, event.NotificationsCopies)
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }
