package httpserve_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

// pipes is a listener whose connections live in memory, so that no real time passes on them in a synctest bubble.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     *sync.Once
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.accepted:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) dial() net.Conn {
	ours, theirs := net.Pipe()
	p.accepted <- theirs
	return ours
}

// slowClient uses a connection, and returns how long it could.
type slowClient func(t *testing.T, conn net.Conn, givenUp <-chan struct{}) time.Duration

// trickle is a client that writes a byte a second after the beginning of a request, until a write fails.
func trickle(requestLine, begin string) slowClient {
	return func(_ *testing.T, conn net.Conn, _ <-chan struct{}) time.Duration {
		go func() { _, _ = io.Copy(io.Discard, conn) }() // the response, after the timeout
		began := time.Now()
		_, err := io.WriteString(conn, requestLine+" HTTP/1.1\r\nHost: test\r\n"+begin)
		for err == nil {
			time.Sleep(time.Second)
			_, err = conn.Write([]byte("a"))
		}
		return time.Since(began)
	}
}

// neverRead is a client that asks for a path and reads nothing of the answer.
func neverRead(path string) slowClient {
	return func(_ *testing.T, conn net.Conn, givenUp <-chan struct{}) time.Duration {
		began := time.Now()
		if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: test\r\n\r\n"); err != nil {
			return 0
		}
		<-givenUp
		return time.Since(began)
	}
}

// How long a client may take for what, in a bubble in which time is counted and not waited for.
func TestServe_slow_clients(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		client slowClient
		within time.Duration
	}{
		{"sends nothing", func(_ *testing.T, conn net.Conn, _ <-chan struct{}) time.Duration {
			began := time.Now()
			_, _ = conn.Read(make([]byte, 1))
			return time.Since(began)
		}, 5 * time.Second},
		{"sends headers byte by byte", trickle("GET /read", "X-Slow: "), 5 * time.Second},
		{"sends a body byte by byte", trickle("POST /read", "Content-Length: 100000\r\n\r\n"), 60 * time.Second},
		{"sends a chunked body byte by byte",
			trickle("POST /read", "Transfer-Encoding: chunked\r\n\r\n100000\r\n"), 60 * time.Second},
		{"sends a refused body byte by byte",
			trickle("POST /refused", "Content-Length: 100000\r\n\r\n"), time.Second},
		{"sends a body to nowhere byte by byte",
			trickle("POST /nowhere", "Transfer-Encoding: chunked\r\n\r\n100000\r\n"), time.Second},
		{"does not read the answer", neverRead("/endless"), 60 * time.Second},
		{"does not read a stream", neverRead("/stream"), 30 * time.Second},
		{"does not read the pieces of a stream", func(t *testing.T, conn net.Conn, givenUp <-chan struct{}) time.Duration {
			t.Helper()
			go func() { _, _ = io.WriteString(conn, "GET /pieces HTTP/1.1\r\nHost: test\r\n\r\n") }()
			if _, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
				t.Error(err)
			}
			began := time.Now()
			<-givenUp
			return time.Since(began)
		}, 10 * time.Second},
		{"keeps a connection and asks nothing more", func(t *testing.T, conn net.Conn, _ <-chan struct{}) time.Duration {
			t.Helper()
			if _, err := io.WriteString(conn, "GET /read HTTP/1.1\r\nHost: test\r\n\r\n"); err != nil {
				t.Error(err)
			}
			answer := bufio.NewReader(conn)
			resp, err := http.ReadResponse(answer, nil)
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Errorf("no answer: %v", err)
				return 0
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			began := time.Now()
			_, _ = answer.ReadByte()
			return time.Since(began)
		}, 120 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				listener := pipes{make(chan net.Conn), make(chan struct{}), new(sync.Once)}
				givenUp := make(chan struct{})
				engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler)})
				engine.POST(
					"/refused",
					func(c *gin.Context) { httpserve.Render(c, problem.Forbidden("not_allowed", "No.")) },
				)
				endless := func(w io.Writer) {
					var err error
					for err == nil {
						_, err = io.WriteString(w, strings.Repeat("x", 1<<10))
					}
					close(givenUp)
				}
				engine.GET("/stream", func(c *gin.Context) {
					defer httpserve.BeginStream(c)()
					httpserve.PaceWrites(c)
					c.Header("Cache-Control", "no-store")
					endless(c.Writer)
				})
				engine.GET("/pieces", func(c *gin.Context) {
					httpserve.ServeStream(c, "text/event-stream", func(_ context.Context, s *httpserve.Stream) (err error) {
						for err == nil {
							err = s.Send(make([]byte, 1<<10))
						}
						if !errors.Is(err, httpserve.ErrSlowReader) {
							t.Errorf("the writer got %v", err)
						}
						close(givenUp)
						return err
					})
				})
				handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch r.URL.Path {
					case "/refused", "/nowhere", "/stream", "/pieces":
						engine.ServeHTTP(w, r)
					case "/endless":
						endless(w)
					default:
						_, _ = io.Copy(io.Discard, r.Body)
					}
				})
				ctx, stop := context.WithCancel(t.Context())
				served := make(chan error, 1)
				go func() {
					served <- httpserve.Serve(ctx, listener, handler, httpserve.Drain{}, slog.New(slog.DiscardHandler))
				}()
				conn := listener.dial()
				took := tt.client(t, conn, givenUp)
				_ = conn.Close()
				// A slow client's last byte goes nowhere a second after the cut.
				if took < tt.within || took > tt.within+2*time.Second {
					t.Errorf("it took %v, want %v", took, tt.within)
				}
				stop()
				if err := <-served; err != nil && !errors.Is(err, net.ErrClosed) {
					t.Error(err)
				}
			})
		})
	}
}
