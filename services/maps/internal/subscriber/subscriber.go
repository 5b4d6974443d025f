// Package subscriber hands what neighbours tell of players and of record counts
// to the copies.
package subscriber

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/maps/internal/parkourmap"
)

// PlayerCopies take states of players in. What is older than a copy, or the same
// again, changes nothing.
type PlayerCopies interface {
	TakePlayer(ctx context.Context, p parkourmap.Player) error
}

// RecordCounts take record counts in, as PlayerCopies do players.
type RecordCounts interface {
	TakeRecords(ctx context.Context, mapID string, version, records int64) error
}

// Subscriber handles the messages of event.MapsCopies.
type Subscriber struct {
	Players PlayerCopies
	Records RecordCounts
}

// Handle is an eventbus.Handler.
func (s *Subscriber) Handle(ctx context.Context, subject string, e event.Envelope) error {
	var err error
	switch {
	case strings.HasPrefix(subject, event.PlayerStatePrefix):
		err = s.player(ctx, e)
	case strings.HasPrefix(subject, event.MapStatsPrefix):
		err = s.records(ctx, e)
	default:
		return eventbus.Undecodable(fmt.Errorf("nothing is known of messages on %s", subject))
	}
	if errors.Is(err, parkourmap.ErrNoID) {
		return eventbus.Undecodable(err)
	}
	return err
}

func (s *Subscriber) player(ctx context.Context, e event.Envelope) error {
	state, err := event.Decode[event.PlayerState](e)
	if err != nil {
		return eventbus.Undecodable(err)
	}
	return s.Players.TakePlayer(ctx, parkourmap.PlayerOf(state))
}

func (s *Subscriber) records(ctx context.Context, e event.Envelope) error {
	stats, err := event.Decode[event.MapStats](e)
	if err != nil {
		return eventbus.Undecodable(err)
	}
	return s.Records.TakeRecords(ctx, stats.MapID, stats.Version, stats.Records)
}
