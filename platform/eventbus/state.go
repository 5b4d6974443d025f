package eventbus

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
)

// ApplyState returns a Handler that decodes states and gives them to apply, which compares versions. A state
// without a valid id or version, or on the subject of another entity, is undecodable.
func ApplyState[S event.State](apply func(ctx context.Context, state S) error) Handler {
	return func(ctx context.Context, subject string, e event.Envelope) error {
		state, err := event.Decode[S](e)
		if err != nil {
			return Undecodable(err)
		}
		id := subject[strings.LastIndexByte(subject, '.')+1:]
		if !event.IsID(id) || state.Subject() != subject || state.StateVersion() < 1 {
			return Undecodable(fmt.Errorf("message %s on %s has the state of %s in version %d",
				e.ID, subject, state.Subject(), state.StateVersion()))
		}
		return apply(ctx, state)
	}
}

// Route returns a Handler that gives each message to the handler of its subject's
// prefix. A message on another subject is undecodable.
func Route(byPrefix map[string]Handler) Handler {
	return func(ctx context.Context, subject string, e event.Envelope) error {
		for prefix, handle := range byPrefix {
			if strings.HasPrefix(subject, prefix) {
				return handle(ctx, subject, e)
			}
		}
		return Undecodable(fmt.Errorf("message %s is on the unknown subject %s", e.ID, subject))
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
		if errors.Is(err, ErrUndecodable) {
			continue
		}
		if err != nil {
			return count, fmt.Errorf("replay %s: %w", msg.Subject, err)
		}
		count++
	}
	return count, nil
}
