// Package freeport picks ports for local servers that cannot bind port 0 and report it.
package freeport

import (
	"errors"
	"math/rand/v2"
	"net"
)

// Ports are picked below the range from which Linux takes the near end of outgoing connections
// (32768 and up), so that a server can have its port again after a restart.
const (
	first = 15000
	last  = 32000
	tries = 200
)

// Pick returns a port of the loopback address that nobody listened on a moment ago. Another process
// may still come first: a caller whose server fails to bind picks again.
func Pick() (int, error) {
	for range tries {
		port := first + rand.IntN(last-first) //nolint:gosec // a port is no secret
		if Free(port) {
			return port, nil
		}
	}
	return 0, errors.New("no free port on the loopback address")
}

// Free says whether a server can listen on the port of the loopback address now.
func Free(port int) bool {
	listener, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
