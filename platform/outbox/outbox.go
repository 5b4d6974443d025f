// Package outbox publishes a service's events without ever losing one or
// telling what did not happen: an event is written in the transaction of the
// fact, and the Relay publishes what was committed.
package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/correlation"
	"capzone.dev/platform/event"
)

// channel is notified at each commit that appended something.
const channel = "outbox"

// AppendState writes the state of an entity to the outbox. The caller has
// locked the entity's row and raised its version in the same transaction, so
// that versions are committed in order.
func AppendState(ctx context.Context, tx pgx.Tx, s event.State) error {
	batch := &pgx.Batch{}
	if err := QueueState(ctx, batch, s); err != nil {
		return err
	}
	return send(ctx, tx, batch, s.Subject())
}

// AppendFact writes a fact to the outbox.
func AppendFact(ctx context.Context, tx pgx.Tx, f event.Fact) error {
	batch := &pgx.Batch{}
	if err := QueueFact(ctx, batch, f); err != nil {
		return err
	}
	return send(ctx, tx, batch, f.Subject())
}

func send(ctx context.Context, tx pgx.Tx, batch *pgx.Batch, subject string) error {
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("outbox: %s: %w", subject, err)
	}
	return nil
}

// QueueState is AppendState as a part of a batch of the transaction.
func QueueState(ctx context.Context, batch *pgx.Batch, s event.State) error {
	if s.StateVersion() <= 0 {
		return fmt.Errorf("outbox: state on %s has no version", s.Subject())
	}
	return queue(ctx, batch, s.Subject(), s.StateVersion(), s)
}

// QueueFact is AppendFact as a part of a batch of the transaction.
func QueueFact(ctx context.Context, batch *pgx.Batch, f event.Fact) error {
	return queue(ctx, batch, f.Subject(), 0, f)
}

// queueSQL also wakes the relay.
const queueSQL = `
	with appended as (
		insert into outbox (id, subject, version, body, headers) values (@id, @subject, @version, @body, @headers)
	)
	select pg_notify(@channel, '')`

func queue(ctx context.Context, batch *pgx.Batch, subject string, version int64, payload any) error {
	data, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("outbox: %s: %w", subject, err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("outbox: %w", err)
	}
	body, err := json.Marshal(event.Envelope{
		ID: id.String(), Version: version, At: time.Now().UTC().Truncate(time.Millisecond), Data: data,
	})
	if err != nil {
		return fmt.Errorf("outbox: %s: %w", subject, err)
	}
	batch.Queue(queueSQL, pgx.NamedArgs{
		"id": id, "subject": subject, "version": version, "body": body, "headers": correlation.Headers(ctx), "channel": channel,
	})
	return nil
}

// errLockLost says that the relay's connection, and with it the lock, is gone.
var errLockLost = errors.New("outbox: the relay's connection was lost")
