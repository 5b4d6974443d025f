// Package subscriber hands what neighbours tell of maps and players to the
// copies, and the runs that new maps came with to the use case for runs.
package subscriber

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/records/internal/record"
)

// MapCopies take states of maps in. What is older than a copy, or the same again,
// changes nothing.
type MapCopies interface {
	TakeMap(ctx context.Context, m record.Map) error
}

// PlayerCopies take states of players in, as MapCopies do of maps.
type PlayerCopies interface {
	TakePlayer(ctx context.Context, p record.Player) error
}

// States handles the messages of event.RecordsCopies.
type States struct {
	Maps    MapCopies
	Players PlayerCopies
}

// Handle is an eventbus.Handler.
func (s *States) Handle(ctx context.Context, subject string, e event.Envelope) error {
	switch {
	case strings.HasPrefix(subject, event.MapStatePrefix):
		state, err := decode[event.MapState](e)
		if err != nil {
			return err
		}
		return s.Maps.TakeMap(ctx, record.MapOf(state))
	case strings.HasPrefix(subject, event.PlayerStatePrefix):
		state, err := decode[event.PlayerState](e)
		if err != nil {
			return err
		}
		return s.Players.TakePlayer(ctx, record.PlayerOf(state))
	}
	return unknown(subject)
}

// decode reads a state. One without a version, or about what is no id, is no
// state: a repetition would not mend it.
func decode[S event.State](e event.Envelope) (S, error) {
	state, err := event.Decode[S](e)
	if err == nil && state.StateVersion() <= 0 {
		err = fmt.Errorf("message %s has no version", e.ID)
	}
	if id := state.Subject()[strings.LastIndexByte(state.Subject(), '.')+1:]; err == nil && !event.IsID(id) {
		err = fmt.Errorf("message %s is about %q", e.ID, id)
	}
	if err != nil {
		return state, eventbus.Undecodable(err)
	}
	return state, nil
}

func unknown(subject string) error {
	return eventbus.Undecodable(fmt.Errorf("nothing is known of messages on %s", subject))
}

// Intake takes in the runs that new maps came with.
type Intake interface {
	// TakeIn returns nil also where the run was taken in before.
	TakeIn(ctx context.Context, first record.FirstRun) error
}

// Maps handles the messages of event.RecordsMaps.
type Maps struct {
	Intake Intake
	Log    *slog.Logger
}

// Handle is an eventbus.Handler. A run that is refused for good is logged: the
// message has had all the effect that it can have.
func (m *Maps) Handle(ctx context.Context, subject string, e event.Envelope) error {
	if subject != event.MapCreatedSubject {
		return unknown(subject)
	}
	fact, err := event.Decode[event.MapCreated](e)
	if err != nil {
		return eventbus.Undecodable(err)
	}
	if !event.IsID(fact.MapID) || !event.IsID(fact.SubmittedByID) {
		return eventbus.Undecodable(fmt.Errorf("message %s is about map %q by player %q", e.ID, fact.MapID, fact.SubmittedByID))
	}
	err = m.Intake.TakeIn(ctx, record.FirstRun{
		MapID: fact.MapID, PlayerID: fact.SubmittedByID,
		Bucket: fact.ReplayBucket, Key: fact.ReplayKey, ReplayHash: fact.ReplayHash,
		FinishTimeStamp: fact.FinishTimeStamp,
		Delivery:        record.Delivery{Consumer: event.RecordsMaps.Name, ID: e.ID},
	})
	if record.Refusal(err) {
		m.Log.ErrorContext(ctx, "the run of a new map was refused", "map", fact.MapID, "player", fact.SubmittedByID, "error", err)
		return nil
	}
	return err
}
