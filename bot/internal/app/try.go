package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/platform/service"
)

// tryTimeout bounds one step of a try.
const tryTimeout = 20 * time.Second

// Try returns the command that goes the bot's way in real mode once, alone: it
// logs in to the game, opens a room on each server, and closes it again.
func Try(out io.Writer) service.Command {
	return service.Command{
		Name: "try", Summary: "log in to the game and open a room on each server, to see whether real mode works",
		Run: func(ctx context.Context, args []string) error {
			if len(args) > 0 {
				return service.ErrUsage
			}
			var cfg GameConfig
			if err := service.ReadEnv(&cfg); err != nil {
				return err
			}
			return try(ctx, cfg, out)
		},
	}
}

func try(ctx context.Context, cfg GameConfig, out io.Writer) error {
	there, err := cfg.client()
	account, accountErr := cfg.credentials()
	if err := errors.Join(err, accountErr); err != nil {
		return err
	}
	client := bonkio.NewClient(there)
	session, err := tryLogin(ctx, client, account)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "logged in as %s\n", account.Name)
	var failed []error
	for _, server := range cfg.Servers {
		took, err := tryRoom(ctx, client, server, session, string(cfg.SiteName))
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", server, err))
			continue
		}
		fmt.Fprintf(out, "%s: a room in %.1f s\n", server, took.Seconds())
	}
	return errors.Join(failed...)
}

func tryLogin(ctx context.Context, client *bonkio.Client, account bonkio.Credentials) (bonkio.Session, error) {
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	return client.Login(ctx, account)
}

func tryRoom(ctx context.Context, client *bonkio.Client, server string, session bonkio.Session, siteName string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	began := time.Now()
	room, err := client.CreateRoom(ctx, server, session, gameroom.Spec(siteName))
	if err != nil {
		return 0, err
	}
	took := time.Since(began)
	room.Close(ctx)
	return took, nil
}
