package supervise

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"

	"capzone.dev/devstack/httpget"
)

// Spec describes a program to run.
type Spec struct {
	Name        string
	Program     string
	Arguments   []string
	Environment []string
	Dir         string
	ReadyURL    string // answers 200 once the program serves
	// Socket is a listening socket that the program inherits at each start, by systemd's protocol
	// for socket activation: connections that come during a restart wait in it. It may be nil.
	Socket *os.File
}

// Process is a program that is started again whenever it ends, until Stop.
type Process struct {
	spec  Spec
	lines *Lines
	begun func() // called after each start

	stop chan struct{} // closed by Stop
	done chan struct{} // closed when the program has ended and is not restarted

	mu       sync.Mutex
	stopping bool
	running  *exec.Cmd // nil between two starts
	deaths   int       // before it was ever ready
	ready    bool
	failed   chan struct{} // closed when it died too often before it was ever ready
}

const (
	firstDelay  = 500 * time.Millisecond // before a dead program is started again; doubles from death to death
	longestWait = 15 * time.Second
	steadyAfter = 30 * time.Second // a program that ran so long starts again without more delay
	startTries  = 3                // deaths of a program that was never ready, until that is an error
	pollEvery   = 25 * time.Millisecond

	answerTimeout = 2 * time.Second // of one question whether it is ready
)

// Keep starts a program and keeps it running. The function begun, if any, is called after each start.
func Keep(spec Spec, console *Console, begun func()) *Process {
	p := &Process{
		spec: spec, lines: console.Lines(spec.Name), begun: begun,
		stop: make(chan struct{}), done: make(chan struct{}), failed: make(chan struct{}),
	}
	go p.keep()
	return p
}

// Name is the name in the specification.
func (p *Process) Name() string { return p.spec.Name }

// PID is the running process's number, 0 while there is none.
func (p *Process) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil {
		return 0
	}
	return p.running.Process.Pid
}

// AwaitReady waits until the program serves. It fails when the program dies again and again.
func (p *Process) AwaitReady(ctx context.Context) error {
	last := errors.New("no answer yet")
	for {
		err := p.answers(ctx)
		if err == nil {
			p.mu.Lock()
			p.ready = true
			p.mu.Unlock()
			return nil
		}
		if ctx.Err() == nil {
			last = err
		}
		select {
		case <-p.failed:
			return fmt.Errorf("%s ended %d times before it was ready: see its lines above", p.spec.Name, startTries)
		case <-ctx.Done():
			return fmt.Errorf("%s did not get ready: %w (%w)", p.spec.Name, ctx.Err(), last)
		case <-time.After(pollEvery):
		}
	}
}

// answers returns nil when the program says that it is ready, and is the one that was started.
func (p *Process) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	_, err := httpget.Body(ctx, p.spec.ReadyURL)
	if err == nil && p.PID() == 0 {
		err = errors.New("somebody else answers")
	}
	return err
}

// Stop asks the program to end and returns when it has; when ctx ends first, it is killed.
func (p *Process) Stop(ctx context.Context) {
	p.mu.Lock()
	if !p.stopping {
		p.stopping = true
		close(p.stop)
		if p.running != nil {
			_ = p.running.Process.Signal(syscall.SIGTERM)
		}
	}
	p.mu.Unlock()
	select {
	case <-p.done:
		return
	case <-ctx.Done():
	}
	p.mu.Lock()
	if p.running != nil {
		p.lines.Say("does not stop: killed")
		_ = syscall.Kill(-p.running.Process.Pid, syscall.SIGKILL) // its whole process group
	}
	p.mu.Unlock()
	<-p.done
}

func (p *Process) keep() {
	defer close(p.done)
	delay := firstDelay
	for {
		began := time.Now()
		err := p.run()
		if p.noteDeath() {
			return
		}
		if time.Since(began) > steadyAfter {
			delay = firstDelay
		}
		p.lines.Say("ended by itself (%s), starts again in %s", reason(err), delay)
		select {
		case <-p.stop:
			return
		case <-time.After(delay):
		}
		delay = min(2*delay, longestWait)
	}
}

// run is one life of the program.
func (p *Process) run() error {
	command := exec.Command(p.spec.Program, p.spec.Arguments...) //nolint:noctx // its end is Stop's affair
	command.Env = p.spec.Environment
	command.Dir = p.spec.Dir
	if p.spec.Socket != nil {
		command.Env = append(slices.Clone(command.Env), "LISTEN_FDS=1")
		command.ExtraFiles = []*os.File{p.spec.Socket} // file descriptor 3
	}
	command.Stdout, command.Stderr = p.lines, p.lines
	command.WaitDelay = time.Second
	command.SysProcAttr = attributes()

	p.mu.Lock()
	if p.stopping {
		p.mu.Unlock()
		return nil
	}
	err := starter.start(command)
	if err == nil {
		p.running = command
	}
	p.mu.Unlock()
	if err != nil {
		return err
	}
	if p.begun != nil {
		p.begun()
	}
	err = command.Wait()
	p.mu.Lock()
	p.running = nil
	p.mu.Unlock()
	return err
}

// noteDeath counts an exit and reports whether it was requested.
func (p *Process) noteDeath() (wanted bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopping {
		return true
	}
	if !p.ready {
		if p.deaths++; p.deaths == startTries {
			close(p.failed)
		}
	}
	return false
}

func reason(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}
