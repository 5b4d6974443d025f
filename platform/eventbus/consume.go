package eventbus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/nats-io/nats.go/jetstream"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/errgroup"

	"capzone.dev/platform/event"
	"capzone.dev/platform/telemetry"
)

const (
	// Workers is how many messages of a consumer one replica handles, and holds, at a time.
	// Each may hold a connection to the database (postgres.DefaultConnections).
	Workers = 4
	// retryStart and retryMost bound the delay before a failed message is delivered again.
	retryStart = 250 * time.Millisecond
	retryMost  = time.Minute
	// handleTimeout bounds the work on one message. It is long enough to hide a player with records on thousands of maps.
	handleTimeout = 5 * time.Minute
	// stopTimeout bounds the work on one message after the process was told to stop, or has lost the consumer.
	stopTimeout = 8 * time.Second
	// reconnectDelay is the wait after the consumer was lost.
	reconnectDelay = time.Second
)

// Handler processes one message. It is called at least once for each message, by any replica and, unless the consumer
// is Ordered, in any order: states are compared by version, ConsumeFact stores which it has processed. A nil error
// acknowledges the message, an error made by Undecodable or of the kind noValueOfType terminates it, and after any
// other error it is delivered again. While a handler runs, the message is delivered to no other replica.
type Handler func(ctx context.Context, subject string, e event.Envelope) error

// ErrUndecodable is in the chain of errors made by Undecodable.
var ErrUndecodable = errors.New("the message cannot be decoded")

// Undecodable marks an error that another delivery would not change.
func Undecodable(err error) error { return errors.Join(ErrUndecodable, err) }

// noValueOfType is the SQLSTATE of a text that is no value of its column's type, such as of an id that is no UUID.
const noValueOfType = "22P02"

// isUndecodable reports whether another delivery would not change an error.
func isUndecodable(err error) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return errors.Is(err, ErrUndecodable) || ok && refused.Code == noValueOfType
}

// MsgHandler processes one message of a stream whose messages have no envelope (ROOMS). The rules of Handler apply.
type MsgHandler func(ctx context.Context, msg jetstream.Msg) error

// Enveloped returns a MsgHandler that decodes envelopes and passes them to h.
func Enveloped(h Handler) MsgHandler {
	return func(ctx context.Context, msg jetstream.Msg) error {
		envelope, err := decode(msg.Data())
		if err != nil {
			return Undecodable(err)
		}
		meta, err := msg.Metadata()
		if err != nil {
			return Undecodable(err)
		}
		envelope.Sequence = meta.Sequence.Stream
		return h(ctx, msg.Subject(), envelope)
	}
}

// Consume passes the messages of a durable consumer to h until ctx ends. It waits for a
// stream that is not provisioned yet, and for NATS.
func Consume(ctx context.Context, js jetstream.JetStream, c event.Consumer, h MsgHandler, log *slog.Logger) error {
	w := worker{Consumer: c, handle: h, log: log.With("consumer", c.Name)}
	for ctx.Err() == nil {
		if err := w.runUntilLost(ctx, js); err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, "consumer is not available, retrying", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(reconnectDelay):
		}
	}
	return nil
}

// worker handles messages of a consumer.
type worker struct {
	event.Consumer
	handle MsgHandler
	log    *slog.Logger
	// reportInterval is how often the server is told that a message is still being handled.
	reportInterval time.Duration
}

// runUntilLost runs the workers until ctx ends or one of them loses the consumer.
func (w worker) runUntilLost(ctx context.Context, js jetstream.JetStream) error {
	consumer, err := js.Consumer(ctx, w.Stream, w.Name)
	if err != nil {
		return err
	}
	w.reportInterval = consumer.CachedInfo().Config.AckWait / 3
	g, ctx := errgroup.WithContext(ctx)
	for range Workers {
		g.Go(func() error { return w.run(ctx, consumer) })
	}
	return g.Wait()
}

// run requests and handles one message at a time. A replica therefore never holds a
// message that no worker handles, whose acknowledgement time would pass.
func (w worker) run(ctx context.Context, consumer jetstream.Consumer) error {
	messages, err := consumer.Messages(
		jetstream.PullMaxMessages(1),
		jetstream.PullHeartbeat(5*time.Second),
		jetstream.PullExpiry(15*time.Second))
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, messages.Drain)
	defer stop()
	for {
		msg, err := messages.Next()
		if errors.Is(err, jetstream.ErrMsgIteratorClosed) {
			return nil
		}
		if err != nil {
			messages.Stop()
			return err
		}
		w.deliver(ctx, msg)
	}
}

