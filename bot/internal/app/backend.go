package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/bot/internal/simulated"
	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
)

// backend is where the bot's rooms are, and what of it this process serves.
type backend struct {
	game verification.Game
	ops  net.Listener
	// close ends what outlives the bot's rooms.
	close func()

	pages   net.Listener // nil in real mode
	handler http.Handler
	log     *slog.Logger
}

// openBackend opens the ports, and the rooms' side of the configured mode.
func openBackend(ctx context.Context, cfg Config, measured *metrics, log *slog.Logger) (*backend, error) {
	if cfg.Mode == Real {
		return openReal(ctx, cfg, measured, log)
	}
	pages, ops, err := service.Listen(ctx, cfg.HTTPAddr, cfg.OpsAddr)
	if err != nil {
		return nil, err
	}
	rooms := simulated.New(cfg.roomsURL(pages.Addr()))
	return &backend{game: rooms, ops: ops, close: func() {}, pages: pages, handler: rooms.Handler(log), log: log}, nil
}

func openReal(ctx context.Context, cfg Config, measured *metrics, log *slog.Logger) (*backend, error) {
	game, err := cfg.client()
	if err != nil {
		return nil, err
	}
	limits, err := cfg.rooms()
	if err != nil {
		return nil, err
	}
	limits.Failed = measured.failed
	var open net.ListenConfig
	ops, err := open.Listen(ctx, "tcp", cfg.OpsAddr)
	if err != nil {
		return nil, fmt.Errorf("OPS_ADDR: %w", err)
	}
	rooms := gameroom.New(limits, bonkio.NewClient(game), log)
	return &backend{game: rooms, ops: ops, close: rooms.Close, log: log}, nil
}

// serve serves the rooms' pages until ctx ends; in real mode there are none.
func (b *backend) serve(ctx context.Context) error {
	if b.pages == nil {
		return nil
	}
	return httpserve.Serve(ctx, b.pages, b.handler, httpserve.Drain{}, b.log)
}

// address is where the pages are, nil where there are none.
func (b *backend) address() net.Addr {
	if b.pages == nil {
		return nil
	}
	return b.pages.Addr()
}

// closePorts closes the ports of a backend that is not served.
func (b *backend) closePorts() {
	_ = b.ops.Close()
	if b.pages != nil {
		_ = b.pages.Close()
	}
}
