package app

import (
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	moderation "capzone.dev/services/moderation/internal/postgres"
)

// Commands returns the operators' subcommands.
func Commands() []service.Command {
	return []service.Command{
		service.Rebuild(Name, "fill the copies again", event.ModerationCopies,
			func(pool *postgres.Pool) eventbus.Handler { return eventbus.ApplyCopies(moderation.NewStore(pool)) }),
	}
}
