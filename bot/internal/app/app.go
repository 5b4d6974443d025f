// Package app is the bot as a process: its settings and how its parts are wired.
package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"capzone.dev/bot/internal/contract"
	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
	"capzone.dev/platform/telemetry"
)

// Run runs a bot until ctx ends, then ends its rooms.
func Run(ctx context.Context, cfg Config) error {
	if err := cfg.Check(); err != nil {
		return fmt.Errorf("the environment is wrong: %w", err)
	}
	log := cfg.Logger("bot")
	stopTracing, err := telemetry.Start(ctx, "bot", telemetry.Internal, cfg.Tracing, log)
	if err != nil {
		return err
	}
	defer stopTracing()
	nc, err := eventbus.Connect(cfg.NATSURL, "bot", log)
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := eventbus.JetStream(nc)
	if err != nil {
		return err
	}
	measured := newMetrics()
	backend, err := openBackend(ctx, cfg, measured, log)
	if err != nil {
		return err
	}
	if cfg.OnListen != nil {
		cfg.OnListen(backend.address(), backend.ops.Addr())
	}
	bot := verification.NewBot(cfg.capacity(), backend.game, contract.NewReports(js), measured, log)
	measured.watch(bot, cfg.capacity())
	measured.registry.MustRegister(eventbus.NewConnCollector(nc))
	commands, err := contract.Listen(nc, bot, log)
	if err != nil {
		backend.closePorts()
		return err
	}
	log.Info("bot is up", "bot", bot.ID(), "mode", cfg.Mode, "rooms", cfg.capacity())

	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return backend.serve(ctx) })
	g.Go(func() error {
		checks := map[string]func(context.Context) error{"nats": func(ctx context.Context) error { return answers(ctx, nc) }}
		return httpserve.Serve(ctx, backend.ops, httpserve.Ops(checks, service.Gatherer(measured.registry)), httpserve.Drain{}, log)
	})
	g.Go(func() error {
		commands.Run(ctx, cfg.Patience)
		backend.close()
		return nil
	})
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("bot: %w", err)
	}
	return nil
}

func answers(ctx context.Context, nc *nats.Conn) error {
	if !nc.IsConnected() {
		return errors.New("not connected")
	}
	return nc.FlushWithContext(ctx)
}
