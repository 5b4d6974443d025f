package httpserve

import (
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/problem"
)

// Outcomes counts the requests of one kind by outcome: success, or the code of the problem.
type Outcomes struct {
	counter *prometheus.CounterVec
	success string
}

// NewOutcomes returns a registered counter. success is the outcome of a request without a
// problem.
func NewOutcomes(registerer prometheus.Registerer, name, help, success string) *Outcomes {
	counter := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{"outcome"})
	counter.WithLabelValues(success)
	registerer.MustRegister(counter)
	return &Outcomes{counter, success}
}

// Count counts a request that ended with err.
func (o *Outcomes) Count(err error) { o.counter.WithLabelValues(problem.Outcome(err, o.success)).Inc() }
