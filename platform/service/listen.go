package service

import (
	"context"
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

// Listen opens a process's two ports, that of its API and that of its
// operations endpoints. The error names the setting of the one that cannot be had.
func Listen(ctx context.Context, httpAddr, opsAddr string) (api, ops net.Listener, err error) {
	var open net.ListenConfig
	if api, err = open.Listen(ctx, "tcp", httpAddr); err != nil {
		return nil, nil, fmt.Errorf("HTTP_ADDR: %w", err)
	}
	if ops, err = open.Listen(ctx, "tcp", opsAddr); err != nil {
		_ = api.Close()
		return nil, nil, fmt.Errorf("OPS_ADDR: %w", err)
	}
	return api, ops, nil
}
