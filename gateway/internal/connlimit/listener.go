// Package connlimit bounds the connections of the gateway: their number, in all and of one address, and how long a
// client may leave a response unread.
package connlimit

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"capzone.dev/gateway/internal/client"
)

const (
	// sampleSize is how many connections are compared to find a slow one, so that a new connection costs the same
	// however many there are.
	sampleSize = 64
	// unreadTimeout is how long a write may wait for a client that does not read.
	unreadTimeout = 10 * time.Second
	// writeSize is how much has to be read within that time, in bytes.
	writeSize = 32 << 10
)

// Limits are the bounds of a Listener.
type Limits struct {
	// Total bounds all connections. Each takes about 20 KiB of memory when it is idle.
	Total int
	// PerAddress bounds the connections of one IPv4 address or /64 network of IPv6. Those of trusted proxies are not
	// bounded.
	PerAddress int
	Trusted    client.TrustedProxies
}

// Listener is a listener that bounds its connections. When there is one more than allowed, it closes the slowest of a
// sample: the one that has been idle for the longest, else the one whose request moves the fewest bytes a second.
type Listener struct {
	net.Listener
	limits Limits

	mu        sync.Mutex
	conns     map[*conn]struct{}
	byAddress map[netip.Addr]map[*conn]struct{}
}

// NewListener returns a listener with limits.
func NewListener(listener net.Listener, limits Limits) *Listener {
	return &Listener{
		Listener: listener, limits: limits,
		conns: map[*conn]struct{}{}, byAddress: map[netip.Addr]map[*conn]struct{}{},
	}
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: accepted, listener: l, idle: true, since: time.Now()}
	peer, err := netip.ParseAddrPort(accepted.RemoteAddr().String())
	if address := peer.Addr().Unmap(); err == nil && !l.limits.Trusted.Contain(address) {
		c.address = client.Network(address)
	}
	if slow := l.add(c); slow != nil {
		_ = slow.Close()
	}
	return c, nil
}

// add adds a connection, and returns one that has to be closed, or nil.
func (l *Listener) add(c *conn) (slow *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ofAddress := l.byAddress[c.address]; c.address.IsValid() && len(ofAddress) >= l.limits.PerAddress {
		slow = slowest(ofAddress)
	} else if len(l.conns) >= l.limits.Total {
		slow = slowest(l.conns)
	}
	if slow != nil {
		l.remove(slow)
	}
	l.conns[c] = struct{}{}
	if l.byAddress[c.address] == nil {
		l.byAddress[c.address] = map[*conn]struct{}{}
	}
	l.byAddress[c.address][c] = struct{}{}
	return slow
}

// remove removes a connection, which may have been removed before.
func (l *Listener) remove(c *conn) {
	delete(l.conns, c)
	delete(l.byAddress[c.address], c)
	if len(l.byAddress[c.address]) == 0 {
		delete(l.byAddress, c.address)
	}
}

// slowest returns the slowest connection of a sample: a map is read in a random order.
func slowest(conns map[*conn]struct{}) (slow *conn) {
	now, sampled, least := time.Now(), 0, 0.0
	for c := range conns {
		if score := c.score(now); slow == nil || score < least {
			slow, least = c, score
		}
		if sampled++; sampled == sampleSize {
			break
		}
	}
	return slow
}

// score returns how much a connection is used: the bytes a second of its request, or minus the seconds for which it has
// been idle. The caller holds the listener's lock.
func (c *conn) score(now time.Time) float64 {
	lasted := now.Sub(c.since).Seconds()
	if c.idle {
		return -lasted
	}
	// The second added keeps a request that has just begun from being the slowest.
	return float64(c.bytes.Load()+1<<10) / (lasted + 1)
}

// ConnState is the ConnState of the http.Server that serves the listener.
func (l *Listener) ConnState(served net.Conn, state http.ConnState) {
	c, ok := served.(*conn)
	if !ok || state != http.StateActive && state != http.StateIdle {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c.idle, c.since = state == http.StateIdle, time.Now()
	c.bytes.Store(0)
}

// conn is a connection of a Listener.
type conn struct {
	net.Conn
	listener *Listener
	address  netip.Addr // not valid for a trusted proxy

	// idle is true when no request has begun, since is when that changed. listener.mu guards both. bytes counts the
	// bytes of the request and its response.
	idle  bool
	since time.Time
	bytes atomic.Int64

	// writeDeadline is the server's, in Unix nanoseconds, 0 for none.
	writeDeadline atomic.Int64
}

// Read implements net.Conn.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.bytes.Add(int64(n))
	return n, err
}

// Write implements net.Conn. It fails where the client does not read for unreadTimeout.
func (c *conn) Write(b []byte) (n int, err error) {
	for len(b) > 0 && err == nil {
		deadline := time.Now().Add(unreadTimeout)
		if server := c.writeDeadline.Load(); server != 0 && server < deadline.UnixNano() {
			deadline = time.Unix(0, server)
		}
		if err := c.Conn.SetWriteDeadline(deadline); err != nil {
			return n, err
		}
		var written int
		written, err = c.Conn.Write(b[:min(len(b), writeSize)])
		c.bytes.Add(int64(written))
		n, b = n+written, b[written:]
	}
	return n, err
}

// SetWriteDeadline implements net.Conn. The next Write applies the deadline.
func (c *conn) SetWriteDeadline(t time.Time) error {
	if t.IsZero() {
		c.writeDeadline.Store(0)
	} else {
		c.writeDeadline.Store(t.UnixNano())
	}
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline implements net.Conn.
func (c *conn) SetDeadline(t time.Time) error {
	if err := c.SetWriteDeadline(t); err != nil {
		return err
	}
	return c.SetReadDeadline(t)
}

// CloseWrite lets net/http send a last response before it closes the connection.
func (c *conn) CloseWrite() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// SetWriteBuffer sets the size of the operating system's buffer of what is sent, as the method of net.TCPConn does.
func (c *conn) SetWriteBuffer(bytes int) error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return tcp.SetWriteBuffer(bytes)
	}
	return nil
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.listener.mu.Lock()
	c.listener.remove(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}
