package outbox

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	publications = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "outbox_publications_total",
		Help: "Events of the outbox, by whether their publication was settled or failed for now.",
	}, []string{"outcome"})

	leadership  = prometheus.NewDesc("outbox_relay_leader", "1 in the replica whose relay publishes the outbox.", nil, nil)
	unpublished = prometheus.NewDesc("outbox_unpublished",
		"Events of the outbox that are not published yet, counted up to 10000.", nil, nil)
	oldest = prometheus.NewDesc("outbox_oldest_unpublished_seconds",
		"Age of the oldest event that is not published yet; 0 when there is none.", nil, nil)
)

// The outcomes of a publication.
const (
	settled = "settled"
	failed  = "failed"
)

func init() {
	for _, outcome := range []string{settled, failed} {
		publications.WithLabelValues(outcome)
	}
}

// countUpTo bounds the cost of reading the metrics.
const countUpTo = 10_000

// Describe implements prometheus.Collector.
func (*Relay) Describe(descs chan<- *prometheus.Desc) {
	descs <- leadership
	descs <- unpublished
	descs <- oldest
}

// Collect implements prometheus.Collector. If the database does not answer, it collects only the
// leadership.
func (r *Relay) Collect(metrics chan<- prometheus.Metric) {
	leads := 0.0
	if r.leads.Load() {
		leads = 1
	}
	metrics <- prometheus.MustNewConstMetric(leadership, prometheus.GaugeValue, leads)

	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var count, age float64
	err := r.pool.QueryRow(ctx, `
		select count(*), coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)
		from (select created_at from outbox where published_at is null order by seq limit $1) waiting`,
		countUpTo).Scan(&count, &age)
	if err != nil {
		return
	}
	metrics <- prometheus.MustNewConstMetric(unpublished, prometheus.GaugeValue, count)
	metrics <- prometheus.MustNewConstMetric(oldest, prometheus.GaugeValue, max(age, 0))
}
