package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/platform/service"
)

// tryTimeout bounds one step of a try.
const tryTimeout = 40 * time.Second

// Try is the command that does once what the bot does in real mode: it logs in
// to the game, opens a room on each server, enters it as a visitor, and closes it.
var Try = service.Command{
	Name:    "try",
	Summary: "log in to the game, open a room on each server and enter it, to see whether real mode works",
	Run: func(ctx context.Context, out io.Writer, _ []string) error {
		var cfg GameConfig
		if err := service.ReadEnv(&cfg); err != nil {
			return err
		}
		if err := cfg.Check(); err != nil {
			return err
		}
		return try(ctx, cfg, out)
	},
}

func try(ctx context.Context, cfg GameConfig, out io.Writer) error {
	reach, err := cfg.client()
	account, accountErr := cfg.credentials()
	if err := errors.Join(err, accountErr); err != nil {
		return err
	}
	client := bonkio.NewClient(reach)
	loginCtx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	session, err := client.Login(loginCtx, account)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "logged in as %s%s\n", account.Name, describeToken(session))
	servers := cfg.servers()
	if chosen, err := client.FindServer(loginCtx); err != nil {
		fmt.Fprintf(out, "the game names no server: %v\n", err)
	} else {
		fmt.Fprintf(out, "the game's own choice of a server is %s\n", chosen.Name)
		servers = slices.Insert(servers, 0, chosen)
	}
	var failed []error
	for i, server := range servers {
		if slices.ContainsFunc(servers[:i], func(s bonkio.Server) bool { return s.Name == server.Name }) {
			continue
		}
		took, err := tryRoom(ctx, client, server, session, gameroom.Spec(cfg.SiteName))
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", server.Name, err))
			continue
		}
		fmt.Fprintf(out, "%s: a room in %.1f s, entered and left\n", server.Name, took.Seconds())
	}
	return errors.Join(failed...)
}

// describeToken returns the address and the expiry of the session's token.
func describeToken(session bonkio.Session) string {
	var text string
	if session.Address != "" {
		text += ", from " + session.Address
	}
	if !session.Expires.IsZero() {
		text += ", until " + session.Expires.UTC().Format(time.RFC3339)
	}
	return text
}

// tryRoom opens a room and enters it. It returns how long the creation took.
func tryRoom(
	ctx context.Context, client *bonkio.Client, server bonkio.Server, session bonkio.Session, spec bonkio.RoomSpec,
) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	began := time.Now()
	room, err := client.CreateRoom(ctx, server, session, spec)
	if err != nil {
		return 0, err
	}
	took := time.Since(began)
	defer room.Close(ctx)
	return took, room.Visit(ctx)
}
