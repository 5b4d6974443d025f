package httpserve

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// maxConnections bounds the connections of a server, each of which costs about
// 20 KiB of memory also when nothing happens on it.
const maxConnections = 8192

// connLimiter keeps the connections of a server below a number: where one more comes,
// the one that has been idle for the longest is closed. Whoever holds
// connections without using them keeps nobody else out; clients open a new one
// where a kept one was closed. Where all are in use it is the newest that goes.
type connLimiter struct {
	limit int

	mu sync.Mutex
	// all holds every connection; the value is its place among the idle, nil
	// while it is in use.
	all map[net.Conn]*list.Element
	// idle are those on which no request is under way, the longest idle first.
	idle *list.List
}

func newConnLimiter(limit int) *connLimiter {
	return &connLimiter{limit: limit, all: map[net.Conn]*list.Element{}, idle: list.New()}
}

// track is the server's ConnState.
func (c *connLimiter) track(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.all[conn] = c.idle.PushBack(conn)
		if len(c.all) > c.limit {
			c.closeIdlest()
		}
	case http.StateActive:
		c.leaveIdle(conn)
	case http.StateIdle:
		if _, known := c.all[conn]; known {
			c.all[conn] = c.idle.PushBack(conn)
		}
	case http.StateClosed, http.StateHijacked:
		c.leaveIdle(conn)
		delete(c.all, conn)
	}
}

// closeIdlest closes the connection that has been idle for the longest. The server
// notes the end later, but it counts from now on.
func (c *connLimiter) closeIdlest() {
	idlest := c.idle.Front().Value.(net.Conn) //nolint:forcetypeassert // nothing else is put there
	c.leaveIdle(idlest)
	delete(c.all, idlest)
	_ = idlest.Close()
}

func (c *connLimiter) leaveIdle(conn net.Conn) {
	if place := c.all[conn]; place != nil {
		c.idle.Remove(place)
		c.all[conn] = nil
	}
}
