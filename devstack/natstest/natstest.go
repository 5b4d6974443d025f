// Package natstest gives a test a NATS server with JetStream of its own, which the test may stop and start again.
//
// It is a program of its own. There is no setting for a server from outside: streams and subjects have fixed names, so
// that tests sharing one would read each other's messages.
package natstest

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testservers"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// Server is a test's NATS server.
type Server struct {
	tb      testing.TB
	options testservers.Options
	process *child.Process // nil while stopped
}

// Start runs a server with its streams in the test's temporary folder; it stops when the test ends.
func Start(tb testing.TB) *Server {
	tb.Helper()
	// A port that the system picks could be in use for an outgoing connection when the server restarts.
	port, err := freeport.Pick()
	require.NoError(tb, err)
	s := &Server{tb: tb, options: testservers.Options{Port: port, Dir: tb.TempDir()}}
	s.start()
	tb.Cleanup(s.Stop)
	return s
}

// URL is where clients connect; it stays the same over Restart.
func (s *Server) URL() string { return "nats://" + s.options.Address() }

// Stop takes the server down in good order, if it is up; clients lose their connections.
func (s *Server) Stop() {
	if s.process == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout) // it outlives the test's own context
	defer cancel()
	if err := s.process.Stop(ctx); err != nil {
		s.tb.Error(err)
	}
	s.process = nil
}

const stopTimeout = 10 * time.Second

func (s *Server) start() {
	s.tb.Helper()
	// It outlives the test's own context.
	process, err := testservers.StartNATS(context.Background(), s.options)
	require.NoError(s.tb, err)
	s.process = process
}

// Restart brings the server up (again) on the same port with the same streams.
func (s *Server) Restart() {
	s.tb.Helper()
	s.Stop()
	s.start()
}

// Connect returns a connection of the test's own, which soon notices a Restart.
func (s *Server) Connect() (*nats.Conn, jetstream.JetStream) {
	s.tb.Helper()
	nc, err := eventbus.Connect(s.URL(), "test", slog.New(slog.DiscardHandler), nats.ReconnectWait(10*time.Millisecond))
	require.NoError(s.tb, err)
	s.tb.Cleanup(nc.Close)
	eventually.WaitFor(s.tb, "the connection", nc.IsConnected)
	js, err := eventbus.JetStream(nc)
	require.NoError(s.tb, err)
	return nc, js
}

// Provision is Connect to a server that has the streams and consumers of the event catalogue from then on.
func (s *Server) Provision() (*nats.Conn, jetstream.JetStream) {
	s.tb.Helper()
	nc, js := s.Connect()
	eventually.WaitFor(s.tb, "the streams", func() bool { return eventbus.Provision(s.tb.Context(), js, 1) == nil })
	return nc, js
}

// Serve answers requests on a subject until the test ends or the returned function is called.
func Serve[Req, Resp any](
	tb testing.TB, nc *nats.Conn, subject string, answer func(ctx context.Context, req Req) (Resp, error),
) (stop func()) {
	tb.Helper()
	stop, err := eventbus.ServeRPC(nc, subject, "owners", slog.New(slog.DiscardHandler), answer)
	require.NoError(tb, err)
	// The server answers requests with "no responders" until it knows the subscription.
	require.NoError(tb, nc.Flush())
	stop = sync.OnceFunc(stop)
	tb.Cleanup(stop)
	return stop
}

// AwaitSettled waits until a consumer has delivered all that its stream has for it by now, and all of it is
// acknowledged.
func AwaitSettled(tb testing.TB, js jetstream.JetStream, c event.Consumer) {
	tb.Helper()
	// What was just published may not count as pending yet.
	last := lastOf(tb, js, c)
	eventually.WaitFor(tb, "consumer "+c.Name+" to settle", func() bool {
		consumer, err := js.Consumer(tb.Context(), c.Stream, c.Name)
		require.NoError(tb, err)
		info, err := consumer.Info(tb.Context())
		require.NoError(tb, err)
		return info.Delivered.Stream >= last && info.NumAckPending == 0
	})
}

// lastOf returns the sequence of the last message for a consumer; 0 is none.
func lastOf(tb testing.TB, js jetstream.JetStream, c event.Consumer) (last uint64) {
	tb.Helper()
	stream, err := js.Stream(tb.Context(), c.Stream)
	require.NoError(tb, err)
	for _, subject := range c.Subjects {
		msg, err := stream.GetLastMsgForSubject(tb.Context(), subject)
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound):
		case err != nil:
			tb.Fatal(err)
		default:
			last = max(last, msg.Sequence)
		}
	}
	return last
}
