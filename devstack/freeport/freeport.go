// Package freeport picks ports for local servers that cannot bind port 0 and report it.
package freeport

import (
	"errors"
	"math/rand/v2"
	"net"
	"sync"
)

// Ports are picked below the range from which Linux takes the near end of outgoing connections
// (32768 and up), so that a server can have its port again after a restart.
const (
	first = 15000
	last  = 32000
	tries = 200
)

// Pick returns a port of the loopback address without a listener, and that no other process
// that picks ports this way is given as long as this process runs. A program that takes ports
// otherwise may still come first.
func Pick() (int, error) {
	for range tries {
		port := first + rand.IntN(last-first)
		if Free(port) && Claim(port) {
			return port, nil
		}
	}
	return 0, errors.New("no free port on the loopback address")
}

// Claim keeps Pick from giving the port to anybody as long as this process runs. It reports false where
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

// claims are UDP sockets with the numbers of the ports given out. TCP servers don't mind them, two processes cannot
// hold the same, and the system takes them back when the process ends, however it ends.
var claims struct {
	sync.Mutex
	held []*net.UDPConn
}
