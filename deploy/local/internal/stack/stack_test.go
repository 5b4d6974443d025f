package stack

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/redistest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/s3test"
)

// One stack serves all tests that do not need one of their own, because each has a PostgreSQL.
func TestUp(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	stack := up(t, dir, map[string]string{"REPLICAS": "records=2", "ROOMS_PER_HOUR": "7", "LOG_LEVEL": "debug"})
	want := []string{"built", "provisioned", "started auth", "started records", "started records", "started gateway"}
	assert.Equal(t, "the start", want, stack.stubLog(t))
	for _, test := range []struct {
		name string
		run  func(t *testing.T, stack *running)
	}{
		{"settings of a process", testSettings},
		{"a second stack", testSecondStack},
		{"the folder in use", testFolderInUse},
		{"commands", testRun},
		{"a restart one by one", testRestart},
		{"a restart of the gateway refuses no connection", testRestartOfGateway},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, stack) })
	}
	testKeptData(t, stack)
}

func testSettings(t *testing.T, stack *running) {
	t.Helper()
	state := stack.state(t)
	records := state.process(t, "records")
	environment := map[string]string{}
	for line := range strings.Lines(get(t, records.HTTP+"/environment")) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		environment[name] = value
	}
	var got []string
	for _, name := range []string{
		"DATABASE_URL", "MIGRATION_DATABASE_URL", "NATS_URL", "REDIS_URL", "S3_ENDPOINT", "JWKS_URL", "PUBLIC_URL",
		"ROOMS_PER_HOUR", "LOGINS_PER_MINUTE", "LOG_LEVEL",
	} {
		got = append(got, name+"="+environment[name])
	}
	owner := strings.Replace(state.Servers.Database, "/postgres?", "/capzone_records?", 1)
	want := []string{
		"DATABASE_URL=" + strings.Replace(
			owner,
			"capzone@",
			"capzone_records_app:@",
			1,
		), "MIGRATION_DATABASE_URL=" + owner,
		"NATS_URL=" + state.Servers.NATS,
		"REDIS_URL=" + state.Servers.Redis,
		"S3_ENDPOINT=" + state.Servers.S3.Endpoint,
		"JWKS_URL=" + state.process(t, "auth").HTTP + "/.well-known/jwks.json",
		"PUBLIC_URL=" + state.Site,
		"ROOMS_PER_HOUR=7",
		"LOGINS_PER_MINUTE=1000000",
		"LOG_LEVEL=debug",
	}
	assert.Equal(t, "settings of records", want, got)
	var addresses []string
	for _, p := range state.Processes {
		if p.Kind == "records" {
			addresses = append(addresses, strings.TrimPrefix(p.HTTP, "http://"))
		}
	}
	if len(addresses) != 2 || !strings.Contains(get(t, state.Site+"/environment"),
		"RECORDS_ADDR="+strings.Join(addresses, ",")) {
		t.Errorf("the gateway does not have the addresses of both replicas of records: %q", addresses)
	}
}

// A second stack runs beside the first: it has settings of NATS, and a process that it can be without.
func testSecondStack(t *testing.T, first *running) {
	t.Helper()
	bot := Kind{Name: "bot", Program: os.Args[0], Stage: 2, Optional: true,
		Settings: func(*Stack, Replica) map[string]string {
			return map[string]string{stubName: "bot", stubUnready: "true"}
		}}
	second := up(t, folder(t), map[string]string{
		"NATS_URL": "nats://127.0.0.1:4222", "NATS_RECORDS_PASSWORD": "of-records", "NATS_AUTH_PASSWORD": "of-auth",
	}, bot)
	for _, stack := range []*running{first, second} {
		get(t, stack.state(t).Site+"/readyz")
		execute(t, stack.state(t).process(t, "auth").Settings["MIGRATION_DATABASE_URL"], `CREATE TABLE mine ()`)
	}
	state := second.state(t)
	for kind, want := range map[string]string{
		"records": "nats://records:of-records@127.0.0.1:4222", "auth": "nats://auth:of-auth@127.0.0.1:4222",
		"gateway": "nats://127.0.0.1:4222",
	} {
		got := get(t, state.process(t, kind).HTTP+"/environment")
		if !strings.Contains(got, "NATS_URL="+want+"\n") || strings.Contains(got, "_PASSWORD=") {
			t.Errorf("the environment of %s:\n%s", kind, got)
		}
	}
	if p := state.process(t, "bot"); p.PID == 0 {
		t.Error("the bot is not kept running")
	}
}

