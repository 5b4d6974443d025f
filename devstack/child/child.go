// Package child runs server programs as child processes of this process, with which they end.
package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const (
	readyTimeout = time.Minute // PostgreSQL's recovery after a crash included
	pollInterval = 10 * time.Millisecond
	quitTimeout  = 2 * time.Second
)

// Spec describes how a server is started.
type Spec struct {
	Name        string // for error messages
	Program     string
	Arguments   []string
	Environment []string // all of it
	Dir         string
	Credential  *syscall.Credential // the user of the process, nil for that of this process
	Signal      syscall.Signal      // stops the server in good order, 0 for SIGTERM
	Remove      string              // a folder that is removed when the server has ended; may be empty
	Log         io.Writer           // receives the server's output, nil to drop it
	// Socket is a listening socket that the program inherits, by systemd's protocol for socket activation. It may be nil.
	Socket *os.File
	// Ready returns nil once the server serves. If it is nil, Start does not wait.
	Ready func(ctx context.Context) error
}

// Process is a running server.
type Process struct {
	command *exec.Cmd
	signal  syscall.Signal
	output  *tail
	done    chan struct{}
}

// guard becomes the program "$@", beside a shell that reads from a pipe of this process. The pipe ends when the program
// has ended, or with this process, however that ends. Then the shell sends the program the signal $1 and, once the
// program has ended, removes the folder $2, if any.
const guard = `
exec 9<&0 </dev/null
(
	exec 3<&- >/dev/null 2>&1
	read -r _ <&9
	kill "-$1" $$
	[ -n "$2" ] || exit
	tries=0
	while kill -0 $$ && [ $tries -lt 300 ]; do sleep 0.1; tries=$((tries + 1)); done
	rm -rf "$2"
) &
shift 2
exec "$@" 9<&-
`

// Start runs a server in a process group of its own, which the terminal's Ctrl-C does not reach, and returns when it
// serves. The end of ctx after that has no effect. The server is stopped when this process ends.
func Start(ctx context.Context, s Spec) (*Process, error) {
	if s.Signal == 0 {
		s.Signal = syscall.SIGTERM
	}
	arguments := []string{"-c", guard, "guard", strconv.Itoa(int(s.Signal)), s.Remove, s.Program}
	command := exec.Command("/bin/sh", append(arguments, s.Arguments...)...) //nolint:noctx // the server outlives ctx
	command.Env, command.Dir = s.Environment, s.Dir
	command.WaitDelay = time.Second
	command.SysProcAttr = &syscall.SysProcAttr{Credential: s.Credential, Setpgid: true}
	if s.Socket != nil {
		command.Env = append(slices.Clone(s.Environment), "LISTEN_FDS=1")
		command.ExtraFiles = []*os.File{s.Socket}
	}
	p := &Process{command: command, signal: s.Signal, output: &tail{next: s.Log}, done: make(chan struct{})}
	command.Stdout, command.Stderr = p.output, p.output
	if _, err := command.StdinPipe(); err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", s.Name, err)
	}
	go func() {
		_ = command.Wait()
		close(p.done)
	}()
	if s.Ready == nil {
		return p, nil
	}
	if err := p.awaitReady(ctx, s); err != nil {
		return nil, errors.Join(err, p.Kill())
	}
	return p, nil
}

func (p *Process) awaitReady(ctx context.Context, s Spec) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		err := s.Ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s ended at its start (%s): %s", s.Name, p.command.ProcessState, p.output)
		case <-ctx.Done():
			return fmt.Errorf("%s did not get ready: %w: %s", s.Name, err, p.output)
		case <-time.After(pollInterval):
		}
	}
}

// Listens returns a function for Ready that returns nil once a server listens on an address.
func Listens(address string) func(context.Context) error {
	return func(ctx context.Context) error {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err != nil {
			return err
		}
		return conn.Close()
	}
}

// PID returns the id of the process.
func (p *Process) PID() int { return p.command.Process.Pid }

// Done returns a channel that is closed when the server has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// State describes how the server has ended: "exit status 1".
func (p *Process) State() string { return p.command.ProcessState.String() }

// Stop stops the server and returns when it has ended. If ctx ends first, the server has to quit at once.
func (p *Process) Stop(ctx context.Context) error {
	_ = p.command.Process.Signal(p.signal)
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
	}
	_ = p.command.Process.Signal(syscall.SIGQUIT)
	select {
	case <-p.done:
		return nil
	case <-time.After(quitTimeout):
		return p.Kill()
	}
}

// Kill ends the server at once.
func (p *Process) Kill() error {
	err := p.command.Process.Kill()
	<-p.done
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// tail passes a log on and keeps its end for error messages.
type tail struct {
	next io.Writer

	mu   sync.Mutex
	text bytes.Buffer
}

const tailBytes = 4096

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.text.Write(p)
	t.text.Next(max(0, t.text.Len()-tailBytes))
	t.mu.Unlock()
	if t.next == nil {
		return len(p), nil
	}
	return t.next.Write(p)
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}
