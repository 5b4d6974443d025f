// Package app is the bot as a process: its settings and how its parts are wired.
package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/nats-io/nats.go"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/bot/internal/natsapi"
	"capzone.dev/bot/internal/simulated"
	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
	"capzone.dev/platform/telemetry"
)

// Run runs a bot until ctx ends, then ends its rooms.
func Run(ctx context.Context, cfg Config) error {
	if err := cfg.Check(); err != nil {
		return fmt.Errorf("the environment is wrong: %w", err)
	}
	if cfg.Mode == Real {
		cfg.HTTPAddr = "" // there are no pages to serve
	}
	process, err := service.Start(ctx, "bot", telemetry.Internal, cfg.ProcessConfig)
	if err != nil {
		return err
	}
	defer process.Close()
	measured := newMetrics(process.Registry)
	rooms, err := openRooms(ctx, cfg, process, measured)
	if err != nil {
		return err
	}
	reports := natsapi.NewReports(process.JetStream)
	bot := verification.NewBot(cfg.verification(), rooms.game, reports, measured, process.Log)
	measured.watch(bot, cfg.capacity())
	server, err := natsapi.NewServer(process.NATS, bot, process.Log)
	if err != nil {
		return err
	}
	process.AddCheck("nats", func(ctx context.Context) error { return checkNATS(ctx, process.NATS) })
	process.AddCheck("own room", httpserve.StartupCheck(func(context.Context) error {
		if !bot.IsReady() {
			return errors.New("the bot has not entered its own room yet")
		}
		return nil
	}))
	bot.Start()
	process.Log.InfoContext(ctx, "bot is up", "bot", bot.ID(), "mode", cfg.Mode, "rooms", cfg.capacity())
	return process.Run(ctx, rooms.pages,
		func(ctx context.Context) error {
			bot.RunChecks(ctx)
			return nil
		},
		func(ctx context.Context) error {
			server.Run(ctx, cfg.Patience)
			rooms.close()
			bot.Wait()
			return nil
		},
	)
}

// checkNATS reports whether NATS answers: without it a bot is of no use.
func checkNATS(ctx context.Context, nc *nats.Conn) error {
	if !nc.IsConnected() {
		return errors.New("not connected")
	}
	return nc.FlushWithContext(ctx)
}

// rooms are the rooms of a mode.
type rooms struct {
	game  verification.Game
	pages http.Handler // nil in real mode
	close func()       // ends what outlives the bot's rooms
}

// openRooms opens the ports, and returns the rooms of the configured mode.
func openRooms(ctx context.Context, cfg Config, process *service.Process, measured *metrics) (rooms, error) {
	address, err := process.Listen(ctx)
	if err != nil {
		return rooms{}, err
	}
	if cfg.Mode == Simulated {
		game := simulated.New(cfg.roomsURL(address))
		return rooms{game: game, pages: game.Handler(process.Log), close: func() {}}, nil
	}
	client, err := cfg.client()
	if err != nil {
		return rooms{}, err
	}
	treatment, err := cfg.rooms()
	if err != nil {
		return rooms{}, err
	}
	treatment.Failed = measured.gameFailed
	game := gameroom.New(treatment, bonkio.NewClient(client), process.Log)
	return rooms{game: game, close: game.Close}, nil
}
