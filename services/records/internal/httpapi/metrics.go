package httpapi

import (
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
)

// Metrics counts submissions and downloads.
type Metrics struct {
	submissions                            *prometheus.CounterVec
	personalBests, worldRecords, downloads prometheus.Counter
}

// accepted is the outcome of a submission without a problem.
const accepted = "accepted"

// NewMetrics returns metrics that are registered.
func NewMetrics(registerer prometheus.Registerer) *Metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	m := &Metrics{
		submissions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "records_submissions_total",
			Help: "Submissions of players, by outcome: accepted or the problem's code.",
		}, []string{"outcome"}),
		personalBests: counter("records_personal_bests_total", "Accepted records that were personal bests."),
		worldRecords:  counter("records_world_records_total", "Accepted records that were world records."),
		downloads:     counter("records_downloads_total", "Replays that were found for a download."),
	}
	m.submissions.WithLabelValues(accepted)
	registerer.MustRegister(m.submissions, m.personalBests, m.worldRecords, m.downloads)
	return m
}

func (m *Metrics) countSubmission(submitted record.Submitted, err error) {
	m.submissions.WithLabelValues(problem.Outcome(err, accepted)).Inc()
	if err != nil {
		return
	}
	if submitted.Placement.PersonalBest {
		m.personalBests.Inc()
	}
	if submitted.WorldRecord() {
		m.worldRecords.Inc()
	}
}
