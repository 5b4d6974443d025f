// Package outbox publishes events exactly for the changes that were committed: Append writes
// an event in the transaction of the change, and the Relay publishes what was committed.
package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/telemetry"
)

// Event is an event.State, an event.Fact or an event.Command.
type Event interface{ Subject() string }

const appendSQL = `
	insert into outbox (id, subject, version, body, headers)
	select id, subject, version, body, @headers
	from unnest(@ids::uuid[], @subjects::text[], @versions::bigint[], @bodies::bytea[]) as e (id, subject, version, body)`

// Append writes events to the outbox, in the transaction of the change that they announce. A
// transaction that appends a state has locked the entity's row and raised its version, so that
// the versions of an entity are committed in order.
func Append(ctx context.Context, tx pgx.Tx, events ...Event) error {
	var (
		ids      []uuid.UUID
		subjects []string
		versions []int64
		bodies   [][]byte
	)
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
		ids = append(ids, id)
		subjects = append(subjects, e.Subject())
		versions = append(versions, version)
		bodies = append(bodies, body)
	}
	_, err := tx.Exec(ctx, appendSQL, pgx.NamedArgs{
		"ids": ids, "subjects": subjects, "versions": versions, "bodies": bodies, "headers": telemetry.Headers(ctx),
	})
	return postgres.Wrap(err, "outbox: append")
}

// envelope returns the id and the body of a message.
func envelope(version int64, payload any) (id uuid.UUID, body []byte, err error) {
	data, err := json.Marshal(payload)
	if err != nil {
		return id, nil, err
	}
	id = uuid.Must(uuid.NewV7())
	body, err = json.Marshal(event.Envelope{
		ID: id.String(), Version: version, At: event.InMillis(time.Now()), Data: data,
	})
	return id, body, err
}

// channel is the channel of notifications that wake the leading relay from other processes.
const channel = "outbox"

// Notify wakes the leading relay, for a process without one. Without it, the relay would read
// the outbox within a second.
func Notify(ctx context.Context, pool *postgres.Pool) error {
	_, err := pool.Exec(ctx, "select pg_notify($1, '')", channel)
	return postgres.Wrap(err, "outbox: notify")
}

// errLockLost is returned when the relay's connection, and with it the lock, was lost.
var errLockLost = errors.New("outbox: the relay's connection was lost")

// publish publishes a batch and returns the ids of the rows that are stored on their stream, or have a newer state
// there. Messages are published in order without waiting for each other. The newest of several states of one
// entity is published, the others are not.
func publish(ctx context.Context, js jetstream.JetStream, batch []row) (done []uuid.UUID, err error) {
	newest := map[string]uuid.UUID{}
	for _, r := range batch {
		if r.Version > 0 {
			newest[r.Subject] = r.ID
		}
	}
	var messages []sent
	var errs []error
	older := map[string][]uuid.UUID{}
	for _, r := range batch {
		if r.Version > 0 && newest[r.Subject] != r.ID {
			older[r.Subject] = append(older[r.Subject], r.ID)
			continue
		}
		msg, span := message(ctx, r)
		future, err := js.PublishMsgAsync(msg)
		if err != nil {
			telemetry.End(span, err)
			errs = append(errs, fmt.Errorf("%s: %w", r.Subject, err))
			break
		}
		messages = append(messages, sent{r, future, span})
	}
	for _, m := range messages {
		if err := m.await(ctx); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.row.Subject, err))
			continue
		}
		done = append(append(done, m.row.ID), older[m.row.Subject]...)
	}
	return done, errors.Join(errs...)
}

// sent is a message that is not acknowledged yet.
type sent struct {
	row    row
	future jetstream.PubAckFuture
	span   trace.Span
}

func (s sent) await(ctx context.Context) (err error) {
	defer func() { telemetry.End(s.span, err) }()
	select {
	case <-s.future.Ok():
		return nil
	case err := <-s.future.Err():
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// message returns the message of a row. If the row was written in a recorded trace, the span of
// the publication continues it.
func message(ctx context.Context, r row) (*nats.Msg, trace.Span) {
	msg := nats.NewMsg(r.Subject)
	msg.Data = r.Body
	headers := r.Headers
	ctx, span := telemetry.Child(telemetry.FromHeaders(ctx, headers), trace.SpanKindProducer,
		"publish "+kindOf(r), semconv.MessagingSystemKey.String("nats"), semconv.MessagingMessageID(r.ID.String()))
	if span.IsRecording() {
		headers = telemetry.Headers(ctx)
	}
	maps.Copy(msg.Header, headers)
	msg.Header.Set(jetstream.MsgIDHeader, r.ID.String())
	return msg, span
}

// kindOf returns the part of a subject that is the same for all entities.
func kindOf(r row) string {
	if r.Version == 0 {
		return r.Subject
	}
	return r.Subject[:max(strings.LastIndexByte(r.Subject, '.'), 0)]
}
