package eventbus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
)

// ConsumeFact returns a Handler of one kind of fact. It calls effect in a transaction that also inserts the message's
// id into the processed messages of the consumer (table inbox), so that each fact has its effect once: a second
// delivery is acknowledged without a call. After an error of effect nothing is stored, and the message is delivered
// again. A fact that cannot be decoded is undecodable.
func ConsumeFact[F event.Fact](
	pool *postgres.Pool, c event.Consumer, effect func(ctx context.Context, tx pgx.Tx, fact F) error,
) Handler {
	return func(ctx context.Context, subject string, e event.Envelope) error {
		fact, err := decodeFact[F](subject, e)
		if err != nil {
			return err
		}
		return Once(ctx, pool, c, e.ID, func(tx pgx.Tx) error { return effect(ctx, tx, fact) })
	}
}

// ConsumePreparedFact is ConsumeFact with a step before the transaction, for what a transaction should not wait for,
// such as requests to other services. It calls prepare at each delivery, also at a second one. Where prepare returns
// nil, the fact has no effect, and there is no transaction. After an error of prepare the message is delivered again,
// unless the error is made by Undecodable.
func ConsumePreparedFact[F event.Fact, P any](
	pool *postgres.Pool, c event.Consumer, prepare func(ctx context.Context, fact F) (*P, error),
	effect func(ctx context.Context, tx pgx.Tx, prepared *P) error,
) Handler {
	return func(ctx context.Context, subject string, e event.Envelope) error {
		fact, err := decodeFact[F](subject, e)
		if err != nil {
			return err
		}
		prepared, err := prepare(ctx, fact)
		if err != nil || prepared == nil {
			return err
		}
		return Once(ctx, pool, c, e.ID, func(tx pgx.Tx) error { return effect(ctx, tx, prepared) })
	}
}

// decodeFact returns the fact in an envelope, or an error made by Undecodable.
func decodeFact[F event.Fact](subject string, e event.Envelope) (fact F, err error) {
	if fact, err = event.Decode[F](e); err != nil {
		return fact, Undecodable(err)
	}
	if subject != fact.Subject() {
		return fact, Undecodable(fmt.Errorf("message %s is on %s, not on %s", e.ID, subject, fact.Subject()))
	}
	return fact, nil
}

// ConsumeCommand returns a Handler of one kind of command. It calls effect in a transaction, once for each decision and
// target, with what prepare returns at each delivery before the transaction, such as an authorized change. If one of
// them returns a problem that no repetition changes, what effect wrote is rolled back, and event.CommandRefused is
// published in its place. After any other error the command is delivered again. A command without a decision is
// undecodable.
func ConsumeCommand[C event.Command, P any](
	pool *postgres.Pool, c event.Consumer, prepare func(ctx context.Context, command C) (P, error),
	effect func(ctx context.Context, tx pgx.Tx, prepared P) error,
) Handler {
	return func(ctx context.Context, subject string, e event.Envelope) error {
		command, err := event.Decode[C](e)
		if err != nil {
			return Undecodable(err)
		}
		decision := command.By().DecisionID
		if subject != command.Subject() || !event.IsID(decision) {
			return Undecodable(fmt.Errorf("message %s on %s is the command %s of the decision %q",
				e.ID, subject, command.Subject(), decision))
		}
		prepared, refusal := prepare(ctx, command)
		if refusal != nil && !problem.IsPermanent(refusal) {
			return refusal
		}
		id := decision + " " + subject + " " + command.Target()
		return Once(ctx, pool, c, id, func(tx pgx.Tx) error {
			err := refusal
			if err == nil {
				// A transaction in the transaction: a savepoint.
				err = pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { return effect(ctx, tx, prepared) })
			}
			if !problem.IsPermanent(err) {
				return err
			}
			p := problem.From(err)
			return outbox.Append(ctx, tx, event.CommandRefused{
				DecisionID: decision, Command: subject, TargetID: command.Target(), Code: p.Code, Message: p.Message,
			})
		})
	}
}

const insertProcessedSQL = `insert into inbox (consumer, id) values (@consumer, @id) on conflict do nothing`

var errDelivered = errors.New("the message was delivered before")

// Once calls effect in a transaction that inserts the id of a message into the consumer's processed messages, unless it
// is there. A concurrent second delivery waits for the first one's commit.
func Once(ctx context.Context, pool *postgres.Pool, c event.Consumer, id string, effect func(pgx.Tx) error) error {
	err := postgres.InTx(ctx, pool, func(tx pgx.Tx) error {
		inserted, err := tx.Exec(ctx, insertProcessedSQL, pgx.NamedArgs{"consumer": c.Name, "id": id})
		if err != nil {
			return fmt.Errorf("processed messages of %s: %w", c.Name, err)
		}
		if inserted.RowsAffected() == 0 {
			return errDelivered
		}
		return effect(tx)
	})
	if errors.Is(err, errDelivered) {
		return nil
	}
	return err
}

// processedRetention is longer than FACTS retains messages, so that none can be delivered after its id was removed.
const processedRetention = 31 * 24 * time.Hour

const purgeProcessedSQL = `
	delete from inbox where ctid = any (array(
		select ctid from inbox where received_at < @before
		order by received_at limit 1000 for update skip locked))`

// PurgeProcessed deletes the ids of messages that cannot be delivered again, and returns how many.
func PurgeProcessed(ctx context.Context, pool *postgres.Pool, now time.Time) (int, error) {
	return postgres.PurgeBefore(ctx, pool, now.Add(-processedRetention), purgeProcessedSQL)
}
