package httpserve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/telemetry"
)

const (
	// maxDelay is how long a piece of a stream may wait for its reader.
	maxDelay = 10 * time.Second
	// maxUnsent is how many bytes may wait in the operating system's buffer of a connection.
	maxUnsent = 256 << 10
)

// ErrSlowReader ends a stream whose reader is too far behind.
var ErrSlowReader = problem.Overloaded("slow_reader", "The reader of the stream is too slow.")

// errDraining ends the streams of a server that stops.
var errDraining = errors.New("the server stops")

// drainKey is the key of the drainState of the server of a request.
type drainKey struct{}

// drainState is what streams need to know of their server.
type drainState struct {
	begins  context.Context //nolint:containedctx // ends when the server begins to stop
	streams sync.WaitGroup  // those that have taken their connections over
}

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
	if drain, ok := ctx.Value(drainKey{}).(*drainState); ok {
		stop = context.AfterFunc(drain.begins, func() { cancel(errDraining) })
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

func (b streamBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && errors.Is(context.Cause(b.ctx), errDraining) {
		err = io.EOF
	}
	return n, err
}

// Stream is a response that is sent piece by piece.
type Stream struct {
	conn    net.Conn
	chunked bool
	cutOff  context.CancelCauseFunc
}

// ServeStream answers with what write sends, until it returns. The context of write ends when the client has left or
// is too slow, or the server begins to stop.
//
// It takes the connection over and returns at once, because the goroutine of a request takes 44 KiB with its buffers,
// and those of a stream 12. AtEnd calls functions at the end of the stream. write must not use c.
func ServeStream(c *gin.Context, contentType string, write func(ctx context.Context, s *Stream) error) {
	if c.Request.Method == http.MethodHead {
		c.Header("Content-Type", contentType)
		c.Status(http.StatusOK)
		return
	}
	rc, route := requestContextOf(c.Request.Context()), routeOf(c)
	conn, _, err := http.NewResponseController(c.Writer).Hijack()
	if err != nil {
		Render(c, errPanic.Wrap(fmt.Errorf("take the connection over: %w", err)))
		return
	}
	_ = conn.SetDeadline(time.Time{})
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(maxUnsent)
	}
	drain, ok := c.Request.Context().Value(drainKey{}).(*drainState)
	if !ok {
		drain = &drainState{begins: context.Background()}
	}
	ctx, cancel := context.WithCancelCause(telemetry.WithRequestID(drain.begins, telemetry.RequestID(c.Request.Context())))
	s := &Stream{conn: conn, chunked: c.Request.ProtoAtLeast(1, 1), cutOff: cancel}
	c.Header("Content-Type", contentType)
	c.Header("Cache-Control", "no-store")
	head := s.head(c.Writer.Header())
	rc.beginStream()
	rc.stream = ctx

	drain.streams.Go(func() {
		defer func() { _ = conn.Close() }() // ends the other goroutine too
		defer cancel(nil)
		if err := s.run(ctx, head, write); err != nil && !isEnd(context.Cause(ctx)) {
			rc.report(ctx, route, problem.From(err), err)
		}
	})
	go func() {
		waitForEnd(conn)
		cancel(errClientLeft)
	}()
}

// waitForEnd returns when the connection is closed at either end. A client sends nothing meanwhile.
func waitForEnd(conn net.Conn) {
	buffer := make([]byte, 64)
	for {
		if _, err := conn.Read(buffer); err != nil {
			return
		}
	}
}

// errClientLeft ends the streams of clients that close their connections.
var errClientLeft = errors.New("the client has left")

// isEnd reports whether a stream's context ended with the client or the server.
func isEnd(cause error) bool {
	return errors.Is(cause, errClientLeft) || errors.Is(cause, context.Canceled)
}

// head returns the head of the response.
func (s *Stream) head(header http.Header) []byte {
	header.Set("Connection", "close")
	header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	header.Del("Content-Length")
	if s.chunked {
		header.Set("Transfer-Encoding", "chunked")
	}
	var head bytes.Buffer
	head.WriteString("HTTP/1.1 200 OK\r\n")
	_ = header.Write(&head)
	head.WriteString("\r\n")
	return head.Bytes()
}

// run sends the response. It ends as a complete one unless there is an error that is not the end of ctx: the reader
// must not take what it got for the whole.
func (s *Stream) run(ctx context.Context, head []byte, write func(context.Context, *Stream) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errPanic.Wrap(panicError{p, debug.Stack()})
		}
	}()
	if err := s.write(head); err != nil {
		return err
	}
	err = write(ctx, s)
	if err != nil && !errors.Is(context.Cause(ctx), context.Canceled) {
		return err
	}
	if s.chunked {
		return s.write([]byte("0\r\n\r\n"))
	}
	return nil
}

// pieceBuffers are the buffers of pieces that are being sent, of up to maxPooled bytes.
var pieceBuffers = sync.Pool{New: func() any { return new([]byte) }}

// Send sends a piece. A reader that does not take it within 10 seconds is cut off with ErrSlowReader, so that nothing
// waits in memory but what one call sends.
func (s *Stream) Send(piece []byte) error {
	if !s.chunked {
		return s.write(piece)
	}
	if len(piece) == 0 { // would be the end
		return nil
	}
	buffer, _ := pieceBuffers.Get().(*[]byte)
	*buffer = append(fmt.Appendf((*buffer)[:0], "%x\r\n", len(piece)), piece...)
	*buffer = append(*buffer, "\r\n"...)
	err := s.write(*buffer)
	if cap(*buffer) <= maxPooled {
		pieceBuffers.Put(buffer)
	}
	return err
}

// write writes bytes of the response.
func (s *Stream) write(b []byte) error {
	_ = s.conn.SetWriteDeadline(time.Now().Add(maxDelay))
	_, err := s.conn.Write(b)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		s.cutOff(ErrSlowReader)
		return ErrSlowReader.Wrap(err)
	case err != nil:
		s.cutOff(errClientLeft)
		return fmt.Errorf("write a stream: %w", err)
	}
	return nil
}

// takeTimeout is how long a client may take nothing of a response without a time limit.
const takeTimeout = 30 * time.Second

// PaceWrites cuts a response without a time limit off whose client takes nothing for takeTimeout.
func PaceWrites(c *gin.Context) { c.Writer = pacedWriter{c.Writer} }

type pacedWriter struct{ gin.ResponseWriter }

func (w pacedWriter) Write(p []byte) (int, error) {
	w.extend()
	return w.ResponseWriter.Write(p)
}

func (w pacedWriter) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

func (w pacedWriter) Flush() {
	w.extend()
	w.ResponseWriter.Flush()
}

// extend sets the deadline. The error is for writers without one, as in tests.
func (w pacedWriter) extend() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(takeTimeout))
}
