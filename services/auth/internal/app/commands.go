package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
	"capzone.dev/services/auth/internal/postgres"
	"capzone.dev/services/auth/internal/session"
	"capzone.dev/services/auth/internal/subscriber"
)

// Commands are the operators' subcommands. What they make is told on out. There
// is no republish: auth publishes no state.
func Commands(out io.Writer) []service.Command {
	return []service.Command{
		{
			Name: "keygen", Summary: "print a new key for TOKEN_KEYS_FILE; the first in the file signs, keep older ones there for an hour",
			Run: withoutArguments(out, keygen),
		},
		{
			Name: "rebuild", Summary: "make the copies of players again, and end the sessions of the banned",
			Run: withoutArguments(out, rebuild),
		},
	}
}

func withoutArguments(out io.Writer, run func(context.Context, io.Writer) error) func(context.Context, []string) error {
	return func(ctx context.Context, args []string) error {
		if len(args) > 0 {
			return service.ErrUsage
		}
		return run(ctx, out)
	}
}

func keygen(_ context.Context, out io.Writer) error {
	key, err := token.NewKey()
	if err != nil {
		return err
	}
	text, err := key.PEM()
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// rebuildConfig is the environment of the rebuild.
type rebuildConfig struct {
	service.LogConfig

	DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
	NATSURL     string `env:"NATS_URL,required,notEmpty"`
}

// rebuild makes the copies of players again from the stream alone. The service
// may go on meanwhile.
func rebuild(ctx context.Context, out io.Writer) error {
	var cfg rebuildConfig
	if err := service.ReadEnv(&cfg); err != nil {
		return err
	}
	pool, err := platform.Open(ctx, cfg.DatabaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	nc, err := eventbus.Connect(cfg.NATSURL, Name+"-rebuild", cfg.Logger(Name))
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := eventbus.JetStream(nc)
	if err != nil {
		return err
	}
	store := postgres.NewStore(pool)
	sessions := &session.Service{Families: store, Copies: store, Now: time.Now, Log: slog.Default()}
	return store.Exclusively(ctx, func(ctx context.Context) error {
		count, err := eventbus.Replay(ctx, js, event.AuthPlayers.Subjects, subscriber.HandlePlayers(sessions))
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "Rebuilt from %d states.\n", count)
		return err
	})
}
