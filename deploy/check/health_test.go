package check

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/realservers"
	"capzone.dev/devstack/testdeps"
)

// The health check commands of the Compose file, run as they stand there, of the
// images that are the project's own.
func TestHealthChecksTellTheTruth(t *testing.T) {
	t.Parallel()
	folder := builtPrograms(t)
	healthy := true
	asked := make(chan string, 16)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.RequestURI()
		if !healthy {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(server.Close)
	address := server.Listener.Addr().String()

	for name, s := range watched(t).Services {
		if s.HealthCheck == nil || s.Build == nil {
			continue
		}
		check := func(address string) error {
			test := slices.Clone([]string(s.HealthCheck.Test[1:]))
			test[0] = filepath.Join(folder, filepath.Base(test[0]))
			for i := range test {
				for _, port := range []string{"8222", "9000", "3200"} {
					test[i] = strings.Replace(test[i], "127.0.0.1:"+port, address, 1)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(*s.HealthCheck.Timeout))
			defer cancel()
			command := exec.CommandContext(ctx, test[0], test[1:]...)
			command.Env = []string{"OPS_ADDR=" + address}
			return command.Run()
		}
		path := map[string]string{"nats": "/healthz?js-enabled-only=true", "minio": "/minio/health/live",
			"tempo": "/ready"}[name]
		if path == "" {
			path = "/readyz"
		}
		for _, healthy = range []bool{true, false} {
			if err := check(address); (err == nil) != healthy {
				t.Errorf("%s: healthy is %v, the check says %v", name, healthy, err)
			}
			if got := <-asked; got != path {
				t.Errorf("%s asks %s, want %s", name, got, path)
			}
		}
		if err := check(closedPort(t)); err == nil {
			t.Errorf("%s: an unavailable server is reported as healthy", name)
		}
	}
}

func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// The same of the servers, which are real ones here.
func TestHealthChecksKnowTheServers(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(deployment) checked{
		"postgres": func(d deployment) checked {
			program := testdeps.Program(d.t, "pg_isready", "postgresql-client")
			server, err := localpg.StartTemporary(d.t.Context(), "")
			if err != nil {
				d.t.Fatal(err)
			}
			stop := sync.OnceFunc(func() { _ = server.Stop(context.Background()) })
			d.t.Cleanup(stop)
			return checked{here: []string{"pg_isready", program, "--quiet", "--quiet --port=" + strconv.Itoa(server.Port())},
				stop: stop}
		},
		"valkey": func(d deployment) checked {
			client, err := exec.LookPath("valkey-cli")
			if err != nil {
				client = testdeps.Program(d.t, "redis-cli", "redis-tools")
			}
			address, stop := d.startValkey()
			return checked{here: []string{"valkey-cli", client + " -p " + address[strings.LastIndexByte(address, ':')+1:]},
				stop: stop}
		},
		"nats": func(d deployment) checked {
			needRealServers(d.t)
			server := d.startNATS()
			return checked{here: []string{"/healthcheck", filepath.Join(builtPrograms(d.t), "healthcheck"), ":8222",
				":" + strconv.Itoa(server.MonitorPort())},
				stop: func() { _ = server.Kill() }}
		},
		"minio": func(d deployment) checked {
			needRealServers(d.t)
			server := d.startMinIO()
			return checked{here: []string{"/healthcheck", filepath.Join(builtPrograms(d.t), "healthcheck"), ":9000",
				":" + strconv.Itoa(server.Port())},
				stop: func() { _ = server.Kill() }}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := deploy(t)
			test := d.project().Services[name].HealthCheck.Test
			server := start(d)
			words := strings.NewReplacer(server.here...).Replace(strings.Join(test[1:], " "))
			healthy := func() bool {
				return exec.CommandContext(t.Context(), "/bin/sh", "-c", words).Run() == nil
			}
			eventually.WaitFor(t, name+" to be called well", healthy)
			server.stop()
			if healthy() {
				t.Errorf("%s is unavailable, and %q reports it as healthy", name, words)
			}
		})
	}
}

// checked is a server that is well until it is stopped.
type checked struct {
	// here are words of the health check and what they are outside of the
	// container, in turn: where programs lie, on which port the server listens.
	here []string
	stop func()
}

func needRealServers(t *testing.T) {
	t.Helper()
	if !realservers.Wanted() {
		t.Skip("the server is not installed: make test-real installs it")
	}
}
