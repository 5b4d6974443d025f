// Package natsapi connects the players service with the other services over NATS: it consumes their
// events and answers their requests. Payloads are validated here.
package natsapi

import (
	"context"
	"fmt"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// Consumers handles the events of the other services.
type Consumers struct {
	Copies interface {
		ApplyMap(ctx context.Context, m event.MapState) error
		ApplyStats(ctx context.Context, s event.PlayerStats) error
	}
}

// Handler returns the handler of event.PlayersCopies.
func (c *Consumers) Handler() eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.MapStatePrefix:    eventbus.ApplyState[event.MapState](c.applyMap),
		event.PlayerStatsPrefix: eventbus.ApplyState[event.PlayerStats](c.Copies.ApplyStats),
	})
}

func (c *Consumers) applyMap(ctx context.Context, m event.MapState) error {
	if !m.Removed && !event.IsID(m.AuthorID) {
		return eventbus.Undecodable(fmt.Errorf("map %s has the author %q", m.ID, m.AuthorID))
	}
	return c.Copies.ApplyMap(ctx, m)
}
