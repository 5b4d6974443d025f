// Package servicetest runs a service in a test as its binary runs, with servers
// of the test's own, and speaks with it as clients, neighbours and operators do.
package servicetest

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/s3test"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
)

// Servers are what every service stands on.
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
// logs errors only. Its database's URL sizes the pool, as deployments do.
func (s *Servers) Config() service.Config {
	return service.Config{
		ProcessConfig: service.ProcessConfig{
			HTTPAddr: "127.0.0.1:0", OpsAddr: "127.0.0.1:0", NATSURL: s.NATSServer.URL(),
			LogConfig: service.LogConfig{LogLevel: slog.LevelError},
		},
		DatabaseURL: sized(s.t, s.Pool.Config().ConnString()),
	}
}

func sized(t *testing.T, database string) string {
	t.Helper()
	address, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	query.Set("pool_max_conns", "16")
	address.RawQuery = query.Encode()
	return address.String()
}

// Storage returns the configuration of a bucket for one service.
func Storage(t *testing.T) service.StorageConfig {
	t.Helper()
	storage := s3test.Start(t)
	return service.StorageConfig{
		Endpoint: storage.Endpoint, AccessKey: storage.AccessKey, SecretKey: storage.SecretKey, Bucket: s3test.Bucket(t),
	}
}

// Run runs one replica of a service until the test ends, and returns where its
// API and its operations port are. The configuration is what run reads.
func Run(t *testing.T, cfg *service.Config, run func(ctx context.Context) error) (apiURL, opsURL string) {
	t.Helper()
	listening := make(chan [2]string, 1)
	cfg.OnListen = func(api, ops net.Addr) {
		listening <- [2]string{"http://" + api.String(), "http://" + ops.String()}
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the service ended with: %v", err)
		}
	})
	select {
	case urls := <-listening:
		return urls[0], urls[1]
	case err := <-ended:
		ended <- nil
		t.Fatalf("the service did not start: %v", err)
		return "", ""
	}
}

// Command runs an operator's command and returns what it said. It sets the
// environment, so that its test cannot be parallel.
func (s *Servers) Command(commands func(out io.Writer) []service.Command, name string, args ...string) (string, error) {
	s.t.Helper()
	cfg := s.Config()
	s.t.Setenv("DATABASE_URL", cfg.DatabaseURL)
	s.t.Setenv("NATS_URL", cfg.NATSURL)
	return Command(s.t, commands, name, args...)
}

// Command runs an operator's command in the environment as it is.
func Command(
	t *testing.T, commands func(out io.Writer) []service.Command, name string, args ...string,
) (string, error) {
	t.Helper()
	var out bytes.Buffer
	for _, c := range commands(&out) {
		if c.Name == name {
			err := c.Run(t.Context(), args)
			return out.String(), err
		}
	}
	t.Fatalf("there is no command %s", name)
	return "", nil
}
