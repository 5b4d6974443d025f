package localpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"capzone.dev/devstack/freeport"
)

// Options say how a durable server runs.
type Options struct {
	Home string    // where another PostgreSQL's bin lies; empty for the one that is fetched
	Dir  string    // the data folder, made and filled where absent
	Port int       // 0 picks a free one
	Log  io.Writer // the server's own log; nil drops it
}

// Server is a running PostgreSQL, listening on the loopback address only, that accepts every local connection without a password.
type Server struct {
	port    int
	dir     string
	command *exec.Cmd
	guard   *guard
	tail    *tail
	remove  string // folder to remove at the end, of a temporary server
	done    chan struct{}
	err     error // why it ended; read after done
}

// Superuser is the one role of a new server.
const Superuser = "capzone"

const (
	startTimeout = 60 * time.Second // recovery after a crash included
	pollEvery    = 10 * time.Millisecond
	portTries    = 5
)

var durable = []string{
	"max_connections=300",
	"shared_buffers=128MB",
	"max_wal_size=1GB",
}

// A temporary server's data need not survive anything; most of its time would go into flushing.
var temporary = []string{
	"max_connections=500",
	"shared_buffers=128MB",
	"fsync=off",
	"synchronous_commit=off",
	"full_page_writes=off",
	"wal_level=minimal",
	"max_wal_senders=0",
	"max_wal_size=2GB",
	"checkpoint_timeout=1h",
	"autovacuum=off",
}

// Start runs a server whose data survives it. It returns when the server takes connections. The server
// runs until Stop, or until this process ends.
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
	return start(ctx, home, Server{dir: dir, port: o.Port}, durable, o.Log)
}

// StartTemporary runs a fast server whose data is gone with it. The home is as
// in Options.
func StartTemporary(ctx context.Context, home string) (*Server, error) {
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
		s, err = start(ctx, home, Server{dir: dir, remove: folder}, temporary, nil)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return s, nil
}

// URL is the connection string of a database of this server.
func (s *Server) URL(database string) string { return URL(s.port, database) }

// URL is the connection string of a database of the server on a port.
func URL(port int, database string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", Superuser, port, database)
}

// Port is where the server listens.
func (s *Server) Port() int { return s.port }

// PID is the process to look for in the system's list.
func (s *Server) PID() int { return s.command.Process.Pid }

// Done is closed when the server has ended, by Stop or by itself.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop ends all connections and the server, and returns when it has ended. When ctx ends first the server is
// made to end at once, and recovers its data at the next start.
func (s *Server) Stop(ctx context.Context) error {
	if s.remove != "" {
		_ = s.command.Process.Signal(syscall.SIGQUIT) // nothing to write down
	} else {
		_ = s.command.Process.Signal(syscall.SIGINT)
	}
	select {
	case <-s.done:
	case <-ctx.Done():
		_ = s.command.Process.Signal(syscall.SIGQUIT)
		select {
		case <-s.done:
		case <-time.After(2 * time.Second):
			_ = s.command.Process.Kill()
			<-s.done
		}
	}
	s.guard.dismiss()
	if s.remove != "" {
		return os.RemoveAll(s.remove)
	}
	return nil
}

// programs returns where the programs lie, and how initdb is told the order of texts: by their code points.
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

// start runs the server; where the port is this package's choice and somebody else was faster, it takes another.
func start(ctx context.Context, home string, blank Server, settings []string, log io.Writer) (*Server, error) {
	if err := clearStale(ctx, blank.dir); err != nil {
		return nil, err
	}
	var err error
	for range portTries {
		s := blank
		if blank.port == 0 {
			if s.port, err = freeport.Pick(); err != nil {
				return nil, err
			}
		}
		if err = s.run(ctx, home, settings, log); err == nil {
			return &s, nil
		}
		if !s.tail.contains("could not create any TCP/IP sockets") || blank.port != 0 {
			break
		}
	}
	return nil, err
}

func (s *Server) run(ctx context.Context, home string, settings []string, log io.Writer) error {
	arguments := []string{"-D", s.dir, "-p", strconv.Itoa(s.port), "-h", "127.0.0.1", "-k", ""}
	for _, setting := range settings {
		arguments = append(arguments, "-c", setting)
	}
	s.tail = &tail{next: log}
	s.done = make(chan struct{})
	// Not CommandContext: the server outlives the start, and its end is Stop's affair.
	s.command = exec.Command(filepath.Join(home, "bin", "postgres"), arguments...) //nolint:noctx // our own program
	s.command.Dir = s.dir
	s.command.Env = environment()
	s.command.Stdout, s.command.Stderr = s.tail, s.tail
	s.command.WaitDelay = time.Second
	// In a process group of its own the terminal's Ctrl-C does not reach it before Stop does.
	s.command.SysProcAttr = &syscall.SysProcAttr{Credential: unprivileged(), Setpgid: true}
	if err := s.command.Start(); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	go func() {
		s.err = s.command.Wait()
		close(s.done)
	}()
	var err error
	if s.guard, err = watch(s.command.Process.Pid, s.dir, s.remove); err == nil {
		err = s.awaitReady(ctx)
	}
	if err != nil {
		_ = s.command.Process.Kill()
		<-s.done
		if s.guard != nil {
			s.guard.dismiss()
		}
	}
	return err
}

// awaitReady waits for the word "ready" that the server writes into its lock file.
func (s *Server) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		if lock, err := readLock(s.dir); err == nil && lock.pid == s.PID() && lock.ready {
			return nil
		}
		select {
		case <-s.done:
			return fmt.Errorf("PostgreSQL on port %d ended at its start: %w\n%s", s.port, s.err, s.tail)
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL on port %d did not get ready: %w\n%s", s.port, ctx.Err(), s.tail)
		case <-time.After(pollEvery):
		}
	}
}

// environment keeps settings meant for other servers (PGDATA, PGPORT, ...) away from ours.
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
}
