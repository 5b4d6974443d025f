package app

import (
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	notifications "capzone.dev/services/notifications/internal/postgres"
)

// Commands returns the operators' subcommands.
func Commands() []service.Command {
	return []service.Command{
		service.Rebuild(Name, "fill the copies again", event.NotificationsCopies,
			func(pool *postgres.Pool) eventbus.Handler { return eventbus.ApplyCopies(notifications.NewStore(pool)) }),
	}
}
