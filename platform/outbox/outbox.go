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
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/telemetry"
)

// Event is an event.State or an event.Fact.
type Event interface{ Subject() string }

const appendSQL = `
	insert into outbox (id, subject, version, body, headers) values (@id, @subject, @version, @body, @headers)`

// Append writes events to the outbox, in the transaction of the change that they announce. A
// transaction that appends a state has locked the entity's row and raised its version, so that
// the versions of an entity are committed in order.
func Append(ctx context.Context, tx pgx.Tx, events ...Event) error {
	batch, headers := &pgx.Batch{}, telemetry.Headers(ctx)
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
		batch.Queue(appendSQL, pgx.NamedArgs{
			"id": id, "subject": e.Subject(), "version": version, "body": body, "headers": headers,
		})
	}
	return postgres.Wrap(tx.SendBatch(ctx, batch).Close(), "outbox: append")
}

// envelope returns the id and the body of a message.
func envelope(version int64, payload any) (id uuid.UUID, body []byte, err error) {
	data, err := json.Marshal(payload)
	if err != nil {
		return id, nil, err
	}
	id = uuid.Must(uuid.NewV7())
	body, err = json.Marshal(event.Envelope{
		ID: id.String(), Version: version, At: time.Now().UTC().Truncate(time.Millisecond), Data: data,
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

// publisher puts rows on their streams.
type publisher struct {
	js jetstream.JetStream
	// retained caches what is retained on a subject, so that most publications need no request
	// before them. It may be outdated: the server checks the condition.
	retained *lru.Cache[string, retained]
}

// retained is the message that STATE keeps for a subject.
type retained struct {
	sequence uint64 // of the stream; 0 when there is none
	version  int64
}

// maxRetained is the size of the cache retained.
const maxRetained = 50_000

func newPublisher(js jetstream.JetStream) publisher {
	cache, err := lru.New[string, retained](maxRetained)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return publisher{js, cache}
}

// publish publishes a batch and returns the ids of the rows that are stored on their stream, or
// superseded there. Facts are published in order without waiting for each other. Of several
// states of one entity only the newest is published.
func (p *publisher) publish(ctx context.Context, batch []row) ([]uuid.UUID, error) {
	var (
		done   []uuid.UUID
		errs   []error
		acks   []pendingAck
		newest = newestStates(batch)
	)
	for _, r := range batch {
		if r.Version == 0 {
			sent, err := p.send(ctx, r)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", r.Subject, err))
				break
			}
			acks = append(acks, pendingAck{[]uuid.UUID{r.ID}, r, sent})
			continue
		}
		group := newest[r.Subject]
		if group[len(group)-1] != r.ID {
			continue
		}
		if before, _ := p.retained.Get(r.Subject); before.version > r.Version {
			done = append(done, group...)
		} else {
			sent, err := p.sendIfNewest(ctx, r, before)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", r.Subject, err))
				break
			}
			acks = append(acks, pendingAck{group, r, sent})
		}
	}
	for _, a := range acks {
		if err := p.await(ctx, a.row, a.sent); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", a.row.Subject, err))
			continue
		}
		done = append(done, a.ids...)
	}
	return done, errors.Join(errs...)
}

// pendingAck is a published row whose acknowledgement is awaited, with the ids of the rows that it settles.
type pendingAck struct {
	ids  []uuid.UUID
	row  row
	sent sent
}

// newestStates groups the ids of a batch's states by subject, in order.
func newestStates(batch []row) map[string][]uuid.UUID {
	groups := map[string][]uuid.UUID{}
	for _, r := range batch {
		if r.Version != 0 {
			groups[r.Subject] = append(groups[r.Subject], r.ID)
		}
	}
	return groups
}

// await waits for an acknowledgement. If a state was refused because of another publication,
// it is compared with what is retained now, and published again if it is newer.
func (p *publisher) await(ctx context.Context, r row, s sent) error {
	for {
		ack, err := s.await(ctx)
		if r.Version == 0 {
			return err
		}
		if err == nil {
			p.retained.Add(r.Subject, retained{ack.Sequence, r.Version})
			return nil
		}
		p.retained.Remove(r.Subject)
		if !isSequenceConflict(err) {
			return err
		}
		now, err := p.readRetained(ctx, r.Subject)
		if err != nil {
			return err
		}
		if now.version >= r.Version {
			p.retained.Add(r.Subject, now)
			return nil // a newer state is there already
		}
		if s, err = p.sendIfNewest(ctx, r, now); err != nil {
			return err
		}
	}
}

// sendIfNewest publishes r on the condition that nothing was published on its subject since before was read. A
// relay that has lost the lock without noticing fails the condition, and does not replace a newer state.
func (p *publisher) sendIfNewest(ctx context.Context, r row, before retained) (sent, error) {
	return p.send(ctx, r, jetstream.WithExpectLastSequencePerSubject(before.sequence))
}

func (p *publisher) send(ctx context.Context, r row, options ...jetstream.PublishOpt) (sent, error) {
	msg, span := message(ctx, r)
	future, err := p.js.PublishMsgAsync(msg, options...)
	if err != nil {
		telemetry.End(span, err)
		return sent{}, err
	}
	return sent{future, span}, nil
}

// readRetained reads what STATE retains for a subject.
func (p *publisher) readRetained(ctx context.Context, subject string) (retained, error) {
	stream, err := p.js.Stream(ctx, event.StateStream.Name)
	if err != nil {
		return retained{}, err
	}
	msg, err := stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return retained{}, nil
	}
	if err != nil {
		return retained{}, err
	}
	var envelope event.Envelope
	if err := json.Unmarshal(msg.Data, &envelope); err != nil {
		// The message is not a state of this system. It is replaced.
		return retained{sequence: msg.Sequence}, nil //nolint:nilerr // see above
	}
	return retained{msg.Sequence, envelope.Version}, nil
}

// sent is a message that is not acknowledged yet.
type sent struct {
	future jetstream.PubAckFuture
	span   trace.Span
}

func (s sent) await(ctx context.Context) (ack *jetstream.PubAck, err error) {
	defer func() { telemetry.End(s.span, err) }()
	select {
	case ack := <-s.future.Ok():
		return ack, nil
	case err := <-s.future.Err():
		return nil, err
	case <-ctx.Done():
		return nil, ctx.Err()
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
