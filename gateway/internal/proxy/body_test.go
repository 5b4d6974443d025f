package proxy

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// oneConn is a listener that accepts one connection in memory.
type oneConn struct {
	conn net.Conn
	once sync.Once
}

func (l *oneConn) Accept() (conn net.Conn, err error) {
	err = net.ErrClosed
	l.once.Do(func() { conn, err = l.conn, nil })
	return conn, err
}
func (*oneConn) Close() error   { return nil }
func (*oneConn) Addr() net.Addr { return &net.TCPAddr{} }

func TestPaceBody(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		rate   int // bytes a second
		length int
		want   time.Duration // when the body ends or is cut off
		whole  bool
	}{
		{"a quick client", 1 << 20, 4 << 20, 4 * time.Second, true},
		{"a slow line", 10 << 10, 200 << 10, 20 * time.Second, true},
		{"a client that hardly sends", 1, 100 << 10, 5 * time.Second, false},
		{"a client that sends below the least rate", 3 << 10, 1 << 20, 8 * time.Second, false},
		{"a body that takes too long", 16 << 10, 8 << 20, 60 * time.Second, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				done := make(chan struct{})
				server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					defer close(done)
					began := time.Now()
					n, err := io.Copy(io.Discard, paceBody(w, r).Body)
					if took := time.Since(began).Round(time.Second); (err == nil) != tt.whole || took != tt.want {
						t.Errorf("read %d bytes in %s: %v", n, took, err)
					}
					if !tt.whole {
						return
					}
					time.Sleep(time.Minute)
					if r.Context().Err() != nil {
						t.Error("the request ends while the service works")
					}
				})}
				go func() { _ = server.Serve(&oneConn{conn: theirs}) }()
				go func() { _, _ = io.Copy(io.Discard, ours) }()
				header := "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n"
				_, err := io.WriteString(ours, header)
				for sent := 0; err == nil && sent < tt.length; sent += tt.rate {
					time.Sleep(time.Second)
					_, err = io.WriteString(ours, chunk(tt.rate))
				}
				_, _ = io.WriteString(ours, "0\r\n\r\n")
				<-done
				_ = ours.Close()
				_ = server.Close()
			})
		})
	}
}

func chunk(size int) string { return fmt.Sprintf("%x\r\n%s\r\n", size, strings.Repeat("x", size)) }
