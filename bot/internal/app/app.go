// Package app is the bot as a process: its settings and how its parts are wired.
package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"

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
		return fmt.Errorf("the environment is wrong:\n%w", err)
	}
	if cfg.Mode == Real {
		cfg.HTTPAddr = "" // the real mode serves no pages
	}
	process, err := service.Start(ctx, "bot", telemetry.Internal, cfg.ProcessConfig)
	if err != nil {
		return err
	}
	defer process.Close()
	rooms, err := openRooms(ctx, cfg, process)
	if err != nil {
		return err
	}
	limits := cfg.verification()
	bot := verification.NewBot(limits, rooms.game, natsapi.NewReports(process.JetStream),
		newMetrics(process.Registry), process.Log)
	watch(process.Registry, bot, limits.Capacity)
	server, err := natsapi.NewServer(process.NATS, bot, process.Log)
	if err != nil {
		return err
	}
	process.AddCheck("nats", process.CheckNATS) // the bot cannot work without it
	process.AddCheck("own room", httpserve.StartupCheck(func(context.Context) error {
		if !bot.IsReady() {
			return errors.New("the bot has not entered its own room yet")
		}
		return nil
	}))
	bot.Start()
	process.Log.InfoContext(ctx, "bot is up", "bot", bot.ID(), "mode", cfg.Mode)
	return process.Run(ctx, rooms.pages,
		func(ctx context.Context) error {
			bot.RunChecks(ctx)
			return nil
		},
		func(ctx context.Context) error {
			server.Run(ctx, cfg.NATSOutageTimeout)
			rooms.close()
			bot.Wait()
			return nil
		},
	)
}

// rooms are the rooms of a mode.
type rooms struct {
	game  verification.Game
	pages http.Handler // nil in real mode
	close func()       // closes rooms that are still open after the bot has ended its own
}

// openRooms opens the ports, and returns the rooms of the configured mode.
func openRooms(ctx context.Context, cfg Config, process *service.Process) (rooms, error) {
	address, err := process.Listen(ctx)
	if err != nil {
		return rooms{}, err
	}
	failures := gameroom.NewFailures(process.Registry)
	if cfg.Mode == Simulated {
		game := simulated.New(cfg.roomsURL(address))
		return rooms{game: game, pages: game.Handler(process.Log), close: func() {}}, nil
	}
	client, err := cfg.client()
	if err != nil {
		return rooms{}, err
	}
	roomConfig, err := cfg.rooms()
	if err != nil {
		return rooms{}, err
	}
	game := gameroom.New(roomConfig, bonkio.NewClient(client), failures, process.Log)
	return rooms{game: game, close: game.Close}, nil
}
