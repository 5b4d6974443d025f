package supervise

import (
	"context"
	"sync"
	"time"
)

const (
	firstDelay  = 500 * time.Millisecond // before the restart; doubles from end to end
	maxDelay    = 15 * time.Second
	steadyAfter = 30 * time.Second // after this time in operation, the delay is firstDelay again
)

// Instance is a running program or server.
type Instance interface {
	Done() <-chan struct{} // closed when it has ended
	State() string         // describes how it has ended: "exit status 1"
	// Stop returns when it has ended and has been cleaned up. If ctx ends first, it is killed.
	Stop(ctx context.Context) error
}

// supervisor starts an instance again whenever it ends, until Stop.
type supervisor struct {
	lines *Lines
	start func(ctx context.Context) (Instance, error)
	ended func() // called after each end that was not requested

	stopOnce sync.Once
	stopCtx  context.Context // of Stop, set before cancel is called
	ctx      context.Context // ends with Stop
	cancel   context.CancelFunc
	done     chan struct{}
}

// newSupervisor supervises the first instance, which it starts if it is nil.
func newSupervisor(
	lines *Lines, first Instance, start func(ctx context.Context) (Instance, error), ended func(),
) *supervisor {
	s := &supervisor{lines: lines, start: start, ended: ended, done: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	go s.run(first)
	return s
}

// Stop stops the instance and returns when it has ended. If ctx ends first, it is killed.
func (s *supervisor) Stop(ctx context.Context) {
	s.stopOnce.Do(func() {
		s.stopCtx = ctx
		s.cancel()
	})
	<-s.done
}

func (s *supervisor) run(instance Instance) {
	defer close(s.done)
	for delay := firstDelay; ; delay = min(2*delay, maxDelay) {
		began := time.Now()
		outcome := "does not start"
		var err error
		if instance == nil {
			instance, err = s.start(s.ctx)
		}
		if err == nil {
			select {
			case <-s.ctx.Done():
				if err := instance.Stop(s.stopCtx); err != nil {
					s.lines.Printf("did not stop well: %v", err)
				}
				return
			case <-instance.Done():
				_ = instance.Stop(context.Background())
				outcome = "ended by itself (" + instance.State() + ")"
			}
		} else {
			outcome += " (" + err.Error() + ")"
		}
		instance = nil
		if s.ctx.Err() != nil {
			return
		}
		s.ended()
		if time.Since(began) > steadyAfter {
			delay = firstDelay
		}
		s.lines.Printf("%s, starts again in %s", outcome, delay)
		select {
		case <-s.ctx.Done():
			return
		case <-time.After(delay):
		}
	}
}

// Server is a server that another package starts.
type Server interface {
	Instance
	Port() int
}

// SupervisedServer is a server that is started again, on the same port, whenever it ends, until Stop.
type SupervisedServer struct {
	*supervisor

	port int
}

// StartServer starts a server and keeps it running. It calls start with port 0 first, and later with the
// port of the first server.
func StartServer(
	ctx context.Context, lines *Lines, start func(ctx context.Context, port int) (Server, error),
) (*SupervisedServer, error) {
	first, err := start(ctx, 0)
	if err != nil {
		return nil, err
	}
	port := first.Port()
	again := func(ctx context.Context) (Instance, error) { return start(ctx, port) }
	return &SupervisedServer{newSupervisor(lines, first, again, func() {}), port}, nil
}

// Port returns the port that the server listens on.
func (s *SupervisedServer) Port() int { return s.port }
