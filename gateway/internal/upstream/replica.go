package upstream

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/telemetry"
)

const (
	// maxFailures is how many failures in a row eject a replica for ejectionTime, although its health check succeeds.
	maxFailures  = 5
	ejectionTime = 5 * time.Second
)

// replica is one process of a service.
type replica struct {
	address  string
	inFlight atomic.Int64
	// down is true when no connection can be made or the health check fails.
	down atomic.Bool
	// timeouts counts health checks that timed out, in a row.
	timeouts atomic.Int64
	// failures counts failed requests in a row. ejectedUntil is in Unix nanoseconds.
	failures     atomic.Int64
	ejectedUntil atomic.Int64
}

func (r *replica) ejected(now time.Time) bool { return now.UnixNano() < r.ejectedUntil.Load() }

// recordOutcome counts how requests end. It reports whether that ejects the replica.
func (r *replica) recordOutcome(failed bool, now time.Time) bool {
	if !failed {
		r.failures.Store(0)
		return false
	}
	if r.failures.Add(1) < maxFailures {
		return false
	}
	r.failures.Store(0)
	r.ejectedUntil.Store(now.Add(ejectionTime).UnixNano())
	return true
}

// selectReplica returns the replica with the fewest requests in flight that is not among those tried, in turn where
// several have the fewest. Replicas that are down are never selected, ejected ones only where there is no other. It
// returns nil where there is none.
func (p *Pool) selectReplica(tried []*replica) *replica {
	p.mu.RLock()
	defer p.mu.RUnlock()
	now, first, n := time.Now(), p.next.Add(1), uint64(len(p.replicas))
	var best *replica
	for i := range n {
		r := p.replicas[(first+i)%n]
		if r.down.Load() || slices.Contains(tried, r) {
			continue
		}
		if best == nil || isBetter(r, best, now) {
			best = r
		}
	}
	return best
}

func isBetter(a, b *replica, now time.Time) bool {
	if a.ejected(now) != b.ejected(now) {
		return b.ejected(now)
	}
	return a.inFlight.Load() < b.inFlight.Load()
}

func (p *Pool) setDown(r *replica, down bool) {
	if r.down.Swap(down) != down {
		p.log.Info("replica went up or down", "address", r.address, "down", down)
	}
}

// Check returns an error when no replica is up.
func (p *Pool) Check(context.Context) error {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if !slices.ContainsFunc(p.replicas, func(r *replica) bool { return !r.down.Load() }) {
		return errors.New("no replica is up")
	}
	return nil
}

const (
	dialTimeout = time.Second
	// idlePerReplica keeps connections for as many requests at once. The default of 2 costs close to half of the
	// throughput.
	idlePerReplica = 256
	// idleTimeout is shorter than the services', so that no request is sent on a connection that the service is closing.
	idleTimeout = 60 * time.Second
	// bufferSize holds a typical list, in bytes.
	bufferSize = 16 << 10
)

// NewTransport returns the transport between the gateway and all services. Each try is a span of its own.
func NewTransport() http.RoundTripper {
	return telemetry.Transport(&http.Transport{
		DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
		MaxIdleConnsPerHost: idlePerReplica,
		IdleConnTimeout:     idleTimeout,
		DisableCompression:  true, // bytes pass as they are
		WriteBufferSize:     bufferSize,
		ReadBufferSize:      bufferSize,
	})
}

var (
	replicaUp = prometheus.NewDesc("gateway_replica_up",
		"1 for a replica that gets requests, 0 for one that is down or ejected.", []string{"service", "address"}, nil)
	replicaInFlight = prometheus.NewDesc("gateway_replica_requests_in_flight",
		"Requests that a replica is answering.", []string{"service", "address"}, nil)
)

func newRetries(service string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{
		Name:        "gateway_retries_total",
		Help:        "Requests that were sent to another replica after one could not answer.",
		ConstLabels: prometheus.Labels{"service": service},
	})
}

func newUnanswered(service string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{
		Name:        "gateway_unanswered_total",
		Help:        "Requests that no replica answered, without those that the client ended.",
		ConstLabels: prometheus.Labels{"service": service},
	})
}

// Describe implements prometheus.Collector. It describes nothing, because replicas change.
func (p *Pool) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (p *Pool) Collect(metrics chan<- prometheus.Metric) {
	metrics <- p.retries
	metrics <- p.unanswered
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
