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
	return eventbus.Route(map[string]eventbus.Handler{
		event.RecordSubmittedSubject: eventbus.ConsumePreparedFact(pool, c, flagger.RecordSubmitted, addFlags),
		event.RecordRemovedSubject:   settle(pool, store, func(f event.RecordRemoved) string { return f.DecisionID }),
		event.RecordRestoredSubject:  settle(pool, store, func(f event.RecordRestored) string { return f.DecisionID }),
		event.RecordsHiddenSubject:   settle(pool, store, func(f event.RecordsHidden) string { return f.DecisionID }),
		event.RecordsShownSubject:    settle(pool, store, func(f event.RecordsShown) string { return f.DecisionID }),
		event.MapRemovedSubject:      settle(pool, store, func(f event.MapRemoved) string { return f.DecisionID }),
		event.MapRestoredSubject:     settle(pool, store, func(f event.MapRestored) string { return f.DecisionID }),
		event.MapUnrankedSubject:     settle(pool, store, func(f event.MapUnranked) string { return f.DecisionID }),
		event.MapRankedSubject:       settle(pool, store, func(f event.MapRanked) string { return f.DecisionID }),
		event.PlayerBannedSubject:    settle(pool, store, func(f event.PlayerBanned) string { return f.DecisionID }),
		event.PlayerMergedSubject:    settle(pool, store, func(f event.PlayerMerged) string { return f.DecisionID }),
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
	})
}

// settle returns the handler of a fact that reports a command as carried out. A change without a decision is none of
// the moderators'.
func settle[F event.Fact, S Facts](
	pool *postgres.Pool, store postgres.Transactional[S], decisionOf func(F) string,
) eventbus.Handler {
	return eventbus.ConsumeFact(pool, event.ModerationFacts, func(ctx context.Context, tx pgx.Tx, fact F) error {
		_, err := store.In(tx).Settle(ctx, moderation.Settlement{
			DecisionID: decisionOf(fact), Command: moderation.Settlements[fact.Subject()],
		})
		return err
	})
}
