package app

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/services/records/internal/record"
)

// steps counts the time of submissions by their steps. It implements record.Steps.
type steps struct{ seconds *prometheus.HistogramVec }

func newSteps(registry prometheus.Registerer) steps {
	s := steps{prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "submission_step_seconds",
		Help:    "How long the steps of submissions took.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5},
	}, []string{"step"})}
	registry.MustRegister(s.seconds)
	return s
}

// Took implements record.Steps.
func (s steps) Took(step record.Step, d time.Duration) {
	s.seconds.WithLabelValues(string(step)).Observe(d.Seconds())
}