// deliver handles one message and acknowledges, terminates or rejects it. After ctx has ended, because the process
// stops or the consumer was lost, the handler has stopTimeout to finish.
func (w worker) deliver(ctx context.Context, msg jetstream.Msg) {
	stopping := ctx
	ctx, cancel := context.WithTimeout(telemetry.FromHeaders(context.WithoutCancel(ctx), msg.Headers()), handleTimeout)
	defer cancel()
	stop := context.AfterFunc(stopping, func() { time.AfterFunc(stopTimeout, cancel) })
	defer stop()
	ctx, span := telemetry.Child(ctx, trace.SpanKindConsumer, "process "+w.Name,
		semconv.MessagingSystemKey.String("nats"), semconv.MessagingDestinationName(msg.Subject()))
	err := w.handleAndReport(ctx, msg)
	telemetry.End(span, err)
	outcome := "done"
	switch {
	case err == nil:
		if meta, err := msg.Metadata(); err == nil {
			deliveryLag.WithLabelValues(w.Name).Observe(max(time.Since(meta.Timestamp).Seconds(), 0))
		}
		err = msg.Ack()
	case isUndecodable(err):
		outcome = "undecodable"
		w.log.ErrorContext(ctx, "message terminated", "subject", msg.Subject(), "error", err)
		err = msg.TermWithReason("undecodable")
	default:
		outcome = "retried"
		delay := retryDelay(msg)
		w.log.WarnContext(ctx, "message will be redelivered", "subject", msg.Subject(), "delay", delay, "error", err)
		err = msg.NakWithDelay(delay)
	}
	deliveries.WithLabelValues(w.Name, outcome).Inc()
	if err != nil {
		// The server delivers it again, which every handler accepts.
		w.log.WarnContext(ctx, "acknowledgement failed", "subject", msg.Subject(), "error", err)
	}
}

// handleAndReport handles one message. Until the handler returns, it reports to the server that the message is being
// handled.
func (w worker) handleAndReport(ctx context.Context, msg jetstream.Msg) error {
	reporting, stop := context.WithCancel(ctx)
	var reports sync.WaitGroup
	reports.Go(func() {
		ticker := time.NewTicker(w.reportInterval)
		defer ticker.Stop()
		for {
			select {
			case <-reporting.Done():
				return
			case <-ticker.C:
				if err := msg.InProgress(); err != nil {
					w.log.WarnContext(ctx, "a message may be delivered twice", "subject", msg.Subject(), "error", err)
				}
			}
		}
	})
	err := w.recover(ctx, msg)
	stop()
	reports.Wait() // a report after the acknowledgement would put off the next delivery
	return err
}

// recover returns a panic of the handler as an error, so that one bad message does not end the process.
func (w worker) recover(ctx context.Context, msg jetstream.Msg) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.log.ErrorContext(ctx, "handler panicked",
				"subject", msg.Subject(), "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("handler panicked: %v", p)
		}
	}()
	return w.handle(ctx, msg)
}

// retryDelay doubles with each delivery.
func retryDelay(msg jetstream.Msg) time.Duration {
	meta, err := msg.Metadata()
	if err != nil || meta.NumDelivered > 10 {
		return retryMost
	}
	return min(retryStart<<(meta.NumDelivered-1), retryMost)
}

func decode(data []byte) (event.Envelope, error) {
	var e event.Envelope
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("envelope: %w", err)
	}
	if e.ID == "" || len(e.Data) == 0 {
		return e, errors.New("envelope: id or data is missing")
	}
	return e, nil
}

// Route returns a Handler that gives each message to the handler of its subject, or of the subject up to its last dot,
// as states have it. A message on another subject is undecodable.
func Route(handlers map[string]Handler) Handler {
	return func(ctx context.Context, subject string, e event.Envelope) error {
		handle, ok := handlers[subject]
		if !ok {
			handle, ok = handlers[subject[:strings.LastIndex(subject, ".")+1]]
		}
		if !ok {
			return Undecodable(fmt.Errorf("message %s is on the unknown subject %s", e.ID, subject))
		}
		return handle(ctx, subject, e)
	}
}

// Replay passes every state that STATE retains on the subjects to h, and returns their number. The durable consumers
// may run meanwhile, since copies compare versions. An undecodable message is skipped; any other error of h ends the
// replay. Messages are read one by one: a service has no permission to create a consumer for the replay.
func Replay(ctx context.Context, js jetstream.JetStream, subjects []string, h Handler) (int, error) {
	stream, err := js.Stream(ctx, event.StateStream.Name)
	if err != nil {
		return 0, fmt.Errorf("replay: %w", err)
	}
	// Later messages reach the durable consumers.
	last := stream.CachedInfo().State.LastSeq
	count := 0
	for _, subject := range subjects {
		n, err := replaySubject(ctx, stream, subject, last, h)
		count += n
		if err != nil {
			return count, err
		}
	}
	return count, nil
}

// replaySubject passes the messages on subject up to the sequence number last to h.
func replaySubject(
	ctx context.Context, stream jetstream.Stream, subject string, last uint64, h Handler,
) (count int, err error) {
	for next := uint64(1); next <= last; {
		msg, err := stream.GetMsg(ctx, next, jetstream.WithGetMsgSubject(subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return count, nil
		}
		if err != nil {
			return count, fmt.Errorf("replay: %w", err)
		}
		if msg.Sequence > last {
			return count, nil
		}
		next = msg.Sequence + 1
		envelope, err := decode(msg.Data)
		if err != nil {
			continue
		}
		err = h(ctx, msg.Subject, envelope)
		if isUndecodable(err) {
			continue
		}
		if err != nil {
			return count, fmt.Errorf("replay %s: %w", msg.Subject, err)
		}
		count++
	}
	return count, nil
}
