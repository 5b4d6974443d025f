package connlimit_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/gateway/internal/client"
	"capzone.dev/gateway/internal/connlimit"
)

// server serves a limited listener on all loopback addresses. A request for /long is answered when finish is called.
type server struct {
	*httptest.Server
	finish  func()
	waiting chan struct{} // gets an element for each request for /long whose body has arrived
}

func start(t *testing.T, limits connlimit.Limits) server {
	t.Helper()
	finished := make(chan struct{})
	s := server{waiting: make(chan struct{}, 10), finish: sync.OnceFunc(func() { close(finished) })}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/long" {
			s.waiting <- struct{}{}
			<-finished
		}
		_, _ = io.WriteString(w, "ok")
	}))
	listener := connlimit.NewListener(s.Listener, limits)
	s.Listener, s.Config.ConnState = listener, listener.ConnState
	s.Start()
	t.Cleanup(func() {
		s.finish() // where the test has failed before
		s.Close()
	})
	return s
}

// visitor is a client with a connection of its own.
type visitor struct {
	net.Conn
	t       *testing.T
	answers *bufio.Reader
}

func (s server) dial(t *testing.T, from string) visitor {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.DialContext(t.Context(), "tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return visitor{conn, t, bufio.NewReader(conn)}
}

func (v visitor) send(text string) {
	v.t.Helper()
	if _, err := io.WriteString(v, text); err != nil {
		v.t.Fatal(err)
	}
}

func (v visitor) get() { v.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n") }

func (v visitor) isAnswered() bool {
	resp, err := http.ReadResponse(v.answers, nil)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err == nil && resp.StatusCode == http.StatusOK
}

// isClosed waits until the server has closed the connection.
func (v visitor) isClosed() bool {
	_, err := v.answers.ReadByte()
	return err != nil
}

func TestListener_Accept(t *testing.T) {
	t.Parallel()
	t.Run("an address at its limit closes its own longest idle connection", func(t *testing.T) {
		t.Parallel()
		s := start(t, connlimit.Limits{Total: 100, PerAddress: 2})
		first, second, elsewhere := s.dial(t, "127.0.0.2"), s.dial(t, "127.0.0.2"), s.dial(t, "127.0.0.3")
		second.get()
		if !second.isAnswered() {
			t.Fatal("the second connection is not answered")
		}
		third := s.dial(t, "127.0.0.2")
		third.get()
		if !third.isAnswered() || !first.isClosed() {
			t.Error("the third connection does not take the place of the first")
		}
		elsewhere.get()
		if !elsewhere.isAnswered() {
			t.Error("a visitor from elsewhere is not answered")
		}
	})
	t.Run("a trusted proxy has no limit of its own", func(t *testing.T) {
		t.Parallel()
		s := start(t, connlimit.Limits{Total: 100, PerAddress: 1,
			Trusted: client.TrustedProxies{netip.MustParsePrefix("127.0.0.2/32")}})
		visitors := []visitor{s.dial(t, "127.0.0.2"), s.dial(t, "127.0.0.2"), s.dial(t, "127.0.0.2")}
		for _, v := range visitors {
			v.get()
			if !v.isAnswered() {
				t.Error("a connection of the proxy is closed")
			}
		}
	})
	t.Run("when all are in use, the slowest is closed", func(t *testing.T) {
		t.Parallel()
		s := start(t, connlimit.Limits{Total: 3, PerAddress: 100})
		slow, quick, other := s.dial(t, "127.0.0.2"), s.dial(t, "127.0.0.3"), s.dial(t, "127.0.0.4")
		slow.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000\r\n\r\na")
		for _, v := range []visitor{quick, other} {
			v.send("POST /long HTTP/1.1\r\nHost: test\r\nContent-Length: 500000\r\n\r\n")
			v.send(string(make([]byte, 500000)))
			<-s.waiting
		}
		eventually.WaitFor(t, "the slow connection to make room", func() bool {
			s.dial(t, "127.0.0.5").get()
			_ = slow.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
			_, err := slow.Read(make([]byte, 1))
			return err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
		})
		s.finish()
		if !quick.isAnswered() || !other.isAnswered() {
			t.Error("a connection that was quick is closed")
		}
	})
	t.Run("closed connections no longer count", func(t *testing.T) {
		t.Parallel()
		s := start(t, connlimit.Limits{Total: 2, PerAddress: 2})
		kept := s.dial(t, "127.0.0.2")
		for range 20 {
			v := s.dial(t, "127.0.0.2")
			v.send("GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
			if !v.isAnswered() || !v.isClosed() {
				t.Fatal("not answered")
			}
		}
		kept.get()
		if !kept.isAnswered() {
			t.Error("the first connection is closed")
		}
	})
}

// pipe is a listener with one connection in memory, as synctest needs it.
type pipe chan net.Conn

func (p pipe) Accept() (net.Conn, error) { return <-p, nil }
func (pipe) Close() error                { return nil }
func (pipe) Addr() net.Addr              { return &net.TCPAddr{} }

func TestListener_unread_responses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		listener := connlimit.NewListener(pipe(make(chan net.Conn, 1)), connlimit.Limits{Total: 10, PerAddress: 10})
		listener.Listener.(pipe) <- theirs
		conn, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		go func() {
			// A slow client reads for a minute, then it stops.
			for range 60 {
				time.Sleep(time.Second)
				_, _ = io.CopyN(io.Discard, ours, 32<<10)
			}
		}()
		n, err := conn.Write(make([]byte, 8<<20))
		if !errors.Is(err, os.ErrDeadlineExceeded) || n < 60*32<<10 {
			t.Errorf("wrote %d bytes, then %v", n, err)
		}
		if took := time.Since(began); took != 70*time.Second {
			t.Errorf("cut off after %s, want 10 s after the last read", took)
		}
		_ = conn.Close()
	})
}
