package httpapi

import (
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/problem"
)

// Outcomes counts submissions by their outcome.
type Outcomes struct{ submissions *prometheus.CounterVec }

const accepted = "accepted"

// NewOutcomes returns registered counters.
func NewOutcomes(registerer prometheus.Registerer) Outcomes {
	o := Outcomes{prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "maps_submissions_total",
		Help: "Maps that players submitted, by outcome: accepted or the problem's code.",
	}, []string{"outcome"})}
	o.submissions.WithLabelValues(accepted)
	registerer.MustRegister(o.submissions)
	return o
}

func (o Outcomes) count(err error) {
	o.submissions.WithLabelValues(problem.Outcome(err, accepted)).Inc()
}
