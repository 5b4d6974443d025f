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

// place is where the bot's rooms are, and what of it this process serves.
type place struct {
	game verification.Game
	ops  net.Listener
	// close ends what outlives the bot's rooms.
	close func()

	pages   net.Listener // nil in real mode
	handler http.Handler
	log     *slog.Logger
}

// openPlace opens the ports, and the rooms' side of the configured mode.
func openPlace(ctx context.Context, cfg Config, measured *metrics, log *slog.Logger) (*place, error) {
	if cfg.Mode == Real {
		return openReal(ctx, cfg, measured, log)
	}
	pages, ops, err := service.Listen(ctx, cfg.HTTPAddr, cfg.OpsAddr)
	if err != nil {
		return nil, err
	}
	rooms := simulated.New(cfg.roomsURL(pages.Addr()))
	return &place{game: rooms, ops: ops, close: func() {}, pages: pages, handler: rooms.Handler(log), log: log}, nil
}

func openReal(ctx context.Context, cfg Config, measured *metrics, log *slog.Logger) (*place, error) {
	there, err := cfg.client()
	if err != nil {
		return nil, err
	}
	treatment, err := cfg.rooms()
	if err != nil {
		return nil, err
	}
	treatment.Failed = measured.failed
	var open net.ListenConfig
	ops, err := open.Listen(ctx, "tcp", cfg.OpsAddr)
	if err != nil {
		return nil, fmt.Errorf("OPS_ADDR: %w", err)
	}
	rooms := gameroom.New(treatment, bonkio.NewClient(there), log)
	return &place{game: rooms, ops: ops, close: rooms.Close, log: log}, nil
}

// serve serves the rooms' pages until ctx ends; in real mode there are none.
func (p *place) serve(ctx context.Context) error {
	if p.pages == nil {
		return nil
	}
	return httpserve.Serve(ctx, p.pages, p.handler, httpserve.Farewell{}, p.log)
}

// address is where the pages are, nil where there are none.
func (p *place) address() net.Addr {
	if p.pages == nil {
		return nil
	}
	return p.pages.Addr()
}

// abandon closes the ports again.
func (p *place) abandon() {
	_ = p.ops.Close()
	if p.pages != nil {
		_ = p.pages.Close()
	}
}