func testFolderInUse(t *testing.T, stack *running) {
	t.Helper()
	options, err := stack.options(map[string]string{})
	require.NoError(t, err)
	err = Up(t.Context(), options)
	want := fmt.Sprintf("another stack runs on %s (process %d): stop it, or choose another DATA_DIR", stack.dir,
		os.Getpid())
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if err := Reset(stack.dir); err == nil {
		t.Error("Reset removed the data of a running stack")
	}
}

func testRun(t *testing.T, stack *running) {
	t.Helper()
	require.NoError(t, Run(t.Context(), stack.dir, "auth", []string{"revoke", "cloudstep"}))
	if err := Run(t.Context(), stack.dir, "autg", nil); err == nil ||
		!strings.Contains(err.Error(), "there are auth, records, gateway") {
		t.Errorf("error %v", err)
	}
	if err := Run(t.Context(), folder(t), "auth", nil); err == nil || err.Error() != ErrNotRunning.Error() {
		t.Errorf("error %v", err)
	}
}

func testRestart(t *testing.T, stack *running) {
	t.Helper()
	before := stack.state(t)
	options, err := stack.options(map[string]string{})
	require.NoError(t, err)
	require.NoError(t, Restart(t.Context(), options, nil))
	after := stack.state(t)
	for i, p := range before.Processes {
		if again := after.Processes[i]; (again.PID == p.PID) != (p.Kind == "gateway") || again.HTTP != p.HTTP {
			t.Errorf("%s was process %d on %s and is process %d on %s", p.Name, p.PID, p.HTTP, again.PID, again.HTTP)
		}
	}
	want := []string{
		"built", "stopped auth", "started auth", "stopped records", "started records", "stopped records", "started records",
	}
	stubs := stack.stubLog(t)
	assert.Equal(t, "the log of the processes", want, stubs[len(stubs)-len(want):])
	if err := Restart(t.Context(), options, []string{"records.3"}); err == nil ||
		!strings.Contains(err.Error(), `"records.3"`) {
		t.Errorf("error %v", err)
	}
}

// The gateway is one process. Connections that come while it is restarted wait.
func testRestartOfGateway(t *testing.T, stack *running) {
	t.Helper()
	options, err := stack.options(map[string]string{})
	require.NoError(t, err)
	site := stack.state(t).Site
	visitor := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	restarted := make(chan struct{})
	var visitors sync.WaitGroup
	var visits atomic.Int64
	for range 8 {
		visitors.Go(func() {
			for {
				select {
				case <-restarted:
					return
				default:
				}
				resp, err := visitor.Get(site + "/readyz")
				if err != nil {
					t.Error(err)
					return
				}
				_ = resp.Body.Close()
				visits.Add(1)
			}
		})
	}
	if err := Restart(t.Context(), options, []string{"gateway"}); err != nil {
		t.Error(err)
	}
	close(restarted)
	visitors.Wait()
	t.Logf("%d connections", visits.Load())
}

// The data of a stack survive its stop, and Reset removes them.
func testKeptData(t *testing.T, stack *running) {
	t.Helper()
	state := stack.state(t)
	records := state.process(t, "records").Settings["MIGRATION_DATABASE_URL"]
	execute(t, records, `CREATE TABLE runs AS SELECT 41270 AS finish_time`)
	stream(t, state.Servers.NATS, func(js jetstream.JetStream) error {
		if _, err := js.CreateStream(t.Context(),
			jetstream.StreamConfig{Name: "KEPT", Subjects: []string{"kept"}}); err != nil {
			return err
		}
		_, err := js.Publish(t.Context(), "kept", nil)
		return err
	})
	secrets := stack.secrets(t)
	stack.stop(t)
	want := []string{"stopped gateway", "stopped records", "stopped records", "stopped auth"}
	stubs := stack.stubLog(t)
	assert.Equal(t, "the stop", want, stubs[len(stubs)-len(want):])
	if _, err := ReadState(stack.dir); err == nil {
		t.Error("the state file of a stopped stack exists")
	}

	stack = up(t, stack.dir, nil)
	state = stack.state(t)
	execute(t, state.process(t, "records").Settings["MIGRATION_DATABASE_URL"], `SELECT finish_time FROM runs`)
	stream(t, state.Servers.NATS, func(js jetstream.JetStream) error {
		kept, err := js.Stream(t.Context(), "KEPT")
		if err == nil && kept.CachedInfo().State.Msgs != 1 {
			err = fmt.Errorf("%d messages in the stream, want 1", kept.CachedInfo().State.Msgs)
		}
		return err
	})
	if diff := cmp.Diff(secrets, stack.secrets(t)); diff != "" {
		t.Errorf("the secrets changed: %s", diff)
	}
	killDatabase(t, stack)

	require.NoError(t, Reset(stack.dir))
	if _, err := os.Stat(stack.dir); err == nil {
		t.Error("Reset did not remove the folder")
	}
}

