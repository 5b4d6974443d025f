// Package natsapi connects the records service to its neighbours: Consumers handles their
// events, Maps and Players ask them for entities whose copies have not arrived.
package natsapi

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/records/internal/record"
)

// MapApplier stores copies of maps.
type MapApplier interface {
	ApplyMap(ctx context.Context, m record.Map) error
}

// PlayerApplier stores copies of players.
type PlayerApplier interface {
	ApplyPlayer(ctx context.Context, p record.Player) error
}

// Importer imports the first records of new maps.
type Importer interface {
	// Import returns nil also for a record that was imported before.
	Import(ctx context.Context, first record.FirstRecord) error
}

// Consumers handles the messages of other services. It validates their payloads. What is
// invalid is an eventbus.ErrUndecodable, which is not delivered again.
type Consumers struct {
	Maps     MapApplier
	Players  PlayerApplier
	Importer Importer
	Log      *slog.Logger
}

// ApplyState handles the messages of event.RecordsCopies. It is an eventbus.Handler.
func (c *Consumers) ApplyState(ctx context.Context, subject string, e event.Envelope) error {
	switch {
	case strings.HasPrefix(subject, event.MapStatePrefix):
		state, err := decodeState[event.MapState](e)
		if err != nil {
			return err
		}
		return c.Maps.ApplyMap(ctx, mapOf(state))
	case strings.HasPrefix(subject, event.PlayerStatePrefix):
		state, err := decodeState[event.PlayerState](e)
		if err != nil {
			return err
		}
		return c.Players.ApplyPlayer(ctx, playerOf(state))
	}
	return errUnknownSubject(subject)
}

// decodeState decodes a state. It refuses one without a version, or of an entity whose id is
// invalid.
func decodeState[S event.State](e event.Envelope) (S, error) {
	var none S
	state, err := event.Decode[S](e)
	if err != nil {
		return none, eventbus.Undecodable(err)
	}
	id := state.Subject()[strings.LastIndexByte(state.Subject(), '.')+1:]
	if state.StateVersion() <= 0 || !event.IsID(id) {
		return none, eventbus.Undecodable(fmt.Errorf("message %s is of %q in version %d", e.ID, id, state.StateVersion()))
	}
	return state, nil
}

// ImportRecord handles the messages of event.RecordsMaps. It is an eventbus.Handler. A
// permanent refusal is logged, because a repetition of the message would change nothing.
func (c *Consumers) ImportRecord(ctx context.Context, subject string, e event.Envelope) error {
	if subject != event.MapCreatedSubject {
		return errUnknownSubject(subject)
	}
	fact, err := event.Decode[event.MapCreated](e)
	if err != nil {
		return eventbus.Undecodable(err)
	}
	if !event.IsID(fact.MapID) || !event.IsID(fact.SubmittedByID) {
		err := fmt.Errorf("message %s is of map %q by player %q", e.ID, fact.MapID, fact.SubmittedByID)
		return eventbus.Undecodable(err)
	}
	err = c.Importer.Import(ctx, record.FirstRecord{
		MapID: fact.MapID, PlayerID: fact.SubmittedByID,
		Bucket: fact.ReplayBucket, Key: fact.ReplayKey, ReplayHash: fact.ReplayHash,
		FinishTimeStamp: fact.FinishTimeStamp,
		Delivery:        record.Delivery{Consumer: event.RecordsMaps.Name, ID: e.ID},
	})
	if record.IsPermanent(err) {
		c.Log.ErrorContext(ctx, "the first record of a map was refused",
			"map", fact.MapID, "player", fact.SubmittedByID, "error", err)
		return nil
	}
	return err
}

func errUnknownSubject(subject string) error {
	return eventbus.Undecodable(fmt.Errorf("unexpected message on %s", subject))
}
