// Package natsapi connects the records service with the other services over NATS: it consumes
// their events and the moderators' commands, and asks them for what is not in the copies.
package natsapi

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
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
		event.PlayerStatePrefix: eventbus.ApplyState(copies.ApplyPlayer),
	})
}

// SubmitMapReplays returns the handler of event.RecordsMaps. A permanent refusal is logged, because a repetition of
// the message would change nothing.
func SubmitMapReplays[S record.MapReplayStore](
	pool *postgres.Pool, prepare func(ctx context.Context, of record.MapReplay) (*record.PreparedMapReplay, error),
	store postgres.Transactional[S], log *slog.Logger,
) eventbus.Handler {
	effect := func(ctx context.Context, tx pgx.Tx, prepared *record.PreparedMapReplay) error {
		err := prepared.Refused
		if err == nil {
			err = store.In(tx).SubmitMapReplay(ctx, prepared)
		}
		if problem.IsPermanent(err) {
			log.ErrorContext(ctx, "the record that a map was submitted with was refused",
				"map", prepared.Replay.MapID, "player", prepared.Replay.PlayerID, "error", err)
			return nil
		}
		return err
	}
	return eventbus.Route(map[string]eventbus.Handler{
		event.MapCreatedSubject: eventbus.ConsumePreparedFact(pool, event.RecordsMaps,
			func(ctx context.Context, fact event.MapCreated) (*record.PreparedMapReplay, error) {
				return prepare(ctx, mapReplayOf(fact, false))
			}, effect),
		event.MapUpdatedSubject: eventbus.ConsumePreparedFact(pool, event.RecordsMaps,
			func(ctx context.Context, fact event.MapUpdated) (*record.PreparedMapReplay, error) {
				return prepare(ctx, mapReplayOf(event.MapCreated(fact), true))
			}, effect),
	})
}

func mapReplayOf(fact event.MapCreated, isUpdate bool) record.MapReplay {
	return record.MapReplay{
		MapID: fact.MapID, PlayerID: fact.SubmittedByID,
		Bucket: fact.ReplayBucket, Key: fact.ReplayKey, ReplayHash: fact.ReplayHash,
		FinishTimeStamp: fact.FinishTimeStamp, IsUpdate: isUpdate,
	}
}

// CarryOut returns the handler of event.RecordsCommands. A command is authorized before the transaction.
func CarryOut[S record.ModerationStore](
	pool *postgres.Pool, moderator *record.Moderator, store postgres.Transactional[S],
) eventbus.Handler {
	ofRecord := func(ctx context.Context, tx pgx.Tx, change record.Moderation) error {
		_, err := store.In(tx).ModerateRecord(ctx, change)
		return err
	}
	ofPlayer := func(ctx context.Context, tx pgx.Tx, change record.Moderation) error {
		return store.In(tx).ModeratePlayer(ctx, change)
	}
	return eventbus.Route(map[string]eventbus.Handler{
		event.RemoveRecordSubject: carryOut(pool, moderator, ofRecord, func(c event.RemoveRecord) record.Moderation {
			return record.Moderation{Action: access.RemoveRecord, RecordID: c.RecordID, By: c.Attribution}
		}),
		event.RestoreRecordSubject: carryOut(pool, moderator, ofRecord, func(c event.RestoreRecord) record.Moderation {
			return record.Moderation{Action: access.RestoreRecord, RecordID: c.RecordID, By: c.Attribution}
		}),
		event.HidePlayerSubject: carryOut(pool, moderator, ofPlayer, func(c event.HidePlayer) record.Moderation {
			return record.Moderation{Action: access.HidePlayer, PlayerID: c.PlayerID, By: c.Attribution}
		}),
		event.ShowPlayerSubject: carryOut(pool, moderator, ofPlayer, func(c event.ShowPlayer) record.Moderation {
			return record.Moderation{Action: access.ShowPlayer, PlayerID: c.PlayerID, By: c.Attribution}
		}),
	})
}

// carryOut returns the handler of one kind of command.
func carryOut[C event.Command](
	pool *postgres.Pool, moderator *record.Moderator,
	moderate func(ctx context.Context, tx pgx.Tx, change record.Moderation) error, read func(c C) record.Moderation,
) eventbus.Handler {
	return eventbus.ConsumeCommand(pool, event.RecordsCommands,
		func(ctx context.Context, c C) (record.Moderation, error) { return moderator.Authorize(ctx, read(c)) }, moderate)
}
