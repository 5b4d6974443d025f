package app

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	players "capzone.dev/services/players/internal/postgres"
	"capzone.dev/services/players/internal/subscriber"
)

// rebuilding derives the copies from the streams again, and the counts from the copies.
func rebuilding(pool *postgres.Pool) service.RebuildSpec {
	copies := players.NewCopies(pool)
	handler := subscriber.Subscriber{Copies: copies}
	return service.RebuildSpec{
		Subjects: event.PlayersCopies.Subjects,
		Handle:   handler.Handle,
		Then:     []func(context.Context) error{copies.Recount},
	}
}

// republish leaves the state of every player in the outbox.
func republish(ctx context.Context, pool *postgres.Pool) (int, error) {
	return players.NewPlayers(pool).Republish(ctx)
}
