// Package natsapi connects the records service with the other services over NATS: it consumes
// their events, whose payloads are validated here, and asks the maps service for maps whose
// copies have not arrived.
package natsapi

import (
	"context"
	"fmt"
	"log/slog"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/replica"
	"capzone.dev/services/records/internal/record"
)

// Consumers handles the events of the other services.
type Consumers struct {
	Copies interface {
		ApplyMap(ctx context.Context, m record.Map) error
		ApplyPlayer(ctx context.Context, p record.Player) error
	}
	Importer interface {
		// Import returns nil also for a record that was imported before.
		Import(ctx context.Context, first record.FirstRecord) error
	}
	Log *slog.Logger
}

// Handler returns the handler of event.RecordsCopies.
func (c *Consumers) Handler() eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.MapStatePrefix: eventbus.ApplyState[event.MapState](func(ctx context.Context, m event.MapState) error {
			return c.Copies.ApplyMap(ctx, mapOf(m))
		}),
		event.PlayerStatePrefix: replica.ConsumePlayers(c.Copies),
	})
}

// ImportRecord handles the messages of event.RecordsMaps. It is an eventbus.Handler. A permanent
// refusal is logged, because a repetition of the message would change nothing.
func (c *Consumers) ImportRecord(ctx context.Context, subject string, e event.Envelope) error {
	if subject != event.MapCreatedSubject && subject != event.MapUpdatedSubject { // which have the same fields
		return eventbus.Undecodable(fmt.Errorf("unexpected message on %s", subject))
	}
	fact, err := event.Decode[event.MapCreated](e)
	if err == nil && (!event.IsID(fact.MapID) || !event.IsID(fact.SubmittedByID)) {
		err = fmt.Errorf("message %s is of map %q by player %q", e.ID, fact.MapID, fact.SubmittedByID)
	}
	if err != nil {
		return eventbus.Undecodable(err)
	}
	err = c.Importer.Import(ctx, record.FirstRecord{
		MapID: fact.MapID, PlayerID: fact.SubmittedByID,
		Bucket: fact.ReplayBucket, Key: fact.ReplayKey, ReplayHash: fact.ReplayHash,
		FinishTimeStamp: fact.FinishTimeStamp,
		Delivery:        record.Delivery{Consumer: event.RecordsMaps.Name, ID: e.ID},
	})
	if record.IsPermanent(err) {
		c.Log.ErrorContext(ctx, "the record that a map was submitted with was refused",
			"map", fact.MapID, "player", fact.SubmittedByID, "error", err)
		return nil
	}
	return err
}
