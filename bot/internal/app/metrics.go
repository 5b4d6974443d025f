package app

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/bot/internal/verification"
)

// metrics are the bot's own. It is a verification.Metrics.
type metrics struct {
	registry *prometheus.Registry
	rooms    *prometheus.CounterVec
	code     prometheus.Histogram
	failures *prometheus.CounterVec
	checks   *prometheus.GaugeVec
}

func newMetrics(registry *prometheus.Registry) *metrics {
	m := &metrics{
		registry: registry,
		rooms: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bot_rooms_total", Help: "Verification rooms by how they ended.",
		}, []string{"outcome"}),
		code: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "bot_time_to_code_seconds", Help: "From a player's entry into a room until the code was said there.",
			Buckets: []float64{.05, .1, .25, .5, 1, 1.5, 2, 3, 5, 10},
		}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bot_game_failures_total", Help: "Requests that the game refused or did not answer, by step.",
		}, []string{"step"}),
		checks: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "bot_own_room_failing",
			Help: "1 at the step at which the bot cannot enter its own room, and takes no logins.",
		}, []string{"step"}),
	}
	for _, outcome := range verification.Outcomes() {
		m.rooms.WithLabelValues(string(outcome))
	}
	for _, step := range gameroom.Steps() {
		m.failures.WithLabelValues(string(step))
	}
	m.Checked("")
	m.registry.MustRegister(m.rooms, m.code, m.failures, m.checks)
	return m
}

// checkSteps are the steps at which a check can fail: the creation of the room, and the visit.
func checkSteps() []string {
	steps := []string{string(gameroom.StepRoom)}
	for _, step := range bonkio.VisitSteps() {
		steps = append(steps, string(step))
	}
	return steps
}

// watch adds what the bot itself knows at any time.
func (m *metrics) watch(bot *verification.Bot, capacity int) {
	gauge := func(name, help string, value func() int) prometheus.Collector {
		opts := prometheus.GaugeOpts{Name: name, Help: help}
		return prometheus.NewGaugeFunc(opts, func() float64 { return float64(value()) })
	}
	m.registry.MustRegister(
		gauge("bot_rooms_open", "Verification rooms that are open or about to be.", bot.Held),
		gauge("bot_rooms_free", "Rooms that the bot could open now; 0 also while the game gives none.", bot.Free),
		gauge("bot_rooms_max", "Verification rooms that this bot holds at once.", func() int { return capacity }),
		gauge("bot_rooms_limit", "Rooms that the bot allows itself at once; fewer after a limit of the game.", bot.Limit),
		gauge("bot_line_length", "Logins that wait for a room.", bot.Waiting),
	)
}

// RoomEnded implements verification.Metrics.
func (m *metrics) RoomEnded(outcome verification.Outcome) {
	m.rooms.WithLabelValues(string(outcome)).Inc()
}

// CodeSaid implements verification.Metrics.
func (m *metrics) CodeSaid(responseTime time.Duration) { m.code.Observe(responseTime.Seconds()) }

// Checked implements verification.Metrics.
func (m *metrics) Checked(failedStep string) {
	for _, step := range checkSteps() {
		value := 0.0
		if step == failedStep {
			value = 1
		}
		m.checks.WithLabelValues(step).Set(value)
	}
}

// gameFailed counts a request that the game refused.
func (m *metrics) gameFailed(step gameroom.Step) { m.failures.WithLabelValues(string(step)).Inc() }
