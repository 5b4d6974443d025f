package upstream

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	replicaUp = prometheus.NewDesc("gateway_replica_up",
		"1 for a replica that gets requests, 0 for one that is down or ejected.", []string{"service", "address"}, nil)
	replicaInFlight = prometheus.NewDesc("gateway_replica_requests_in_flight",
		"Requests that a replica is answering.", []string{"service", "address"}, nil)

	retries = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "gateway_retries_total",
		Help: "Requests that were sent to another replica after one could not answer.",
	}, []string{"service"})
	unanswered = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "gateway_unanswered_total",
		Help: "Requests that no replica answered, without those that the client ended.",
	}, []string{"service"})
)

// Describe implements prometheus.Collector. It describes nothing, because replicas come and go.
func (p *Pool) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (p *Pool) Collect(metrics chan<- prometheus.Metric) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	now := time.Now()
	for _, r := range p.replicas {
		up := 1.0
		if r.down.Load() || r.ejected(now) {
			up = 0
		}
		inFlight := float64(r.inFlight.Load())
		metrics <- prometheus.MustNewConstMetric(replicaUp, prometheus.GaugeValue, up, p.name, r.address)
		metrics <- prometheus.MustNewConstMetric(replicaInFlight, prometheus.GaugeValue, inFlight, p.name, r.address)
	}
}
