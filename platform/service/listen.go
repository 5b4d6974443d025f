package service

import (
	"context"
	"fmt"
	"net"
)

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
