// Package natsapi connects the moderation service with the other services over NATS: it consumes their events, among
// them what became of commands, and asks them for what is not in an event. Payloads are validated here.
package natsapi

import (
	"context"

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
	c := event.ModerationFacts
	addFlags := func(ctx context.Context, tx pgx.Tx, f *moderation.Flagging) error {
		return store.In(tx).AddFlags(ctx, *f)
	}
	handlers := map[string]eventbus.Handler{
		event.RecordSubmittedSubject: eventbus.ConsumePreparedFact(pool, c, flagger.RecordSubmitted, addFlags),
		event.PlayerUnbannedSubject: eventbus.ConsumeFact(pool, c,
			func(ctx context.Context, tx pgx.Tx, f event.PlayerUnbanned) error {
				if !event.IsID(f.PlayerID) {
					return eventbus.Undecodable(event.ErrPlayerUnknown)
				}
				s := moderation.Settlement{DecisionID: f.DecisionID, Command: event.UnbanPlayerSubject}
				return moderation.BanEnded(ctx, store.In(tx), s, f.PlayerID)
			}),
		event.CommandRefusedSubject: eventbus.ConsumeFact(pool, c,
			func(ctx context.Context, tx pgx.Tx, f event.CommandRefused) error {
				_, err := store.In(tx).Settle(ctx, moderation.Settlement{
					DecisionID: f.DecisionID, Command: f.Command, Code: f.Code, Message: f.Message,
				})
				return err
			}),
	}
	for fact, command := range moderation.Settlements {
		handlers[fact] = settle(pool, store, command)
	}
	return eventbus.Route(handlers)
}

// settle returns the handler of a fact that reports a command as carried out. A change without a decision is none of
// the moderators'.
func settle[S Facts](pool *postgres.Pool, store postgres.Transactional[S], command string) eventbus.Handler {
	return func(ctx context.Context, _ string, e event.Envelope) error {
		fact, err := event.Decode[struct {
			DecisionID string `json:"decisionId"`
		}](e)
		if err != nil {
			return eventbus.Undecodable(err)
		}
		return eventbus.Once(ctx, pool, event.ModerationFacts, e.ID, func(tx pgx.Tx) error {
			_, err := store.In(tx).Settle(ctx, moderation.Settlement{DecisionID: fact.DecisionID, Command: command})
			return err
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
