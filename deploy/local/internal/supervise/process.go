package supervise

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/httpget"
)

const (
	firstDelay  = 200 * time.Millisecond // before the restart; doubles from end to end
	maxDelay    = 15 * time.Second
	steadyAfter = 30 * time.Second // after this time in operation, the delay is firstDelay again

	startTries    = 3 // ends of a program that was never ready, until that is an error
	pollInterval  = 25 * time.Millisecond
	answerTimeout = 2 * time.Second // of one readiness check
)

// Process is a program that is started again whenever it ends, until Stop.
type Process struct {
	spec     child.Spec
	readyURL string // answers 200 once the program serves
	lines    *Lines
	onStart  func() // called after each start
	stop     chan context.Context
	stopped  chan struct{} // closed at the end of Stop
	pid      atomic.Int64
	ends     atomic.Int32 // how often it has ended by itself
}

// Start starts a program and keeps it running. The program answers at readyURL with 200 once it serves. The console
// shows its output, and the function onStart is called after each start. Connections that come during a restart wait
// in the program's socket, if it has one.
func Start(spec child.Spec, readyURL string, console *Console, onStart func()) *Process {
	lines := console.Lines(spec.Name)
	spec.Log = lines
	p := &Process{
		spec: spec, readyURL: readyURL, lines: lines, onStart: onStart,
		stop: make(chan context.Context), stopped: make(chan struct{}),
	}
	go p.run()
	return p
}

// Stop terminates the program and returns when it has ended. If ctx ends first, it is killed.
func (p *Process) Stop(ctx context.Context) {
	select {
	case p.stop <- ctx:
		<-p.stopped
	case <-p.stopped:
	}
}

func (p *Process) run() {
	defer close(p.stopped)
	for delay := firstDelay; ; delay = min(2*delay, maxDelay) {
		began := time.Now()
		running, err := child.Start(context.Background(), p.spec)
		outcome := "does not start"
		if err == nil {
			p.pid.Store(int64(running.PID()))
			p.onStart()
			select {
			case ctx := <-p.stop:
				_ = running.Stop(ctx)
				if ctx.Err() != nil {
					p.lines.Printf("does not stop: killed")
				}
				return
			case <-running.Done():
				outcome, err = "ended by itself", errors.New(running.State())
			}
		}
		p.ends.Add(1)
		if time.Since(began) > steadyAfter {
			delay = firstDelay
		}
		p.lines.Printf("%s (%v), starts again in %s", outcome, err, delay)
		select {
		case <-p.stop:
			return
		case <-time.After(delay):
		}
	}
}

// PID returns the id of the process that was started last, 0 where none was started yet.
func (p *Process) PID() int { return int(p.pid.Load()) }

// AwaitReady waits until the program serves for the first time. It returns an error if the program ends several times
// before that.
func (p *Process) AwaitReady(ctx context.Context) error {
	for {
		err := p.checkReady(ctx)
		if err == nil {
			return nil
		}
		if p.ends.Load() >= startTries {
			return fmt.Errorf("%s ended %d times before it was ready: see its lines above", p.spec.Name, startTries)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s did not get ready: %w", p.spec.Name, err)
		case <-time.After(pollInterval):
		}
	}
}

// checkReady returns nil if the program is ready.
func (p *Process) checkReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	_, err := httpget.Body(ctx, p.readyURL)
	return err
}
