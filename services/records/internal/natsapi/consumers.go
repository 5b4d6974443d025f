// Package natsapi connects the records service with the other services over NATS: it consumes
// their events and the moderators' commands, whose payloads are validated here, answers their
// requests, and asks the maps service for maps whose copies have not arrived.
package natsapi

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
)

// Copies stores the copies of maps and players.
type Copies interface {
	ApplyMap(ctx context.Context, m record.Map) error
	ApplyPlayer(ctx context.Context, p record.Player) error
}

// ApplyCopies returns the handler of event.RecordsCopies.
func ApplyCopies(copies Copies) eventbus.Handler {
	return eventbus.Route(map[string]eventbus.Handler{
		event.MapStatePrefix: eventbus.ApplyState[event.MapState](func(ctx context.Context, m event.MapState) error {
			return copies.ApplyMap(ctx, mapOf(m))
		}),
		event.PlayerStatePrefix: eventbus.ApplyPlayers(copies.ApplyPlayer),
	})
}

// Importer imports the first records of maps.
type Importer interface {
	// Import returns nil also for a record that was imported before.
	Import(ctx context.Context, first record.FirstRecord) error
}

// ImportRecords returns the handler of event.RecordsMaps. importer returns the importer that works in a transaction.
// A permanent refusal is logged, because a repetition of the message would change nothing.
func ImportRecords(pool *postgres.Pool, importer func(tx pgx.Tx) Importer, log *slog.Logger) eventbus.Handler {
	submit := func(ctx context.Context, tx pgx.Tx, fact event.MapCreated, isUpdate bool) error {
		err := importer(tx).Import(ctx, record.FirstRecord{
			MapID: fact.MapID, PlayerID: fact.SubmittedByID,
			Bucket: fact.ReplayBucket, Key: fact.ReplayKey, ReplayHash: fact.ReplayHash,
			FinishTimeStamp: fact.FinishTimeStamp, IsUpdate: isUpdate,
		})
		if problem.IsPermanent(err) {
			log.ErrorContext(ctx, "the record that a map was submitted with was refused",
				"map", fact.MapID, "player", fact.SubmittedByID, "error", err)
			return nil
		}
		return err
	}
	return eventbus.Route(map[string]eventbus.Handler{
		event.MapCreatedSubject: eventbus.ConsumeFact(pool, event.RecordsMaps,
			func(ctx context.Context, tx pgx.Tx, fact event.MapCreated) error { return submit(ctx, tx, fact, false) }),
		event.MapUpdatedSubject: eventbus.ConsumeFact(pool, event.RecordsMaps,
			func(ctx context.Context, tx pgx.Tx, fact event.MapUpdated) error {
				return submit(ctx, tx, event.MapCreated(fact), true)
			}),
	})
}

// CarryOut returns the handler of event.RecordsCommands. moderator returns the moderator that works in a transaction.
func CarryOut(pool *postgres.Pool, moderator func(tx pgx.Tx) *record.Moderator) eventbus.Handler {
	commands := event.RecordsCommands
	return eventbus.Route(map[string]eventbus.Handler{
		event.RemoveRecordSubject: eventbus.ConsumeCommand(pool, commands,
			func(ctx context.Context, tx pgx.Tx, c event.RemoveRecord) error {
				_, err := moderator(tx).Remove(ctx, c.RecordID, c.Attribution)
				return err
			}),
		event.RestoreRecordSubject: eventbus.ConsumeCommand(pool, commands,
			func(ctx context.Context, tx pgx.Tx, c event.RestoreRecord) error {
				_, err := moderator(tx).Restore(ctx, c.RecordID, c.Attribution)
				return err
			}),
		event.HidePlayerSubject: eventbus.ConsumeCommand(pool, commands,
			func(ctx context.Context, tx pgx.Tx, c event.HidePlayer) error {
				_, err := moderator(tx).Hide(ctx, c.PlayerID, c.Attribution)
				return err
			}),
		event.ShowPlayerSubject: eventbus.ConsumeCommand(pool, commands,
			func(ctx context.Context, tx pgx.Tx, c event.ShowPlayer) error {
				_, err := moderator(tx).Show(ctx, c.PlayerID, c.Attribution)
				return err
			}),
	})
}
