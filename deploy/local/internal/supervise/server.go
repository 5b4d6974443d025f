package supervise

import (
	"context"
	"time"
)

// Server is a server that its own package starts and stops.
type Server interface {
	Port() int
	Done() <-chan struct{} // closed when it has ended, by Stop or by itself
	Stop(ctx context.Context) error
}

// KeptServer is a server that is started again, on the same port, whenever it ends, until Stop.
type KeptServer struct {
	port int
	stop chan struct{}
	done chan struct{}
	end  context.Context // of the last Stop; set before stop is closed
}

// KeepServer starts a server, by a function that is given port 0 the first time and the port that was found
// then ever after, and keeps it running.
func KeepServer(ctx context.Context, lines *Lines,
	start func(ctx context.Context, port int) (Server, error)) (*KeptServer, error) {
	server, err := start(ctx, 0)
	if err != nil {
		return nil, err
	}
	k := &KeptServer{port: server.Port(), stop: make(chan struct{}), done: make(chan struct{})}
	go k.keep(server, lines, start)
	return k, nil
}

// Port is where the server listens.
func (k *KeptServer) Port() int { return k.port }

// Stop ends the server; it is made to when ctx ends first.
func (k *KeptServer) Stop(ctx context.Context) {
	k.end = ctx
	close(k.stop)
	<-k.done
}

func (k *KeptServer) keep(server Server, lines *Lines, start func(context.Context, int) (Server, error)) {
	defer close(k.done)
	// A start that Stop overtakes is given up.
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-k.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	delay := firstDelay
	for {
		if server != nil {
			began := time.Now()
			select {
			case <-k.stop:
				if err := server.Stop(k.end); err != nil {
					lines.Say("did not stop well: %v", err)
				}
				return
			case <-server.Done():
				_ = server.Stop(ctx) // clears up after it
				lines.Say("ended by itself, starts again in %s", delay)
			}
			if time.Since(began) > steadyAfter {
				delay = firstDelay
			}
		}
		select {
		case <-k.stop:
			return
		case <-time.After(delay):
		}
		delay = min(2*delay, longestWait)
		var err error
		if server, err = start(ctx, k.port); err != nil {
			server = nil
			lines.Say("does not start: %v", err)
		}
	}
}
