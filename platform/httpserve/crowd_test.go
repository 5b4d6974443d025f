package httpserve

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"capzone.dev/platform/await"
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

// party is a server for a small crowd. Who asks for /long is answered when all
// such are.
func party(t *testing.T, limit int) (server *httptest.Server, c *crowd, answer func()) {
	t.Helper()
	finish := make(chan struct{})
	c = newCrowd(limit)
	server = httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/long" {
			<-finish
		}
	}))
	server.Config.ConnState = c.note
	server.Start()
	t.Cleanup(server.Close)
	return server, c, func() { close(finish) }
}

func (c *crowd) count() (all, waiting int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.all), c.waiting.Len()
}

func (c *crowd) await(t *testing.T, all, waiting int) {
	t.Helper()
	await.That(t, "the crowd", func() bool { a, w := c.count(); return a == all && w == waiting })
}

func TestWhoHasWaitedForTheLongestMakesRoom(t *testing.T) {
	t.Parallel()
	server, crowd, _ := party(t, 3)
	silent := come(t, server)
	crowd.await(t, 1, 1)
	second := come(t, server)
	second.ask("/")
	if !second.isAnswered() {
		t.Error("the second is not answered")
	}
	crowd.await(t, 2, 2)
	third := come(t, server)
	crowd.await(t, 3, 3)

	fourth := come(t, server)
	fourth.ask("/")
	if !fourth.isAnswered() || !silent.isOut() {
		t.Error("the first, who said nothing, does not make room for the fourth")
	}
	crowd.await(t, 3, 3)
	// Whoever does something has not waited.
	second.ask("/")
	if !second.isAnswered() {
		t.Error("the second is not answered again")
	}
	crowd.await(t, 3, 3)
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

func TestWhoIsBeingServedIsNotDismissed(t *testing.T) {
	t.Parallel()
	server, crowd, answer := party(t, 2)
	first, second := come(t, server), come(t, server)
	first.ask("/long")
	second.ask("/long")
	crowd.await(t, 2, 0)
	if third := come(t, server); !third.isOut() {
		t.Error("there is room for a third")
	}
	answer()
	if !first.isAnswered() || !second.isAnswered() {
		t.Error("one who was being served is out")
	}
	crowd.await(t, 2, 2)
}

func TestWhoLeavesIsForgotten(t *testing.T) {
	t.Parallel()
	server, crowd, _ := party(t, 100)
	for range 20 {
		g := come(t, server)
		g.ask("/")
		if !g.isAnswered() {
			t.Fatal("not answered")
		}
		_ = g.conn.Close()
	}
	crowd.await(t, 0, 0)
}
