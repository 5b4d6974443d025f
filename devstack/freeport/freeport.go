// Package freeport picks ports for local servers that cannot bind port 0 and report it.
package freeport

import (
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"sync"
)

// Ports are picked below the range from which Linux takes the local ports of outgoing connections
// (32768 and up), so that a server can have its port again after a restart.
const (
	first = 15000
	last  = 32000
	tries = 200
)

// Pick returns a port of the loopback address without a listener. No other process that picks ports
// this way gets the same port while this process runs; other programs may still take it first.
func Pick() (int, error) {
	for range tries {
		if port := first + rand.IntN(last-first); take(port) {
			return port, nil
		}
	}
	return 0, errors.New("no free port on the loopback address")
}

// Of returns the port of a name, which is always the same or, where that is in use, one of Pick.
func Of(name string) (int, error) {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(name))
	if port := first + int(sum.Sum32()%(last-first)); take(port) {
		return port, nil
	}
	return Pick()
}

// take claims the port before it listens on it, so that it never takes it from a server that has picked it and starts.
func take(port int) bool { return Claim(port) && Free(port) }

// Claim makes Pick omit the port, in all processes, while this process runs. It reports false where
// the port is claimed already.
func Claim(port int) bool {
	claim, err := net.ListenUDP("udp4", &net.UDPAddr{IP: loopback, Port: port})
	if err != nil {
		return false
	}
	claims.Lock()
	defer claims.Unlock()
	claims.held = append(claims.held, claim)
	return true
}

// Free reports whether a server can listen on the port of the loopback address now.
func Free(port int) bool {
	listener, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: loopback, Port: port})
	if err != nil {
		return false
	}
	return listener.Close() == nil
}

var loopback = net.IPv4(127, 0, 0, 1)

// claims are UDP sockets on the claimed ports. They do not disturb TCP servers, two processes cannot have
// the same, and the system closes them when the process ends, however it ends.
var claims struct {
	sync.Mutex
	held []*net.UDPConn
}
