package siege_test

import (
	"context"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// dial opens a connection to a gateway from an address.
func dial(ctx context.Context, from, site string) (net.Conn, error) {
	address, err := url.Parse(site)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: patience}
	return dialer.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", address.Port()))
}

// patience is how long an attacker waits for an answer.
const patience = 5 * time.Second

// hold opens so many connections from each address, writes a request on each and keeps them open until ctx ends. It
// returns how many of them the gateway has closed by then.
func hold(ctx context.Context, addresses []string, each int, request string) (closed int) {
	var (
		group sync.WaitGroup
		mu    sync.Mutex
	)
	for _, address := range addresses {
		for range each {
			group.Go(func() {
				if holdOne(ctx, address, request) {
					mu.Lock()
					defer mu.Unlock()
					closed++
				}
			})
		}
	}
	group.Wait()
	return closed
}

// holdOne holds one connection. It reports whether the gateway refused or closed it.
func holdOne(ctx context.Context, address, request string) (closed bool) {
	connection, err := dial(ctx, address, system.Stack.Site)
	if err != nil {
		return ctx.Err() == nil
	}
	defer connection.Close()
	_ = connection.(*net.TCPConn).SetReadBuffer(4 << 10)
	if _, err := io.WriteString(connection, request); err != nil {
		return true
	}
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-ticker.C:
		}
		// A byte keeps a slow request alive; writing it fails when the gateway has closed the connection.
		if _, err := io.WriteString(connection, "x"); err != nil {
			return true
		}
	}
}

func newAddresses(count int) (all []string) {
	for range count {
		all = append(all, newAddress())
	}
	return all
}

func TestConnections_that_do_not_read(t *testing.T) {
	forgetMemory("gateway")
	request := strings.Repeat("GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n", 20)
	readWhile(t, patience, func(ctx context.Context) {
		ctx, stop := context.WithTimeout(ctx, 6*time.Second)
		defer stop()
		hold(ctx, newAddresses(1), 2000, request)
	})
	held := memory(t, "gateway")
	t.Logf("the gateway held %d MiB", held)
	if held > 250 {
		t.Errorf("the gateway held %d MiB, want at most 250", held)
	}
}

func TestConnections_that_send_refused_bodies(t *testing.T) {
	request := "POST /api/v1/records/submit HTTP/1.1\r\nHost: localhost\r\n" +
		"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n--b"
	const addresses, each = 15, 60
	readWhile(t, patience, func(ctx context.Context) {
		ctx, stop := context.WithTimeout(ctx, 4*time.Second)
		defer stop()
		if closed := hold(ctx, newAddresses(addresses), each, request); closed < addresses*each*9/10 {
			t.Errorf("%d of %d refused uploads were cut off", closed, addresses*each)
		}
	})
}
