package eventbus

import (
	"context"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"capzone.dev/platform/event"
)

var (
	deliveries = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "eventbus_deliveries_total",
		Help: "Messages taken from durable consumers, by what became of them.",
	}, []string{"consumer", "outcome"})
	deliveryLag = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "eventbus_delivery_lag_seconds",
		Help:    "Time from the publication of a message until it had its effect.",
		Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300},
	}, []string{"consumer"})
	requests = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "eventbus_request_duration_seconds",
		Help:    "How long requests to neighbours and bots took, by subject and outcome (ok, or the problem's code).",
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

// Collect implements prometheus.Collector.
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

// NewConnCollectors returns collectors of the state of a connection to NATS.
func NewConnCollectors(nc *nats.Conn) []prometheus.Collector {
	return []prometheus.Collector{
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
