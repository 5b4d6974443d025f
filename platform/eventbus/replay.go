package eventbus

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
)

// Replay hands every state that the stream STATE retains on the subjects to h,
// and returns how many there were. It leaves the durable consumers alone:
// versions make it harmless that both are at work. An undecodable message is
// skipped, any other error of h ends the replay.
func Replay(ctx context.Context, js jetstream.JetStream, subjects []string, h Handler) (int, error) {
	stream, err := js.Stream(ctx, event.StateStream.Name)
	if err != nil {
		return 0, fmt.Errorf("replay: %w", err)
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: subjects,
		DeliverPolicy:  jetstream.DeliverAllPolicy,
	})
	if err != nil {
		return 0, fmt.Errorf("replay: %w", err)
	}
	info, err := consumer.Info(ctx)
	if err != nil {
		return 0, fmt.Errorf("replay: %w", err)
	}
	if info.NumPending == 0 {
		return 0, nil
	}
	messages, err := consumer.Messages()
	if err != nil {
		return 0, fmt.Errorf("replay: %w", err)
	}
	defer messages.Stop()
	defer context.AfterFunc(ctx, messages.Stop)()

	for count := 0; ; {
		msg, err := messages.Next()
		if ctx.Err() != nil {
			return count, ctx.Err()
		}
		if err != nil {
			return count, fmt.Errorf("replay: %w", err)
		}
		meta, err := msg.Metadata()
		if err != nil {
			return count, fmt.Errorf("replay: %w", err)
		}
		if envelope, err := decode(msg.Data()); err == nil {
			if err := h(ctx, msg.Subject(), envelope); err != nil {
				return count, fmt.Errorf("replay %s: %w", msg.Subject(), err)
			}
			count++
		}
		if meta.NumPending == 0 {
			return count, nil
		}
	}
}
