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
	return []service.Command{service.Rebuild(Name, "fill the copies again", rebuild)}
}

// rebuild fills the copies from the streams again.
func rebuild(pool *postgres.Pool) service.RebuildSpec {
	return service.RebuildSpec{
		Subjects: event.NotificationsCopies.Subjects,
		Handle:   eventbus.ApplyCopies(notifications.NewStore(pool)),
	}
}
