// Package eventbus sends and receives the messages of package event over NATS: it
// creates streams and consumers, passes messages to handlers until they succeed,
// stores which messages were processed, and implements request and reply.
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
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/event"
)

var errBadURL = errors.New("NATS_URL is not a URL like nats://user:password@host:port")

// Connect connects to NATS under the name of a process. It does not wait for a server: the connection is
// established, and re-established, in the background. Messages are buffered until then.
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
				log.Warn("NATS is unavailable", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("NATS is available again") }),
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
	// ackWait is how long the server waits for an acknowledgement, or for the report that a message is still being
	// handled, before it delivers the message to another replica: copies lag for as long after a replica is killed.
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
	if s.WorkQueue {
		cfg.Retention = jetstream.WorkQueuePolicy
	}
	return cfg
}

func consumerConfig(c event.Consumer) jetstream.ConsumerConfig {
	cfg := jetstream.ConsumerConfig{
		Durable:        c.Name,
		FilterSubjects: c.Subjects,
		DeliverPolicy:  jetstream.DeliverAllPolicy,
		AckPolicy:      jetstream.AckExplicitPolicy,
		AckWait:        ackWait,
		MaxAckPending:  maxAckPending,
		// A message that can be decoded is retried for as long as the stream keeps it.
		MaxDeliver: -1,
	}
	if c.Ordered {
		cfg.MaxAckPending = 1 // a rejected message counts until it is delivered again
	}
	return cfg
}

// The metrics of all connections of the process. NewConnCollectors returns them too.
var (
	deliveries = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "eventbus_deliveries_total",
		Help: "Messages taken from durable consumers, by what became of them.",
	}, []string{"consumer", "outcome"})
	deliveryLag = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "eventbus_delivery_lag_seconds",
		Help:    "Time from the publication of a message until it had its effect.",
		Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300},
	}, []string{"consumer"})
	requests = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "eventbus_request_duration_seconds",
		Help:    "Duration of requests to other services and bots, by subject and outcome (ok, or the problem's code).",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"subject", "outcome"})
)

// topic returns a subject without the parts that name one bot.
func topic(subject string) string {
	const toBot = "room.v1.bot."
	if rest, ok := strings.CutPrefix(subject, toBot); ok {
		if dot := strings.LastIndexByte(rest, '.'); dot >= 0 {
			return toBot + "*" + rest[dot:]
		}
	}
	return subject
}

var (
	pending = prometheus.NewDesc("eventbus_consumer_pending",
		"Messages of the stream that a durable consumer has not been sent yet.", []string{"consumer"}, nil)
	ackPending = prometheus.NewDesc("eventbus_consumer_ack_pending",
		"Messages that were sent to a durable consumer and are not acknowledged yet.", []string{"consumer"}, nil)
	redelivered = prometheus.NewDesc("eventbus_consumer_redelivered",
		"Messages not acknowledged yet that were sent to a durable consumer more than once.", []string{"consumer"}, nil)
)

// infoTimeout bounds a request to the server when metrics are collected.
const infoTimeout = time.Second

// NewLagCollector returns a collector of how far a durable consumer lags behind its
// stream. Every replica reports the same figures, and none if NATS does not answer.
func NewLagCollector(js jetstream.JetStream, c event.Consumer) prometheus.Collector {
	return lagCollector{js, c}
}

type lagCollector struct {
	js       jetstream.JetStream
	consumer event.Consumer
}

// Describe implements prometheus.Collector. It is empty because one registry has several
// collectors with the same descriptors.
func (lagCollector) Describe(chan<- *prometheus.Desc) {}

func (l lagCollector) Collect(metrics chan<- prometheus.Metric) {
	if !l.js.Conn().IsConnected() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), infoTimeout)
	defer cancel()
	consumer, err := l.js.Consumer(ctx, l.consumer.Stream, l.consumer.Name) // asks for its state
	if err != nil {
		return
	}
	info := consumer.CachedInfo()
	gauge := func(desc *prometheus.Desc, value float64) {
		metrics <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, l.consumer.Name)
	}
	gauge(pending, float64(info.NumPending))
	gauge(ackPending, float64(info.NumAckPending))
	gauge(redelivered, float64(info.NumRedelivered))
}

// NewConnCollectors returns collectors of the state of a connection to NATS, and of the messages and requests of the
// process.
func NewConnCollectors(nc *nats.Conn) []prometheus.Collector {
	return []prometheus.Collector{
		deliveries, deliveryLag, requests,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "nats_connected", Help: "1 while the process is connected to NATS.",
		}, func() float64 {
			if nc.IsConnected() {
				return 1
			}
			return 0
		}),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "nats_reconnects_total", Help: "Times that the connection to NATS was made again.",
		}, func() float64 { return float64(nc.Stats().Reconnects) }),
	}
}
