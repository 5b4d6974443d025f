package httpapi

import (
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/problem"
)

// Outcomes counts logins and refreshes by outcome: "given" or the code of the problem.
type Outcomes struct{ rooms, logins, refreshes *prometheus.CounterVec }

const given = "given"

// NewOutcomes returns registered counters.
func NewOutcomes(registerer prometheus.Registerer) Outcomes {
	counter := func(name, help string) *prometheus.CounterVec {
		vec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{"outcome"})
		vec.WithLabelValues(given)
		registerer.MustRegister(vec)
		return vec
	}
	return Outcomes{
		rooms: counter("auth_room_requests_total",
			"Requests for a verification room, by outcome: given (a new one, or the browser's own again) or the problem's code."),
		logins: counter("auth_logins_total",
			"Codes that were entered, by outcome: given (a session) or the problem's code."),
		refreshes: counter("auth_refreshes_total",
			"Requests for a new access token, by outcome: given or the problem's code."),
	}
}

func count(vec *prometheus.CounterVec, err *error) {
	vec.WithLabelValues(problem.Outcome(*err, given)).Inc()
}
