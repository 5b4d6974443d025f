// Package servicetest runs a service in a test as its binary runs, with servers
// of the test's own, and communicates with it as clients, other services and operators do.
package servicetest

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/runtest"
	"capzone.dev/devstack/s3test"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
)

// Servers are the servers that every service uses.
type Servers struct {
	Pool       *postgres.Pool
	NATSServer *natstest.Server
	NATS       *nats.Conn
	JetStream  jetstream.JetStream

	t *testing.T
}

// Start returns the named service's database and a NATS server with all streams.
func Start(t *testing.T, name string, migrations fs.FS) *Servers {
	t.Helper()
	s := &Servers{t: t, Pool: pgtest.Open(t, name, migrations), NATSServer: natstest.Start(t)}
	s.NATS, s.JetStream = s.NATSServer.Provision()
	return s
}

// Config is what every service reads: it listens on ports that are free, and
// logs errors only.
func (s *Servers) Config() service.Config {
	owner := s.Pool.Config().ConnString()
	return service.Config{
		ProcessConfig: service.ProcessConfig{
			HTTPAddr: "127.0.0.1:0", OpsAddr: "127.0.0.1:0", NATSURL: s.NATSServer.URL(),
			LogConfig: service.LogConfig{LogLevel: slog.LevelError},
		},
		DatabaseURL: pgtest.Application(s.t, owner), MigrationDatabaseURL: owner,
	}
}

// Storage returns the configuration of a bucket for one service.
func Storage(t *testing.T) service.StorageConfig {
	t.Helper()
	storage := s3test.Config(t)
	return service.StorageConfig{
		Endpoint: storage.Endpoint, AccessKey: storage.AccessKey, SecretKey: storage.SecretKey,
		Bucket: storage.Bucket,
	}
}

// Run runs one replica of a service until the test ends, and returns where its
// API and its operations port are. The configuration is what run reads.
func Run(t *testing.T, cfg *service.Config, run func(ctx context.Context) error) (apiURL, opsURL string) {
	t.Helper()
	cfg.Listeners = service.Listeners{API: runtest.Listen(t), Ops: runtest.Listen(t)}
	apiURL, opsURL = "http://"+cfg.Listeners.API.Addr().String(), "http://"+cfg.Listeners.Ops.Addr().String()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the service ended with: %v", err)
		}
	})
	runtest.AwaitAnswer(t, opsURL+httpserve.HealthPath, ended)
	return apiURL, opsURL
}

// Command runs an operator's command and returns its output. It sets the
// environment, so that its test cannot be parallel.
func (s *Servers) Command(commands func() []service.Command, name string, args ...string) (string, error) {
	s.t.Helper()
	cfg := s.Config()
	s.t.Setenv("DATABASE_URL", cfg.DatabaseURL)
	s.t.Setenv("NATS_URL", cfg.NATSURL)
	return Command(s.t, commands, name, args...)
}

// Command runs an operator's command in the environment as it is.
func Command(t *testing.T, commands func() []service.Command, name string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	for _, c := range commands() {
		if c.Name == name {
			err := c.Execute(t.Context(), &out, args)
			return out.String(), err
		}
	}
	t.Fatalf("there is no command %s", name)
	return "", nil
}

// Publish publishes the state of another service's entity.
func (s *Servers) Publish(ctx context.Context, state event.State) error {
	return s.publish(ctx, uuid.NewString(), state.Subject(), state.StateVersion(), state)
}

// PublishFact puts a fact on its stream. The id is the message's, by which its second coming is known.
func (s *Servers) PublishFact(ctx context.Context, id string, fact event.Fact) error {
	return s.publish(ctx, id, fact.Subject(), 0, fact)
}

func (s *Servers) publish(ctx context.Context, id, subject string, version int64, payload any) error {
	data, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	body, err := json.Marshal(event.Envelope{ID: id, Version: version, At: time.Now(), Data: data})
	if err != nil {
		return err
	}
	_, err = s.JetStream.Publish(ctx, subject, body)
	return err
}

// AwaitState waits until the stream retains a state on the subject that is right.
func AwaitState[T event.State](s *Servers, subject string, accept func(T) bool) T {
	s.t.Helper()
	return awaitMessage(s, event.StateStream.Name, subject, accept)
}

// AwaitFact waits for a fact on the subject and returns the last one.
func AwaitFact[T event.Fact](s *Servers, subject string) T {
	s.t.Helper()
	return awaitMessage(s, event.FactsStream.Name, subject, func(T) bool { return true })
}

func awaitMessage[T any](s *Servers, stream, subject string, accept func(T) bool) (data T) {
	s.t.Helper()
	eventually.WaitFor(s.t, "a message on "+subject, func() bool {
		from, err := s.JetStream.Stream(s.t.Context(), stream)
		if err != nil {
			return false
		}
		msg, err := from.GetLastMsgForSubject(s.t.Context(), subject)
		if err != nil {
			return false
		}
		var envelope event.Envelope
		if err := json.Unmarshal(msg.Data, &envelope); err != nil {
			s.t.Fatalf("%s on %s: %v", msg.Data, subject, err)
		}
		if data, err = event.Decode[T](envelope); err != nil {
			s.t.Fatalf("%s on %s: %v", msg.Data, subject, err)
		}
		return accept(data)
	})
	return data
}

// Keys sign tokens and publish the keys for them, in place of the auth service.
type Keys struct {
	t      *testing.T
	signer *token.Signer
	url    string
	limits sync.Map // the actors who act by a personal token, by the player's id
}

// StartKeys publishes the keys until the test ends.
func StartKeys(t *testing.T) *Keys {
	t.Helper()
	key, err := token.NewKey()
	require.NoError(t, err)
	signer, err := token.NewSigner([]token.Key{key}, time.Now)
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(signer.JWKS())
	}))
	t.Cleanup(server.Close)
	return &Keys{t: t, signer: signer, url: server.URL}
}

// Config returns the URL of the keys.
func (k *Keys) Config() service.KeysConfig { return service.KeysConfig{JWKSURLs: []string{k.url}} }

// Limit makes the player act by the actor's personal token from now on.
func (k *Keys) Limit(by access.Actor) { k.limits.Store(by.ID, by) }

// Token returns an access token of a player.
func (k *Keys) Token(of event.PlayerState) string {
	k.t.Helper()
	claims := token.Claims{PlayerID: of.ID, Name: of.Name, Roles: of.Roles}
	if by, limited := k.limits.Load(of.ID); limited {
		actor, _ := by.(access.Actor)
		claims.PersonalID, claims.Scopes = actor.TokenID, actor.Scopes
	}
	signed, err := k.signer.Sign(claims)
	require.NoError(k.t, err)
	return signed
}
