// Package natsapi connects the service with the other services over NATS: it consumes their
// events, whose payloads are validated here, and answers their requests about maps.
package natsapi

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/replica"
)

// Consumers handles the events of the other services.
type Consumers struct {
	Copies interface {
		ApplyPlayer(ctx context.Context, p event.PlayerState) error
		ApplyStats(ctx context.Context, s event.MapStats) error
	}
}

// Handler returns the handler of event.MapsCopies.
func (c *Consumers) Handler() eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.PlayerStatePrefix: replica.ConsumePlayers(c.Copies),
		event.MapStatsPrefix:    eventbus.ApplyState[event.MapStats](c.Copies.ApplyStats),
	})
}
