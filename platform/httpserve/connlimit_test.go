package httpserve

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
)

// guest is a client with a connection of its own.
type guest struct {
	t    *testing.T
	conn net.Conn
	said *bufio.Reader
}

func come(t *testing.T, server *httptest.Server) guest {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return guest{t, conn, bufio.NewReader(conn)}
}

func (g guest) ask(path string) {
	g.t.Helper()
	if _, err := io.WriteString(g.conn, "GET "+path+" HTTP/1.1\r\nHost: test\r\n\r\n"); err != nil {
		g.t.Fatal(err)
	}
}

func (g guest) isAnswered() bool {
	resp, err := http.ReadResponse(g.said, nil)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err == nil && resp.StatusCode == http.StatusOK
}

// isOut tells that the server has closed the connection.
func (g guest) isOut() bool {
	_, err := g.said.ReadByte()
	return err != nil
}

// limited is a server with a limit of connections. Who asks for /long is answered
// when all such are.
func limited(t *testing.T, limit int) (server *httptest.Server, c *connLimiter, answer func()) {
	t.Helper()
	finish := make(chan struct{})
	c = newConnLimiter(limit)
	server = httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/long" {
			<-finish
		}
	}))
	server.Config.ConnState = c.track
	server.Start()
	t.Cleanup(server.Close)
	return server, c, func() { close(finish) }
}

func (c *connLimiter) count() (all, idle int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.all), c.idle.Len()
}

func (c *connLimiter) await(t *testing.T, all, idle int) {
	t.Helper()
	eventually.That(t, "the connections", func() bool { a, w := c.count(); return a == all && w == idle })
}

func TestWhoIsIdleForTheLongestMakesRoom(t *testing.T) {
	t.Parallel()
	server, conns, _ := limited(t, 3)
	silent := come(t, server)
	conns.await(t, 1, 1)
	second := come(t, server)
	second.ask("/")
	if !second.isAnswered() {
		t.Error("the second is not answered")
	}
	conns.await(t, 2, 2)
	third := come(t, server)
	conns.await(t, 3, 3)

	fourth := come(t, server)
	fourth.ask("/")
	if !fourth.isAnswered() || !silent.isOut() {
		t.Error("the first, who said nothing, does not make room for the fourth")
	}
	conns.await(t, 3, 3)
	// Whoever does something is not idle.
	second.ask("/")
	if !second.isAnswered() {
		t.Error("the second is not answered again")
	}
	conns.await(t, 3, 3)
	fifth := come(t, server)
	fifth.ask("/")
	if !fifth.isAnswered() || !third.isOut() {
		t.Error("the third does not make room for the fifth")
	}
	second.ask("/")
	if !second.isAnswered() {
		t.Error("the second is out")
	}
}

func TestWhoIsBeingServedIsNotClosed(t *testing.T) {
	t.Parallel()
	server, conns, answer := limited(t, 2)
	first, second := come(t, server), come(t, server)
	first.ask("/long")
	second.ask("/long")
	conns.await(t, 2, 0)
	if third := come(t, server); !third.isOut() {
		t.Error("there is room for a third")
	}
	answer()
	if !first.isAnswered() || !second.isAnswered() {
		t.Error("one who was being served is out")
	}
	conns.await(t, 2, 2)
}

func TestWhoLeavesIsForgotten(t *testing.T) {
	t.Parallel()
	server, conns, _ := limited(t, 100)
	for range 20 {
		g := come(t, server)
		g.ask("/")
		if !g.isAnswered() {
			t.Fatal("not answered")
		}
		_ = g.conn.Close()
	}
	conns.await(t, 0, 0)
}
