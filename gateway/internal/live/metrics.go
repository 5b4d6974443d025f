package live

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// The outcomes of facts in the metrics.
const (
	outcomePublic     = "public"
	outcomePrivate    = "private"
	outcomeUnreadable = "unreadable"
)

// metrics are the metrics of a hub and its readers.
type metrics struct {
	facts    *prometheus.CounterVec
	failures prometheus.Counter
	readers  prometheus.Gauge
	sent     prometheus.Counter
	resumes  *prometheus.CounterVec
	lagged   prometheus.Counter
	resets   prometheus.Counter
}

func newMetrics(registerer prometheus.Registerer) metrics {
	factory := promauto.With(registerer)
	m := metrics{
		facts: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "gateway_live_facts_total",
			Help: "Facts that were read from NATS as they happened, by what became of them: public, private or unreadable.",
		}, []string{"outcome"}),
		failures: factory.NewCounter(prometheus.CounterOpts{
			Name: "gateway_live_read_failures_total", Help: "Reads of new facts from NATS that failed. They are tried again.",
		}),
		readers: factory.NewGauge(prometheus.GaugeOpts{
			Name: "gateway_live_readers", Help: "Readers of the live events.",
		}),
		sent: factory.NewCounter(prometheus.CounterOpts{
			Name: "gateway_live_events_sent_total", Help: "Events that were sent, counted once for each reader.",
		}),
		resumes: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "gateway_live_resumes_total",
			Help: "Readers that went on after an event, by where the next ones were: in memory or in the stream.",
		}, []string{"source"}),
		lagged: factory.NewCounter(prometheus.CounterOpts{
			Name: "gateway_live_lagged_total", Help: "Readers that were cut off because they were too slow.",
		}),
		resets: factory.NewCounter(prometheus.CounterOpts{
			Name: "gateway_live_resets_total",
			Help: "Readers that were told that events which they asked for are not kept.",
		}),
	}
	for _, outcome := range []string{outcomePublic, outcomePrivate, outcomeUnreadable} {
		m.facts.WithLabelValues(outcome)
	}
	for _, source := range []string{sourceMemory, sourceStream} {
		m.resumes.WithLabelValues(source)
	}
	return m
}
