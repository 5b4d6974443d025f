// Package eventbus sends and receives the messages of package event over NATS: it
// creates streams and consumers, passes messages to handlers until they succeed,
// records processed messages in an inbox, and implements request and reply.
package eventbus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	neturl "net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
)

var errBadURL = errors.New("NATS_URL is not a URL like nats://user:password@host:port")

// Connect connects to NATS under the name of a process. It does not wait for a server:
// the connection is established, and re-established, in the background. Messages are
// buffered until then.
func Connect(url, name string, log *slog.Logger, options ...nats.Option) (*nats.Conn, error) {
	options = append([]nats.Option{
		nats.Name(name),
		nats.CustomInboxPrefix(event.InboxPrefix(name)),
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(500 * time.Millisecond),
		nats.ReconnectJitter(250*time.Millisecond, time.Second),
		nats.PingInterval(10 * time.Second),
		nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("NATS is away", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("NATS is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, sub *nats.Subscription, err error) {
			subject := ""
			if sub != nil {
				subject = sub.Subject
			}
			log.Warn("NATS error", "subject", subject, "error", err)
		}),
	}, options...)
	for server := range strings.SplitSeq(url, ",") {
		if _, err := neturl.Parse(strings.TrimSpace(server)); err != nil {
			return nil, errBadURL // err would contain the password
		}
	}
	nc, err := nats.Connect(url, options...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	return nc, nil
}

// publishTimeout bounds the wait for the acknowledgement of a published message.
const publishTimeout = 5 * time.Second

// JetStream returns the JetStream context of a connection.
func JetStream(nc *nats.Conn) (jetstream.JetStream, error) {
	return jetstream.New(nc, jetstream.WithPublishAsyncTimeout(publishTimeout),
		jetstream.WithDefaultTimeout(publishTimeout))
}

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
