package app

import (
	"context"
	"io"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
	auth "capzone.dev/services/auth/internal/postgres"
)

// Commands returns the operators' subcommands. There is no republish, because auth publishes no state.
func Commands() []service.Command {
	return []service.Command{
		{
			Name:    "keygen",
			Summary: "print a new key for TOKEN_KEYS_FILE; the first in it signs, keep older ones there for an hour",
			Run:     keygen,
		},
		service.Rebuild(Name, "make the copies of players again", event.AuthPlayers,
			func(pool *postgres.Pool) eventbus.Handler {
				return eventbus.ApplyState(auth.NewStore(pool).ApplyPlayer)
			}),
	}
}

func keygen(_ context.Context, out io.Writer, _ []string) error {
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
