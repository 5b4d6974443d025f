package app_test

import (
	"context"
	"io"
	"net/http"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/service"
	"capzone.dev/services/players/internal/app"
	"capzone.dev/services/players/internal/httpapi"
	"capzone.dev/services/players/migrations"
)

// bundle is the service with everything around it.
type bundle struct {
	*servicetest.Servers
	t    *testing.T
	keys *servicetest.Keys
	cfg  app.Config
	// URL is where the first replica's API listens, OpsURL its operations port.
	URL, OpsURL string
}

// setup starts the service as its binary runs, with servers of the test's own.
func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, Servers: servicetest.Start(t, app.Name, migrations.FS), keys: servicetest.StartKeys(t)}
	b.cfg = app.Config{DeletionDays: 14, APIConfig: service.APIConfig{
		Config: b.Config(), KeysConfig: b.keys.Config(), StorageConfig: servicetest.Storage(t),
	}}
	b.URL, b.OpsURL = b.startReplica()
	return b
}

// startReplica runs the service until the test ends and returns where it listens.
func (b *bundle) startReplica() (apiURL, opsURL string) {
	b.t.Helper()
	cfg := b.cfg
	return servicetest.Run(b.t, &cfg.Config, func(ctx context.Context) error { return app.Run(ctx, cfg) })
}

// command runs an operator's command and returns what it printed. It sets the environment, so that its
// test cannot be parallel.
func (b *bundle) command(name string, args ...string) (string, error) {
	b.t.Helper()
	return b.Command(app.Commands, name, args...)
}

// register logs a player in, as auth does.
func (b *bundle) register(name string) event.PlayerState {
	b.t.Helper()
	return b.registerWith(event.RegisterPlayer{Name: name, Level: 1})
}

func (b *bundle) registerWith(login event.RegisterPlayer) event.PlayerState {
	b.t.Helper()
	p, err := ask[event.PlayerState](b, event.RegisterPlayerSubject, login)
	require.NoError(b.t, err)
	return p
}

// ask is a request of a neighbour. The service may not have subscribed yet.
func ask[Resp, Req any](b *bundle, subject string, req Req) (Resp, error) {
	b.t.Helper()
	var resp Resp
	var err error
	eventually.WaitFor(b.t, "an answer on "+subject, func() bool {
		resp, err = eventbus.Call[Resp](b.t.Context(), b.NATS, subject, req)
		return err == nil || !isUnavailable(err)
	})
	return resp, err
}

func (b *bundle) get(path string, header ...string) servicetest.Answer {
	b.t.Helper()
	return b.do(http.MethodGet, path, nil, header...)
}

// read is get of a player that is there.
func (b *bundle) read(id string) httpapi.Player {
	b.t.Helper()
	return servicetest.Data[httpapi.Player](b.t, b.get("/api/v1/players/"+id))
}

// put sends a form in the name of a player.
func (b *bundle) put(by event.PlayerState, id string, parts ...servicetest.Part) servicetest.Answer {
	b.t.Helper()
	body, contentType := servicetest.Form(b.t, parts...)
	return b.do(http.MethodPut, "/api/v1/players/"+id, body, "Content-Type", contentType, "Authorization",
		"Bearer "+b.keys.Token(by))
}

func (b *bundle) do(method, path string, body io.Reader, header ...string) servicetest.Answer {
	b.t.Helper()
	return servicetest.Do(b.t, method, b.URL+path, body, header...)
}

func text(name, value string) servicetest.Part {
	return servicetest.Part{Name: name, Data: []byte(value)}
}

func file(name string, data []byte) servicetest.Part {
	return servicetest.Part{Name: name, File: "image.png", Data: data}
}
