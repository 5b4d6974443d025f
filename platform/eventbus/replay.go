package eventbus

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
)

// Replay passes every state that STATE retains on the subjects to h, and returns their
// number. The durable consumers may run meanwhile, since copies compare versions. An
// undecodable message is skipped; any other error of h ends the replay. Messages are
// read one by one: a service has no permission to create a consumer for the replay.
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
func replaySubject(ctx context.Context, stream jetstream.Stream, subject string, last uint64, h Handler) (count int,
	err error) {
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
