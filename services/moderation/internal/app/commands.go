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
	return []service.Command{service.Rebuild(Name, "fill the copies again", rebuild)}
}

// rebuild fills the copies from the streams again.
func rebuild(pool *postgres.Pool) service.RebuildSpec {
	return service.RebuildSpec{
		Subjects: event.ModerationCopies.Subjects,
		Handle:   eventbus.ApplyCopies(moderation.NewStore(pool)),
	}
}
