// Package subscriber hands what neighbours tell of maps and of players' totals
// to the copies.
package subscriber

import (
	"context"
	"fmt"
	"strings"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// Copies take states in. What is older than a copy, or the same again, changes nothing.
type Copies interface {
	TakeMap(ctx context.Context, m event.MapState) error
	TakeStats(ctx context.Context, s event.PlayerStats) error
}

// Subscriber handles the messages of event.PlayersCopies.
type Subscriber struct {
	Copies Copies
}

// Handle is an eventbus.Handler.
func (s *Subscriber) Handle(ctx context.Context, subject string, e event.Envelope) error {
	switch {
	case strings.HasPrefix(subject, event.MapStatePrefix):
		return take(ctx, e, s.Copies.TakeMap)
	case strings.HasPrefix(subject, event.PlayerStatsPrefix):
		return take(ctx, e, s.Copies.TakeStats)
	}
	return eventbus.Undecodable(fmt.Errorf("nothing is known of messages on %s", subject))
}

func take[T any](ctx context.Context, e event.Envelope, take func(context.Context, T) error) error {
	state, err := event.Decode[T](e)
	if err != nil {
		return eventbus.Undecodable(err)
	}
	return take(ctx, state)
}
