package httpserve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/problem"
)

const (
	// maxBehind is how many bytes of a stream may wait for its reader.
	maxBehind = 1 << 20
	// maxDelay is how long they may wait.
	maxDelay = 10 * time.Second
)

// ErrSlowReader ends a stream whose reader is too far behind.
var ErrSlowReader = problem.Overloaded("slow_reader", "The reader of the stream is too slow.")

// errDraining ends the streams of a server that stops.
var errDraining = errors.New("the server stops")

// drainKey is the key of the context that ends when the server begins to stop.
type drainKey struct{}

// BeginStream makes the response to a request one without a time limit, which is counted apart from others. The
// request's context ends when the server begins to stop. The caller calls end after the response.
func BeginStream(c *gin.Context) (end func()) {
	controller := http.NewResponseController(c.Writer)
	// The errors are for writers without deadlines, as in tests. net/http reads on, to notice a client that leaves.
	_ = controller.SetReadDeadline(time.Time{})
	_ = controller.SetWriteDeadline(time.Time{})
	if rc := requestContextOf(c.Request.Context()); rc != nil {
		rc.beginStream()
	}
	ctx, cancel := context.WithCancelCause(c.Request.Context())
	stop := func() bool { return false }
	if draining, ok := ctx.Value(drainKey{}).(context.Context); ok {
		stop = context.AfterFunc(draining, func() { cancel(errDraining) })
	}
	c.Request = c.Request.WithContext(ctx)
	return func() {
		stop()
		cancel(nil)
	}
}

// EndWithServer returns the body of a stream's response, which ends without an error when the server of the request
// with ctx begins to stop.
func EndWithServer(ctx context.Context, body io.ReadCloser) io.ReadCloser {
	return streamBody{body, ctx}
}

type streamBody struct {
	io.ReadCloser
	ctx context.Context //nolint:containedctx // that of the request, which the reader does not know
}

// Read implements io.Reader.
func (b streamBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && errors.Is(context.Cause(b.ctx), errDraining) {
		err = io.EOF
	}
	return n, err
}

// Stream is a response that is sent piece by piece.
type Stream struct {
	cutOff func()

	mu      sync.Mutex
	pending []byte
	sending int // bytes that are being written
	failed  error
	ready   chan struct{} // has an element while something is pending
	flushed chan struct{} // has an element after something was sent
}

// ServeStream answers with what write sends, until it returns. The context of write ends when the client has left or
// is too far behind, or the server begins to stop.
func ServeStream(c *gin.Context, contentType string, write func(ctx context.Context, s *Stream) error) {
	defer BeginStream(c)()
	ctx, cancel := context.WithCancelCause(c.Request.Context())
	defer cancel(nil)
	controller := http.NewResponseController(c.Writer)
	s := &Stream{ready: make(chan struct{}, 1), flushed: make(chan struct{}, 1)}
	s.cutOff = func() {
		cancel(ErrSlowReader)
		_ = controller.SetWriteDeadline(time.Now()) // ends a write that waits
	}
	c.Header("Content-Type", contentType)
	c.Header("Cache-Control", "no-store")
	c.Status(http.StatusOK)
	c.Writer.WriteHeaderNow()
	_ = controller.Flush()

	done := make(chan error, 1)
	go func() { done <- s.run(ctx, write) }()
	for {
		select {
		case <-s.ready:
			if err := s.flush(c.Writer, controller); err != nil {
				cancel(err)
				<-done                      //nolint:errcheck // the error of run is that of the reader
				panic(http.ErrAbortHandler) // the reader must not take what it got for the whole
			}
		case err := <-done:
			if err == nil || ctx.Err() != nil && !errors.Is(context.Cause(ctx), ErrSlowReader) {
				err = s.flush(c.Writer, controller)
			}
			if err != nil {
				reportProblem(c, problem.From(err), err)
				panic(http.ErrAbortHandler)
			}
			return
		}
	}
}

func (s *Stream) run(ctx context.Context, write func(context.Context, *Stream) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicError{p, debug.Stack()}
		}
	}()
	return write(ctx, s)
}

// Send sends a piece without waiting for the reader. It returns ErrSlowReader, which ends the stream, or the error of
// the connection.
func (s *Stream) Send(piece []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return s.failed
	}
	if s.sending+len(s.pending)+len(piece) > maxBehind {
		s.failed = ErrSlowReader
		s.cutOff()
		return s.failed
	}
	s.pending = append(s.pending, piece...)
	signal(s.ready)
	return nil
}

// Flush waits until the reader's connection has taken all that was sent. Who sends more than a reader can be behind waits
// from time to time. It returns the error of ctx or of the connection. One goroutine calls it at a time.
func (s *Stream) Flush(ctx context.Context) error {
	for {
		s.mu.Lock()
		waiting, failed := s.sending+len(s.pending), s.failed
		s.mu.Unlock()
		if failed != nil || waiting == 0 {
			return failed
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.flushed:
		}
	}
}

// signal puts an element into a channel for one.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// flush writes what is pending.
func (s *Stream) flush(w io.Writer, controller *http.ResponseController) error {
	s.mu.Lock()
	pieces, failed := s.pending, s.failed
	s.pending, s.sending = nil, len(pieces)
	s.mu.Unlock()
	if failed != nil || len(pieces) == 0 {
		return failed
	}
	_ = controller.SetWriteDeadline(time.Now().Add(maxDelay))
	_, err := w.Write(pieces)
	if err == nil {
		err = controller.Flush()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sending = 0
	signal(s.flushed)
	if s.failed == nil && err != nil {
		s.failed = fmt.Errorf("write a stream: %w", err)
	}
	return s.failed
}
