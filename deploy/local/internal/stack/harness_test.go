package stack

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/httpget"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/require"
)

// stubs are a small stack of stand-ins.
var stubs = []Kind{
	{Name: "auth", Program: os.Args[0], Stage: 1, Service: true, Settings: named("auth")},
	{Name: "records", Program: os.Args[0], Stage: 2, Service: true, Settings: named("records")},
	{Name: "gateway", Program: os.Args[0], Stage: 3, Settings: func(s *Stack, self Replica) map[string]string {
		settings := gatewaySettings(s, self)
		settings[stubName] = "gateway"
		return settings
	}},
}

func named(name string) func(*Stack, Replica) map[string]string {
	return func(*Stack, Replica) map[string]string { return map[string]string{stubName: name} }
}

// launcherFolder makes the test binary a launcher, on the folder that it names.
const launcherFolder = "LAUNCHER_FOLDER"

func TestMain(m *testing.M) {
	if name := os.Getenv(stubName); name != "" {
		stub(name)
		return
	}
	if dir := os.Getenv(launcherFolder); dir != "" {
		r := &running{dir: dir}
		options, err := r.options(map[string]string{"PORT": os.Getenv("PORT")})
		if err == nil {
			err = Up(context.Background(), options)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// running is a stack of stubs.
type running struct {
	dir    string
	kinds  []Kind // besides stubs
	screen screen
	cancel context.CancelFunc
	ended  chan error
}

// up starts a stack with further kinds of processes, and waits until it is ready. It stops with the test at the latest.
func up(t *testing.T, dir string, environment map[string]string, kinds ...Kind) *running {
	t.Helper()
	r := &running{dir: dir, kinds: kinds, ended: make(chan error, 1)}
	all := map[string]string{}
	for name, value := range environment {
		all[name] = value
	}
	options, err := r.options(all)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	go func() { r.ended <- Up(ctx, options) }()
	t.Cleanup(func() { r.stop(t) })
	eventually.Within(t, startPatience, "the stack is ready", func() bool {
		select {
		case err := <-r.ended:
			r.ended <- err
			t.Fatalf("the stack ended: %v\n%s", err, r.screen.String())
		default:
		}
		_, err := ReadState(dir)
		return err == nil
	})
	return r
}

func (r *running) options(environment map[string]string) (Options, error) {
	if environment["PORT"] == "" {
		port, err := freeport.Pick()
		if err != nil {
			return Options{}, err
		}
		environment["PORT"] = strconv.Itoa(port)
	}
	environment["DATA_DIR"] = r.dir
	kinds := slices.Concat(stubs, r.kinds)
	settings, err := ReadSettings(environment, kinds)
	environment[stubName], environment[stubLog] = "provision", r.stubLogFile()
	return Options{
		Settings: settings, Kinds: kinds, Provision: os.Args[0], Environment: environment, Out: &r.screen,
		Build: func(context.Context) error { return appendLine(r.stubLogFile(), "built") },
	}, err
}

func (r *running) stop(t *testing.T) {
	t.Helper()
	r.cancel()
	select {
	case err := <-r.ended:
		r.ended <- nil
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		var goroutines strings.Builder
		_ = pprof.Lookup("goroutine").WriteTo(&goroutines, 1)
		t.Errorf("the stack does not stop:\n%s\n%s", r.screen.String(), goroutines.String())
	}
}

func (r *running) state(t *testing.T) State {
	t.Helper()
	state, err := ReadState(r.dir)
	require.NoError(t, err)
	return state
}

// stubLogFile lies beside the data folder: reset must find nothing foreign in it.
func (r *running) stubLogFile() string { return r.dir + ".log" }

func (r *running) stubLog(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(r.stubLogFile())
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

func (r *running) secrets(t *testing.T) map[string]string {
	t.Helper()
	secrets := map[string]string{}
	for _, name := range []string{"token-keys.pem", "code-secret"} {
		path := filepath.Join(r.dir, name)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		info, err := os.Stat(path)
		require.NoError(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s can be read by others: %v", name, info.Mode())
		}
		secrets[name] = string(text)
	}
	return secrets
}

func (s State) process(t *testing.T, kind string) ProcessState {
	t.Helper()
	for _, p := range s.Processes {
		if p.Kind == kind {
			return p
		}
	}
	t.Fatalf("no process %s in %+v", kind, s)
	return ProcessState{}
}

// folder is a data folder whose name is not taken, where PostgreSQL's user can enter, which t.TempDir is
// not for root.
func folder(t *testing.T) string {
	t.Helper()
	parent, err := os.MkdirTemp("", "capzone-stack-test-") //nolint:usetesting // see above
	require.NoError(t, err)
	require.NoError(t, os.Chmod(parent, 0o755))
	dir := filepath.Join(parent, "data")
	t.Cleanup(func() {
		if err := localpg.RemoveData(filepath.Join(dir, databaseEntry)); err != nil {
			t.Error(err)
		}
		if err := os.RemoveAll(parent); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func get(t *testing.T, url string) string {
	t.Helper()
	text, err := httpget.Body(t.Context(), url)
	require.NoError(t, err)
	return text
}

func execute(t *testing.T, url, sql string) {
	t.Helper()
	require.NoError(t, tryExecute(t, url, sql))
}

func tryExecute(t *testing.T, url, sql string) error {
	t.Helper()
	ctx := context.WithoutCancel(t.Context()) // for cleanups as well
	cfg, err := pgxpool.ParseConfig(url)      // which may size a service's pool
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

func stream(t *testing.T, url string, use func(jetstream.JetStream) error) {
	t.Helper()
	conn, err := nats.Connect(url)
	require.NoError(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err == nil {
		err = use(js)
	}
	require.NoError(t, err)
}

// startPatience is how long a stack may take for what a test waits for.
const startPatience = 2 * time.Minute

// screen is a terminal.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
