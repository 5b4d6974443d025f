package realservers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"capzone.dev/devstack/freeport"
)

// Process is a running server.
type Process struct {
	name    string
	port    int
	monitor int // of a NATS server as in production
	command *exec.Cmd
	said    *tail
	done    chan struct{}
}

const (
	readyTimeout = 30 * time.Second
	pollEvery    = 20 * time.Millisecond
)

// spec describes how a server is started.
type spec struct {
	name        string
	program     string
	arguments   []string
	environment []string
	// ready returns nil once the server serves.
	ready func(ctx context.Context) error
}

// start runs a server on a port, or on a free one where it is 0, and returns
// when it serves.
func start(ctx context.Context, port int, of func(port int) spec) (*Process, error) {
	if port == 0 {
		var err error
		if port, err = freeport.Pick(); err != nil {
			return nil, err
		}
	}
	s := of(port)
	p := &Process{name: s.name, port: port, said: &tail{}, done: make(chan struct{})}
	// Not CommandContext: the server outlives its start.
	p.command = exec.Command(s.program, s.arguments...) //nolint:noctx // installed by this package
	p.command.Env = append(os.Environ(), s.environment...)
	p.command.Stdout, p.command.Stderr = p.said, p.said
	p.command.WaitDelay = time.Second
	p.command.SysProcAttr = attributes()
	if err := p.run(); err != nil {
		return nil, fmt.Errorf("start %s: %w", s.name, err)
	}
	if err := p.awaitReady(ctx, s.ready); err != nil {
		return nil, errors.Join(err, p.Kill())
	}
	return p, nil
}

// run starts the program from a thread that lasts as long as the program: Linux
// ends it together with the thread that started it (see attributes).
func (p *Process) run() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := p.command.Start()
		started <- err
		if err == nil {
			_ = p.command.Wait()
			close(p.done)
		}
	}()
	return <-started
}

func (p *Process) awaitReady(ctx context.Context, ready func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s ended at its start: %s", p.name, p.said)
		case <-ctx.Done():
			return fmt.Errorf("%s did not get ready: %w: %s", p.name, err, p.said)
		case <-time.After(pollEvery):
		}
	}
}

// Port is where the server listens.
func (p *Process) Port() int { return p.port }

// MonitorPort is where a NATS server as in production answers health checks.
func (p *Process) MonitorPort() int { return p.monitor }

// PID is the process to look for in the system's list.
func (p *Process) PID() int { return p.command.Process.Pid }

// Stop asks the server to end and returns when it has; it is killed when ctx
// ends first.
func (p *Process) Stop(ctx context.Context) error {
	_ = p.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
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

// tail keeps the end of what a server says.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
}

const tailBytes = 8 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text.Write(p)
	if over := t.text.Len() - tailBytes; over > 0 {
		t.text.Next(over)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}
