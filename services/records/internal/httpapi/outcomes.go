package httpapi

import (
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
)

// Outcomes count what becomes of runs.
type Outcomes struct {
	submissions                            *prometheus.CounterVec
	personalBests, worldRecords, downloads prometheus.Counter
}

const accepted = "accepted"

// NewOutcomes returns counters that are registered.
func NewOutcomes(registerer prometheus.Registerer) Outcomes {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	o := Outcomes{
		submissions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "records_submissions_total",
			Help: "Runs that players handed in, by outcome: accepted or the problem's code.",
		}, []string{"outcome"}),
		personalBests: counter("records_personal_bests_total", "Accepted runs that were their players' best on the map."),
		worldRecords:  counter("records_world_records_total", "Accepted runs that were the best of all on the map."),
		downloads:     counter("records_downloads_total", "Replays that were found for a download."),
	}
	o.submissions.WithLabelValues(accepted)
	registerer.MustRegister(o.submissions, o.personalBests, o.worldRecords, o.downloads)
	return o
}

func (o Outcomes) count(submitted record.Outcome, err error) {
	o.submissions.WithLabelValues(problem.Outcome(err, accepted)).Inc()
	if err == nil && submitted.Standing.PersonalBest {
		o.personalBests.Inc()
	}
	if err == nil && submitted.WorldRecord() {
		o.worldRecords.Inc()
	}
}
