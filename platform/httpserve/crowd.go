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

// crowd keeps the connections of a server below a number: where one more comes,
// the one on which nothing has happened for the longest is closed. Whoever holds
// connections without using them keeps nobody else out; clients open a new one
// where a kept one was closed. Where all are in use it is the newest that goes.
type crowd struct {
	limit int

	mu sync.Mutex
	// all holds every connection; the value is its place among the waiting, nil
	// while it is in use.
	all map[net.Conn]*list.Element
	// waiting are those on which no request is under way, the longest first.
	waiting *list.List
}

func newCrowd(limit int) *crowd {
	return &crowd{limit: limit, all: map[net.Conn]*list.Element{}, waiting: list.New()}
}

// note is the server's ConnState.
func (c *crowd) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.all[conn] = c.waiting.PushBack(conn)
		if len(c.all) > c.limit {
			c.dismiss()
		}
	case http.StateActive:
		c.leaveWaiting(conn)
	case http.StateIdle:
		if _, known := c.all[conn]; known {
			c.all[conn] = c.waiting.PushBack(conn)
		}
	case http.StateClosed, http.StateHijacked:
		c.leaveWaiting(conn)
		delete(c.all, conn)
	}
}

// dismiss closes who has waited for the longest. The server notes the end later,
// but it counts from now on.
func (c *crowd) dismiss() {
	longest := c.waiting.Front().Value.(net.Conn) //nolint:forcetypeassert // nothing else is put there
	c.leaveWaiting(longest)
	delete(c.all, longest)
	_ = longest.Close()
}

func (c *crowd) leaveWaiting(conn net.Conn) {
	if place := c.all[conn]; place != nil {
		c.waiting.Remove(place)
		c.all[conn] = nil
	}
}
