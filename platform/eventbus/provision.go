package eventbus

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
)

const (
	// duplicateWindow is how long a stream remembers Nats-Msg-Ids: longer than
	// any retry of a publication goes on in the usual course.
	duplicateWindow = 10 * time.Minute
	// ackWait is how long a delivery may take before another replica gets it, and
	// so how long copies lag behind after a replica is killed.
	ackWait = 10 * time.Second
	// maxAckPending bounds the deliveries that a service has in hand.
	maxAckPending = 256
)

// Provision makes the streams and the durable consumers of the catalogue, or
// brings them up to date, each stream with so many replicas. It may be run
// again at any time and loses nothing.
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
