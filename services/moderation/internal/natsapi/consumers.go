// Package natsapi connects the moderation service with the other services over NATS: it consumes their events, among
// them what became of commands, and asks them for what is not in an event. Payloads are validated here.
package natsapi

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

// Facts stores what facts change.
type Facts interface {
	moderation.SettlementStore
	moderation.FlagStore
}

// ApplyFacts returns the handler of event.ModerationFacts. The flagger, which asks the records service, is called
// before the transaction.
func ApplyFacts[S Facts](
	pool *postgres.Pool, flagger *moderation.Flagger, store postgres.Transactional[S],
) eventbus.Handler {
	addFlags := func(ctx context.Context, tx pgx.Tx, f *moderation.Flagging) error {
		return store.In(tx).AddFlags(ctx, *f)
	}
	handlers := map[string]eventbus.Handler{
		event.RecordSubmittedSubject: eventbus.ConsumePreparedFact(
			pool, event.ModerationFacts, flagger.RecordSubmitted, addFlags),
		event.PlayerUnbannedSubject: apply(pool, store,
			func(ctx context.Context, store S, f event.PlayerUnbanned, at time.Time) error {
				if !event.IsID(f.PlayerID) {
					return eventbus.Undecodable(event.ErrPlayerUnknown)
				}
				s := moderation.Settlement{DecisionID: f.DecisionID, Command: event.UnbanPlayerSubject, At: at}
				return moderation.BanEnded(ctx, store, s, f.PlayerID)
			}),
		event.CommandRefusedSubject: apply(pool, store,
			func(ctx context.Context, store S, f event.CommandRefused, at time.Time) error {
				_, err := moderation.Settle(ctx, store, moderation.Settlement{
					DecisionID: f.DecisionID, Command: f.Command, Code: f.Code, Message: f.Message, At: at,
				})
				return err
			}),
	}
	for fact, command := range moderation.Settlements {
		handlers[fact] = apply(pool, store, func(ctx context.Context, store S, f ofDecision, at time.Time) error {
			_, err := moderation.Settle(ctx, store, moderation.Settlement{DecisionID: f.DecisionID, Command: command, At: at})
			return err
		})
	}
	return eventbus.Route(handlers)
}

// ofDecision is what all facts have that report a command as carried out.
type ofDecision struct {
	DecisionID string `json:"decisionId"`
}

// apply returns the handler of one kind of fact. The effect also gets the time at which the fact was published.
func apply[F any, S Facts](
	pool *postgres.Pool, store postgres.Transactional[S],
	effect func(ctx context.Context, store S, fact F, at time.Time) error,
) eventbus.Handler {
	return func(ctx context.Context, _ string, e event.Envelope) error {
		fact, err := event.Decode[F](e)
		if err != nil {
			return eventbus.Undecodable(err)
		}
		return eventbus.Once(ctx, pool, event.ModerationFacts, e.ID, func(tx pgx.Tx) error {
			return effect(ctx, store.In(tx), fact, e.At)
		})
	}
}

// ApplyAudit returns the handler of event.ModerationAudit.
func ApplyAudit[S moderation.AuditStore](pool *postgres.Pool, store postgres.Transactional[S]) eventbus.Handler {
	return eventbus.ConsumeFact(pool, event.ModerationAudit,
		func(ctx context.Context, tx pgx.Tx, e event.AuditWritten) error {
			return store.In(tx).AddAuditEntry(ctx, e)
		})
}
