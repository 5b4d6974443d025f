package app

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/bot/internal/verification"
)

// metrics is a verification.Metrics.
type metrics struct {
	ended      *prometheus.CounterVec // by outcome
	timeToCode prometheus.Histogram
	failing    *prometheus.GaugeVec // by step of a check
}

func newMetrics(registry prometheus.Registerer) *metrics {
	m := &metrics{
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bot_rooms_total", Help: "Verification rooms by how they ended.",
		}, []string{"outcome"}),
		timeToCode: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "bot_time_to_code_seconds", Help: "From a player's entry into a room until the code was in its chat.",
			Buckets: []float64{.05, .1, .25, .5, 1, 1.5, 2, 3, 5, 10},
		}),
		failing: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "bot_own_room_failing",
			Help: "1 at the step at which the bot cannot enter its own room, and takes no logins.",
		}, []string{"step"}),
	}
	for _, outcome := range verification.Outcomes() {
		m.ended.WithLabelValues(string(outcome))
	}
	m.Checked("")
	registry.MustRegister(m.ended, m.timeToCode, m.failing)
	return m
}

// watch registers the gauges of a bot.
func watch(registry prometheus.Registerer, bot *verification.Bot, capacity int) {
	for _, gauge := range []struct {
		name, help string
		value      func(verification.Stats) int
	}{
		{"bot_rooms_open", "Verification rooms that are open or about to be.",
			func(s verification.Stats) int { return s.InUse }},
		{"bot_rooms_free", "Rooms that the bot could open now; 0 also while the game refuses rooms.",
			func(s verification.Stats) int { return s.Free }},
		{"bot_rooms_max", "Verification rooms that this bot holds at once.",
			func(verification.Stats) int { return capacity }},
		{"bot_rooms_limit", "Rooms that the bot allows itself at once; fewer after a limit of the game.",
			func(s verification.Stats) int { return s.Limit }},
		{"bot_queue_length", "Logins that wait for a room.", func(s verification.Stats) int { return s.Waiting }},
	} {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: gauge.name, Help: gauge.help},
			func() float64 { return float64(gauge.value(bot.Stats())) }))
	}
}

func (m *metrics) RoomEnded(outcome verification.Outcome) {
	m.ended.WithLabelValues(string(outcome)).Inc()
}

func (m *metrics) CodeSent(responseTime time.Duration) { m.timeToCode.Observe(responseTime.Seconds()) }

func (m *metrics) Checked(failedStep string) {
	for _, step := range gameroom.CheckSteps() {
		value := 0.0
		if step == failedStep {
			value = 1
		}
		m.failing.WithLabelValues(step).Set(value)
	}
}
