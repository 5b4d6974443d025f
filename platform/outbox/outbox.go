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
	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/platform/correlation"
	"capzone.dev/platform/event"
)

// AppendState writes the state of an entity to the outbox. The caller has
// locked the entity's row and raised its version in the same transaction, so
// that versions are committed in order.
func AppendState(ctx context.Context, tx pgx.Tx, s event.State) error { return appendOne(ctx, tx, s) }

// AppendFact writes a fact to the outbox.
func AppendFact(ctx context.Context, tx pgx.Tx, f event.Fact) error { return appendOne(ctx, tx, f) }

func appendOne(ctx context.Context, tx pgx.Tx, e Event) error {
	batch := &pgx.Batch{}
	if err := Queue(ctx, batch, e); err != nil {
		return err
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("outbox: %s: %w", e.Subject(), err)
	}
	return nil
}

// Event is an event.State or an event.Fact.
type Event interface{ Subject() string }

const queueSQL = `
	insert into outbox (id, subject, version, body, headers)
	select id, subject, version, body, @headers
	from unnest(@ids::uuid[], @subjects::text[], @versions::bigint[], @bodies::bytea[]) as news (id, subject, version, body)`

// Queue is AppendState and AppendFact as a part of a batch of the transaction, for
// several events at once.
func Queue(ctx context.Context, batch *pgx.Batch, events ...Event) error {
	ids, bodies := make([]uuid.UUID, len(events)), make([][]byte, len(events))
	subjects, versions := make([]string, len(events)), make([]int64, len(events))
	for i, e := range events {
		subjects[i] = e.Subject()
		if s, ok := e.(event.State); ok {
			if versions[i] = s.StateVersion(); versions[i] <= 0 {
				return fmt.Errorf("outbox: state on %s has no version", s.Subject())
			}
		}
		var err error
		if ids[i], bodies[i], err = envelope(versions[i], e); err != nil {
			return fmt.Errorf("outbox: %s: %w", e.Subject(), err)
		}
	}
	batch.Queue(queueSQL, pgx.NamedArgs{
		"ids": ids, "subjects": subjects, "versions": versions, "bodies": bodies, "headers": correlation.Headers(ctx),
	})
	return nil
}

// envelope returns the id and the body of a message.
func envelope(version int64, payload any) (id uuid.UUID, body []byte, err error) {
	data, err := json.Marshal(payload)
	if err != nil {
		return id, nil, err
	}
	if id, err = uuid.NewV7(); err != nil {
		return id, nil, err
	}
	body, err = json.Marshal(event.Envelope{
		ID: id.String(), Version: version, At: time.Now().UTC().Truncate(time.Millisecond), Data: data,
	})
	return id, body, err
}

// channel wakes the relay that leads, from other processes.
const channel = "outbox"

// Notify tells the relay that there may be news, for a process that has none. The
// relay would look by itself a moment later.
func Notify(ctx context.Context, pool *pgxpool.Pool) error {
	if _, err := pool.Exec(ctx, "select pg_notify($1, '')", channel); err != nil {
		return fmt.Errorf("outbox: notify: %w", err)
	}
	return nil
}

// errLockLost says that the relay's connection, and with it the lock, is gone.
var errLockLost = errors.New("outbox: the relay's connection was lost")
