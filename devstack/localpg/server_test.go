package localpg_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testservers"
)

func TestServer_keeps_data_after_Stop_and_a_kill(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	dir := filepath.Join(folder(t), "postgres")

	server := start(t, dir)
	execute(t, server, `CREATE TABLE kept (n int)`)
	execute(t, server, `INSERT INTO kept VALUES (1)`)
	require.NoError(t, server.Stop(ctx))

	server = start(t, dir)
	execute(t, server, `INSERT INTO kept VALUES (2)`)
	require.NoError(t, syscall.Kill(server.PID(), syscall.SIGKILL))
	<-server.Done()
	if err := server.Stop(ctx); err != nil {
		t.Fatalf("stop of a dead server: %v", err)
	}

	server = start(t, dir)
	if got := sum(t, server); got != 3 {
		t.Errorf("the sum of what was committed is %d, want 3", got)
	}
}

func TestStart_port_in_use(t *testing.T) {
	t.Parallel()
	first := start(t, filepath.Join(folder(t), "postgres"))
	options := testservers.Options{Port: first.port, Dir: filepath.Join(folder(t), "postgres")}
	_, err := localpg.Start(t.Context(), "", options)
	if err == nil {
		t.Fatal("two servers listen on one port")
	}
	t.Log(err)
}

func TestStartTemporary(t *testing.T) {
	t.Parallel()
	port, err := freeport.Pick()
	require.NoError(t, err)
	process, err := localpg.StartTemporary(t.Context(), "", port)
	require.NoError(t, err)
	server := running{process, port}
	execute(t, server, `CREATE TABLE forgotten (n int)`)
	require.NoError(t, server.Stop(t.Context()))
	if !freeport.Free(port) {
		t.Error("the server still listens")
	}
}

func TestStart_links_a_folder_that_the_server_cannot_enter(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only a process of root runs the server as another user")
	}
	private := filepath.Join(t.TempDir(), "private")
	require.NoError(t, os.Mkdir(private, 0o700))
	dir := filepath.Join(private, "postgres")
	server := start(t, dir)
	execute(t, server, `CREATE TABLE kept (n int)`)
	require.NoError(t, server.Stop(t.Context()))
	target, err := os.Readlink(dir)
	require.NoError(t, err)
	execute(t, start(t, dir), `INSERT INTO kept VALUES (1)`)

	require.NoError(t, localpg.RemoveData(dir))
	for _, path := range []string{dir, target} {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s exists after RemoveData", path)
		}
	}
}

// running is a server on a port.
type running struct {
	*child.Process

	port int
}

func start(t *testing.T, dir string) running {
	t.Helper()
	port, err := freeport.Pick()
	require.NoError(t, err)
	server, err := localpg.Start(t.Context(), "", testservers.Options{Dir: dir, Port: port})
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := server.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	return running{server, port}
}

// folder is a temporary folder that the server's user can enter, which t.TempDir is not for root.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "localpg-test-") //nolint:usetesting // see above
	require.NoError(t, err)
	t.Cleanup(func() {
		if err := localpg.RemoveData(filepath.Join(dir, "postgres")); err != nil {
			t.Error(err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func execute(t *testing.T, server running, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), localpg.URL(server.port, "postgres"))
	require.NoError(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), sql)
	require.NoError(t, err)
}

func sum(t *testing.T, server running) int {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), localpg.URL(server.port, "postgres"))
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var total int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT sum(n) FROM kept`).Scan(&total))
	return total
}
