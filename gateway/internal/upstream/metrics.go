package upstream

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	replicaUp       = prometheus.NewDesc("gateway_replica_up", "1 for a replica that gets requests, 0 for one that is left out.", []string{"service", "address"}, nil)
	replicaInFlight = prometheus.NewDesc("gateway_replica_requests_in_flight", "Requests that a replica is answering.", []string{"service", "address"}, nil)
)

var (
	retries = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "gateway_retries_total",
		Help: "Requests that were given to another replica, because one could not answer.",
	}, []string{"service"})
	unanswered = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "gateway_unanswered_total",
		Help: "Requests that no replica answered, but for those that the client gave up.",
	}, []string{"service"})
)

// Describe implements prometheus.Collector: replicas come and go, so nothing is
// promised.
func (p *Pool) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (p *Pool) Collect(metrics chan<- prometheus.Metric) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	now := time.Now()
	for _, t := range p.targets {
		up := 0.0
		if t.works(now) {
			up = 1
		}
		metrics <- prometheus.MustNewConstMetric(replicaUp, prometheus.GaugeValue, up, p.name, t.address)
		metrics <- prometheus.MustNewConstMetric(replicaInFlight, prometheus.GaugeValue, float64(t.inFlight.Load()), p.name, t.address)
	}
}
