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

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/telemetry"
)

// Event is an event.State or an event.Fact.
type Event interface{ Subject() string }

// Append writes events to the outbox. Whoever appends a state has locked the entity's
// row and raised its version in the same transaction, so that versions are committed
// in order.
func Append(ctx context.Context, tx pgx.Tx, events ...Event) error {
	if len(events) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	if err := Queue(ctx, batch, events...); err != nil {
		return err
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("outbox: append: %w", err)
	}
	return nil
}

const queueSQL = `
	insert into outbox (id, subject, version, body, headers)
	select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bytea[], $5::jsonb[])`

// Batch is the events of one transaction, which are written by one statement. Its
// zero value has none.
type Batch struct {
	ids      []uuid.UUID
	subjects []string
	versions []int64
	bodies   [][]byte
	headers  []map[string][]string
}

// Add adds events, which carry the headers of what has caused them (see
// telemetry.Headers).
func (b *Batch) Add(headers map[string][]string, events ...Event) error {
	for _, e := range events {
		var version int64
		if s, ok := e.(event.State); ok {
			if version = s.StateVersion(); version <= 0 {
				return fmt.Errorf("outbox: state on %s has no version", s.Subject())
			}
		}
		id, body, err := envelope(version, e)
		if err != nil {
			return fmt.Errorf("outbox: %s: %w", e.Subject(), err)
		}
		b.ids, b.subjects, b.versions = append(b.ids, id), append(b.subjects, e.Subject()), append(b.versions, version)
		b.bodies, b.headers = append(b.bodies, body), append(b.headers, headers)
	}
	return nil
}

// Queue is Append of all events as a part of a batch of the transaction.
func (b *Batch) Queue(batch *pgx.Batch) {
	batch.Queue(queueSQL, b.ids, b.subjects, b.versions, b.bodies, b.headers)
}

// Queue is Append as a part of a batch of the transaction.
func Queue(ctx context.Context, batch *pgx.Batch, events ...Event) error {
	var all Batch
	if err := all.Add(telemetry.Headers(ctx), events...); err != nil {
		return err
	}
	all.Queue(batch)
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
func Notify(ctx context.Context, pool *postgres.Pool) error {
	if _, err := pool.Exec(ctx, "select pg_notify($1, '')", channel); err != nil {
		return fmt.Errorf("outbox: notify: %w", err)
	}
	return nil
}

// errLockLost says that the relay's connection, and with it the lock, is gone.
var errLockLost = errors.New("outbox: the relay's connection was lost")
