package eventbus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/nats-io/nats.go"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"

	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/telemetry"
)

const (
	// callTimeout bounds a request whose context has no deadline.
	callTimeout = 2 * time.Second
	// serveTimeout bounds the work on one request, and so the wait for its reply.
	serveTimeout = 10 * time.Second
	// drainTimeout bounds the wait for requests in flight, in case NATS does not answer.
	drainTimeout = 2 * time.Second
	// concurrentCalls bounds the requests that one subscription handles at a time.
	concurrentCalls = 64
)

// ErrUnavailable means that no other process answered.
var ErrUnavailable = problem.Unavailable("service_unavailable",
	"A service of the site does not answer at the moment. Please try again shortly.").
	WithReason("service_silent").WithRetryAfter(2 * time.Second)

// reply is the message that answers a request, with data or a problem.
type reply[T any] struct {
	Data    *T               `json:"data,omitempty"`
	Problem *problem.Problem `json:"problem,omitempty"`
}

// Call sends a request and waits for the reply. A problem in the reply is returned
// unchanged. It returns ErrUnavailable if there is no reply in time.
func Call[Resp any](ctx context.Context, nc *nats.Conn, subject string, req any) (resp Resp, err error) {
	ctx, span := telemetry.Child(ctx, trace.SpanKindClient, "request "+topic(subject),
		semconv.MessagingSystemKey.String("nats"))
	began := time.Now()
	defer func() {
		requests.WithLabelValues(topic(subject), problem.Outcome(err, "ok")).Observe(time.Since(began).Seconds())
		telemetry.End(span, err)
	}()
	question := nats.NewMsg(subject)
	if question.Data, err = json.Marshal(req); err != nil {
		return resp, fmt.Errorf("call %s: %w", subject, err)
	}
	question.Header = telemetry.Headers(ctx)
	timeout := callTimeout
	if _, hasDeadline := ctx.Deadline(); hasDeadline {
		timeout = serveTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if !nc.IsConnected() {
		// A request would wait in the client's buffer until its deadline.
		return resp, ErrUnavailable.Wrap(fmt.Errorf("call %s: %w", subject, nats.ErrConnectionReconnecting))
	}
	msg, err := nc.RequestMsgWithContext(ctx, question)
	switch {
	case errors.Is(err, context.Canceled):
		return resp, err
	case err != nil:
		return resp, ErrUnavailable.Wrap(fmt.Errorf("call %s: %w", subject, err))
	}
	var r reply[Resp]
	err = json.Unmarshal(msg.Data, &r)
	switch {
	case err != nil:
		return resp, fmt.Errorf("call %s: answer: %w", subject, err)
	case r.Problem != nil:
		return resp, r.Problem
	case r.Data == nil:
		return resp, fmt.Errorf("call %s: the answer is empty", subject)
	}
	return *r.Data, nil
}

// AskPlayers returns a function that asks the players service for the player with an id.
func AskPlayers(nc *nats.Conn) func(ctx context.Context, id string) (event.PlayerState, error) {
	return func(ctx context.Context, id string) (event.PlayerState, error) {
		return Call[event.PlayerState](ctx, nc, event.GetPlayerSubject, event.GetPlayer{ID: id})
	}
}

// AskMaps returns a function that asks the maps service for the version of a map with an id.
func AskMaps(nc *nats.Conn) func(ctx context.Context, id string) (event.MapState, error) {
	return func(ctx context.Context, id string) (event.MapState, error) {
		return Call[event.MapState](ctx, nc, event.GetMapSubject, event.GetMap{ID: id})
	}
}

// ServeRPC answers requests on subject, shared with the other subscribers of the
// queue. The returned function unsubscribes and waits for requests in flight. Errors
// of h that are not problems are logged and answered as "internal".
func ServeRPC[Req, Resp any](
	nc *nats.Conn, subject, queue string, log *slog.Logger, h func(context.Context, Req) (Resp, error),
) (stop func(), err error) {
	free := make(chan struct{}, concurrentCalls)
	sub, err := nc.QueueSubscribe(subject, queue, func(msg *nats.Msg) {
		free <- struct{}{}
		go func() {
			defer func() { <-free }()
			ctx, cancel := context.WithTimeout(telemetry.FromHeaders(context.Background(), msg.Header), serveTimeout)
			defer cancel()
			ctx, span := telemetry.Child(ctx, trace.SpanKindServer, "answer "+topic(subject),
				semconv.MessagingSystemKey.String("nats"))
			body, err := json.Marshal(answer(ctx, msg.Data, h, log.With("subject", subject)))
			if err != nil {
				log.ErrorContext(ctx, "answer cannot be written", "subject", subject, "error", err)
				body, err = json.Marshal(reply[Resp]{Problem: problem.From(err)})
			}
			if err == nil {
				err = msg.Respond(body)
			}
			telemetry.End(span, err)
			if err != nil {
				log.WarnContext(ctx, "request was not answered", "subject", subject, "error", err)
			}
		}()
	})
	if err != nil {
		return nil, fmt.Errorf("serve %s: %w", subject, err)
	}
	return func() {
		drain(nc, sub)
		for range concurrentCalls {
			free <- struct{}{}
		}
	}, nil
}

// drain unsubscribes and waits until messages already sent by the server have been
// handled, because the sender of a dropped request waits for its whole timeout.
func drain(nc *nats.Conn, sub *nats.Subscription) {
	if !nc.IsConnected() {
		_ = sub.Unsubscribe() // no message is in flight
		return
	}
	closed := make(chan struct{})
	sub.SetClosedHandler(func(string) { close(closed) })
	if sub.Drain() != nil {
		return // the connection is closed
	}
	select {
	case <-closed:
	case <-time.After(drainTimeout):
	}
}

func answer[Req, Resp any](
	ctx context.Context, data []byte, h func(context.Context, Req) (Resp, error), log *slog.Logger,
) (r reply[Resp]) {
	defer func() {
		if p := recover(); p != nil {
			log.ErrorContext(ctx, "request panicked", "panic", p, "stack", string(debug.Stack()))
			r = reply[Resp]{Problem: problem.From(fmt.Errorf("panic: %v", p))}
		}
	}()
	var req Req
	if err := json.Unmarshal(data, &req); err != nil {
		return reply[Resp]{Problem: problem.InvalidArgument("malformed_request", "The request cannot be read.")}
	}
	resp, err := h(ctx, req)
	if err != nil {
		p := problem.From(err)
		if p.Kind == problem.KindInternal {
			log.ErrorContext(ctx, "request failed", "error", err)
		}
		return reply[Resp]{Problem: p}
	}
	return reply[Resp]{Data: &resp}
}
