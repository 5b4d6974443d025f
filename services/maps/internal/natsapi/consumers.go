// Package natsapi connects the service to its neighbours over NATS: it consumes their events,
// answers their requests about maps, and asks the players service.
package natsapi

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Copies stores what neighbours publish. An event that is older than the copy, or the same
// again, changes nothing.
type Copies interface {
	ApplyPlayer(ctx context.Context, p parkourmap.Player) error
	ApplyStats(ctx context.Context, s event.MapStats) error
}

// Consumers handles the events of event.MapsCopies.
type Consumers struct{ Copies Copies }

var errNoID = errors.New("the payload has no valid id")

// Handle implements eventbus.Handler. It validates payloads: what no repetition can mend
// is eventbus.ErrUndecodable.
func (c *Consumers) Handle(ctx context.Context, subject string, e event.Envelope) error {
	switch {
	case strings.HasPrefix(subject, event.PlayerStatePrefix):
		state, err := event.Decode[event.PlayerState](e)
		if err == nil && (!event.IsID(state.ID) || state.MergedInto != "" && !event.IsID(state.MergedInto)) {
			err = errNoID
		}
		if err != nil {
			return eventbus.Undecodable(err)
		}
		return c.Copies.ApplyPlayer(ctx, parkourmap.PlayerOf(state))
	case strings.HasPrefix(subject, event.MapStatsPrefix):
		stats, err := event.Decode[event.MapStats](e)
		if err == nil && !event.IsID(stats.MapID) {
			err = errNoID
		}
		if err != nil {
			return eventbus.Undecodable(err)
		}
		return c.Copies.ApplyStats(ctx, stats)
	}
	return eventbus.Undecodable(fmt.Errorf("unknown subject %s", subject))
}
