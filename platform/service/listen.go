package service

import (
	"fmt"
	"net"
	"os"
	"strconv"
)

// firstInherited is the first file descriptor that a supervisor passes on.
const firstInherited = 3

// inheritListener returns the listening socket that the supervisor has opened for the API,
// by systemd's protocol for socket activation, or nil. The socket outlives the process:
// connections that come during a restart wait for the next one.
func inheritListener() (net.Listener, error) {
	if pid := os.Getenv("LISTEN_PID"); os.Getenv("LISTEN_FDS") != "1" || pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return nil, nil //nolint:nilnil // there is none
	}
	socket := os.NewFile(firstInherited, "LISTEN_FDS")
	defer func() { _ = socket.Close() }() // the listener has a copy
	listener, err := net.FileListener(socket)
	if err != nil {
		return nil, fmt.Errorf("LISTEN_FDS: %w", err)
	}
	return listener, nil
}