// killDatabase kills the database, with which the stack ends.
func killDatabase(t *testing.T, stack *running) {
	t.Helper()
	lock, err := os.ReadFile(filepath.Join(stack.dir, databaseEntry, "postmaster.pid"))
	require.NoError(t, err)
	first, _, _ := strings.Cut(string(lock), "\n")
	pid, err := strconv.Atoi(first)
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	err = <-stack.ended
	stack.ended <- nil
	if err == nil || !strings.Contains(err.Error(), "postgres ended by itself (signal: killed)") {
		t.Errorf("the stack without its database: %v", err)
	}
}

func TestUp_with_servers_of_the_environment(t *testing.T) {
	t.Parallel()
	database := pgtest.Database(t, "empty", func(context.Context, string) error { return nil })
	sized := database + "&pool_max_conns=13"
	storage := s3test.Config(t)
	outside := map[string]string{
		"DATABASE_URL": sized, "NATS_URL": natstest.Start(t).URL(), "REDIS_URL": redistest.Start(t),
		"S3_ENDPOINT": storage.Endpoint, "S3_ACCESS_KEY": storage.AccessKey, "S3_SECRET_KEY": storage.SecretKey,
	}
	t.Cleanup(func() {
		execute(t, database, `DROP DATABASE IF EXISTS capzone_auth WITH (FORCE)`)
		execute(t, database, `DROP DATABASE IF EXISTS capzone_records WITH (FORCE)`)
	})
	stack := up(t, folder(t), outside)
	want := Addresses{
		Database: sized, NATS: outside["NATS_URL"], Redis: outside["REDIS_URL"],
		S3: S3Address{Endpoint: storage.Endpoint, AccessKey: storage.AccessKey, SecretKey: storage.SecretKey},
	}
	assert.Equal(t, "servers", want, stack.state(t).Servers)
	execute(t, stack.state(t).process(t, "auth").Settings["MIGRATION_DATABASE_URL"], `CREATE TABLE used ()`)
	for _, embedded := range []string{databaseEntry, "nats", "s3"} {
		if _, err := os.Stat(filepath.Join(stack.dir, embedded)); err == nil {
			t.Errorf("an embedded server was started: %s", embedded)
		}
	}
}

func TestUp_port_in_use(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	stack := &running{dir: folder(t)}
	options, err := stack.options(map[string]string{"PORT": port})
	require.NoError(t, err)
	err = Up(t.Context(), options)
	if err == nil || !strings.Contains(err.Error(), "port "+port+" is taken") {
		t.Errorf("error %v", err)
	}
}

func TestUp_ends_with_the_launcher(t *testing.T) {
	t.Parallel()
	r := &running{dir: folder(t)}
	port, err := freeport.Pick()
	require.NoError(t, err)
	launcher := exec.CommandContext(t.Context(), os.Args[0])
	launcher.Env = append(os.Environ(), launcherFolder+"="+r.dir, fmt.Sprintf("PORT=%d", port))
	require.NoError(t, launcher.Start())
	eventually.Within(t, startPatience, "the stack is ready", func() bool {
		_, err := ReadState(r.dir)
		return err == nil
	})
	state := r.state(t)
	require.NoError(t, launcher.Process.Kill())
	_ = launcher.Wait()
	left := []string{
		state.Servers.Database, state.Servers.NATS, state.Servers.Redis, state.Servers.S3.Endpoint, state.Site,
	}
	for _, p := range state.Processes {
		left = append(left, p.HTTP, p.Ops)
	}
	for _, address := range left {
		parsed, err := url.Parse(address)
		require.NoError(t, err)
		eventually.Within(t, startPatience, address+" is free", func() bool {
			conn, err := net.Dial("tcp", parsed.Host)
			if err != nil {
				return true
			}
			return conn.Close() != nil
		})
	}
	up(t, r.dir, nil) // on what the killed one left
}
