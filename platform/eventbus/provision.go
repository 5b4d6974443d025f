package eventbus

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
)

const (
	// duplicateWindow is how long a stream remembers Nats-Msg-Ids: longer than the
	// outbox usually retries a publication.
	duplicateWindow = 10 * time.Minute
	// ackWait is how long a replica may handle a message before it is delivered to another
	// one, and so how long copies lag after a replica was killed.
	ackWait = 10 * time.Second
	// maxAckPending bounds the unacknowledged messages of all replicas of a service.
	maxAckPending = 256
)

// Provision creates or updates the streams and durable consumers of the catalogue, each
// stream with the number of replicas. It is idempotent and loses no message.
func Provision(ctx context.Context, js jetstream.JetStream, replicas int) error {
	for _, s := range event.Streams() {
		if _, err := js.CreateOrUpdateStream(ctx, streamConfig(s, replicas)); err != nil {
			return fmt.Errorf("stream %s: %w", s.Name, err)
		}
	}
	for _, c := range event.Consumers() {
		if _, err := js.CreateOrUpdateConsumer(ctx, c.Stream, consumerConfig(c)); err != nil {
			return fmt.Errorf("consumer %s: %w", c.Name, err)
		}
	}
	return nil
}

func streamConfig(s event.Stream, replicas int) jetstream.StreamConfig {
	cfg := jetstream.StreamConfig{
		Name:       s.Name,
		Subjects:   s.Subjects,
		Retention:  jetstream.LimitsPolicy,
		Storage:    jetstream.FileStorage,
		MaxAge:     s.MaxAge,
		MaxMsgSize: 256 << 10,
		Duplicates: duplicateWindow,
		Replicas:   replicas,
		// Copies read the newest state of one subject.
		AllowDirect: true,
	}
	if s.LastPerSubject {
		cfg.MaxMsgsPerSubject = 1
	}
	return cfg
}

func consumerConfig(c event.Consumer) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable:        c.Name,
		FilterSubjects: c.Subjects,
		DeliverPolicy:  jetstream.DeliverAllPolicy,
		AckPolicy:      jetstream.AckExplicitPolicy,
		AckWait:        ackWait,
		MaxAckPending:  maxAckPending,
		// A message that can be decoded is retried for as long as the stream keeps it.
		MaxDeliver: -1,
	}
}
