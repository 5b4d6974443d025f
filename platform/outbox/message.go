package outbox

import (
	"context"
	"maps"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"

	"capzone.dev/platform/telemetry"
)

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
