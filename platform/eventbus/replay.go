package eventbus

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
)

// Replay hands every state that the stream STATE retains on the subjects to h,
// and returns how many there were. It leaves the durable consumers alone:
// versions make it harmless that both are at work. An undecodable message is
// skipped, any other error of h ends the replay.
//
// The messages are read one by one, without a consumer: who may make consumers
// may also change those of others, and no service may.
func Replay(ctx context.Context, js jetstream.JetStream, subjects []string, h Handler) (int, error) {
	stream, err := js.Stream(ctx, event.StateStream.Name)
	if err != nil {
		return 0, fmt.Errorf("replay: %w", err)
	}
	// What is published from here on reaches the consumers.
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

// replaySubject hands over what lies on subject up to the sequence last.
func replaySubject(ctx context.Context, stream jetstream.Stream, subject string, last uint64, h Handler) (count int, err error) {
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
