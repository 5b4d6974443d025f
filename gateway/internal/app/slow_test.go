package app_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/app"
)

// raw returns a connection to the gateway on which begin has been sent.
func (b *bundle) raw(t *testing.T, begin string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.site, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = io.WriteString(conn, begin)
	require.NoError(t, err)
	return conn
}

// memory returns the bytes that the process has in use.
func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

const (
	idleConnections = 1000
	// perConnection bounds the memory of an idle connection. Both of its ends are in this process.
	perConnection = 48 << 10
)

// Not parallel to others, whose memory would be counted too.
func TestGateway_idle_connections(t *testing.T) {
	b := setup(t, nil)
	b.get(t, "/api/v1/stats")
	before := memory()
	answers := make([]*bufio.Reader, idleConnections)
	for i := range answers {
		// Every other one has been answered before it idles.
		conn := b.raw(t, "")
		if i%2 == 0 {
			answers[i] = bufio.NewReaderSize(conn, 16)
			_, err := io.WriteString(conn, "GET /api/v1/stats HTTP/1.1\r\nHost: capzone.example\r\n\r\n")
			require.NoError(t, err)
		}
	}
	for i, answer := range answers {
		if answer == nil {
			continue
		}
		resp, err := http.ReadResponse(answer, nil)
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	each := (memory() - before) / idleConnections
	t.Logf("an idle connection takes %d bytes at both ends", each)
	if each > perConnection {
		t.Errorf("an idle connection takes %d bytes, more than %d", each, perConnection)
	}
	if got := b.get(t, "/api/v1/stats"); got.status != http.StatusOK {
		t.Errorf("with %d idle connections: %d", idleConnections, got.status)
	}
}

// A request whose body ends early must not reach the service as complete.
func TestGateway_upload_that_breaks_off(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	bearer := b.bearer(t, playerID)
	conn := b.raw(t, "POST /api/v1/records/submit"+host+"Content-Length: 100000\r\n"+bearer[0]+": "+bearer[1]+"\r\n\r\nhalf")
	inFlight := `gateway_replica_requests_in_flight{address="` + b.records.address() + `",service="records"} `
	eventually.WaitFor(t, "the upload", func() bool { return strings.Contains(b.metrics(t), inFlight+"1") })
	_ = conn.Close()
	eventually.WaitFor(t, "its end", func() bool { return strings.Contains(b.metrics(t), inFlight+"0") })
	if n := len(b.records.requests()); n != 0 {
		t.Errorf("the service got %d incomplete uploads as complete", n)
	}
}

func TestGateway_large_headers(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	const kib = 1 << 10
	for _, tt := range []struct {
		name, request string
		status        int
	}{
		{"a long header", "GET /api/v1/stats" + host + "X-Long: " + strings.Repeat("a", 8*kib), 200},
		{"a header that is too long", "GET /api/v1/stats" + host + "X-Long: " + strings.Repeat("a", 32*kib), 431},
		{"a header without end", "GET /api/v1/stats" + host + "X-Long: " + strings.Repeat("a", 4096*kib), 431},
		{"too many headers", "GET /api/v1/stats" + host + strings.Repeat("X-Many: a\r\n", 4*kib) + "X-Last: a", 431},
		{"an address that is too long", "GET /api/v1/maps/search?name=" + strings.Repeat("a", 32*kib) + host, 431},
		{"no host", "GET /api/v1/stats HTTP/1.1", 400},
		{"two hosts", "GET /api/v1/stats HTTP/1.1\r\nHost: capzone.example\r\nHost: evil.example", 400},
		{"two lengths", "POST /api/v1/auth/logout" + host + "Content-Length: 0\r\nContent-Length: 5", 400},
		{"a header with a line break in its name", "GET /api/v1/stats HTTP/1.1\r\nHost: capzone.example\r\nX-A b: c", 400},
		{"no HTTP", "HELO capzone.example", 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			conn := b.raw(t, "")
			go func() { _, _ = io.WriteString(conn, tt.request+"\r\n\r\n") }() // the answer may come before the end
			require.NoError(t, conn.SetReadDeadline(time.Now().Add(20*time.Second)))
			answer := bufio.NewReader(conn)
			resp, err := http.ReadResponse(answer, nil)
			require.NoError(t, err)
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if resp.StatusCode != tt.status {
				t.Errorf("got %d, want %d", resp.StatusCode, tt.status)
			}
			if tt.status == http.StatusOK {
				return
			}
			if _, err := answer.ReadByte(); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the connection is not closed: %v", err)
			}
		})
	}
}

// A request with two lengths can hide another one from the gateway, if the service reads it differently.
func TestGateway_request_smuggling(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config, _ *bundle) { cfg.TrustedProxies = nil })
	bearer := b.bearer(t, playerID)
	hidden := "GET /api/v1/hidden HTTP/1.1\r\nHost: capzone.example\r\n\r\n"
	conn := b.raw(t, "POST /api/v1/records/submit"+host+"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"+
		"Connection: close\r\n"+bearer[0]+": "+bearer[1]+"\r\n\r\n"+fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(hidden), hidden))
	if _, err := io.Copy(io.Discard, conn); err != nil && !errors.Is(err, net.ErrClosed) {
		t.Logf("the connection ends with %v", err)
	}
	for _, asked := range b.records.requests() {
		if asked.uri != "/api/v1/records/submit" || asked.body != hidden || len(asked.header.Values("Content-Length")) > 1 {
			t.Errorf("the service was asked %s %s with %q", asked.method, asked.uri, asked.body)
		}
	}
}
