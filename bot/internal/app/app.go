// Package app is the bot as a process: its settings and how its parts are wired.
package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"capzone.dev/bot/internal/contract"
	"capzone.dev/bot/internal/simulated"
	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
	"capzone.dev/platform/tracing"
)

// Run runs a bot until ctx ends, then ends its rooms.
func Run(ctx context.Context, cfg Config) error {
	log := cfg.Logger("bot")
	stopTracing, err := tracing.Start(ctx, "bot", tracing.Inside, cfg.Tracing, log)
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
	listener, ops, err := service.Listen(ctx, cfg.HTTPAddr, cfg.OpsAddr)
	if err != nil {
		return err
	}
	if cfg.OnListen != nil {
		cfg.OnListen(listener.Addr(), ops.Addr())
	}

	rooms := simulated.New(cfg.roomsURL(listener.Addr()))
	bot := verification.NewBot(int(cfg.Rooms), rooms, contract.NewReports(js), log)
	commands, err := contract.Listen(nc, bot, log)
	if err != nil {
		_, _ = listener.Close(), ops.Close()
		return err
	}
	log.Info("bot is up", "bot", bot.ID(), "mode", cfg.Mode, "rooms", cfg.Rooms)

	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return httpserve.Serve(ctx, listener, rooms.Handler(log), httpserve.Farewell{}, log) })
	g.Go(func() error {
		checks := map[string]func(context.Context) error{"nats": func(ctx context.Context) error { return answers(ctx, nc) }}
		return httpserve.Serve(ctx, ops, httpserve.Ops(checks, service.Gatherer(metrics(bot, int(cfg.Rooms)))), httpserve.Farewell{}, log)
	})
	g.Go(func() error {
		commands.Run(ctx, cfg.Patience)
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

func metrics(bot *verification.Bot, capacity int) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collectors.NewBuildInfoCollector(),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "bot_rooms_held", Help: "Verification rooms that are open or about to be."},
			func() float64 { return float64(bot.Held()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "bot_rooms_max", Help: "Verification rooms that this bot holds at once."},
			func() float64 { return float64(capacity) }),
	)
	return registry
}
