package app

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/bot/internal/verification"
)

// metrics are the bot's own. It is a verification.Meter.
type metrics struct {
	registry *prometheus.Registry
	rooms    *prometheus.CounterVec
	code     prometheus.Histogram
	failures *prometheus.CounterVec
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		rooms: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bot_rooms_total", Help: "Verification rooms by how they ended.",
		}, []string{"outcome"}),
		code: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "bot_time_to_code_seconds", Help: "From a player's entry into a room until the code was said there.",
			Buckets: []float64{.05, .1, .25, .5, 1, 1.5, 2, 3, 5, 10},
		}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bot_game_failures_total", Help: "What the game refused or did not answer, by step.",
		}, []string{"step"}),
	}
	for _, outcome := range verification.Outcomes() {
		m.rooms.WithLabelValues(string(outcome))
	}
	for _, step := range gameroom.Steps() {
		m.failures.WithLabelValues(string(step))
	}
	m.registry.MustRegister(collectors.NewBuildInfoCollector(), m.rooms, m.code, m.failures)
	return m
}

// watch adds what the bot itself knows at any time.
func (m *metrics) watch(bot *verification.Bot, capacity int) {
	gauge := func(name, help string, value func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(value()) })
	}
	m.registry.MustRegister(
		gauge("bot_rooms_open", "Verification rooms that are open or about to be.", bot.Held),
		gauge("bot_rooms_free", "Verification rooms that the bot could open now; 0 also while the game gives none.", bot.Free),
		gauge("bot_rooms_max", "Verification rooms that this bot holds at once.", func() int { return capacity }),
	)
}

// Ended implements verification.Meter.
func (m *metrics) Ended(outcome verification.Outcome) {
	m.rooms.WithLabelValues(string(outcome)).Inc()
}

// Told implements verification.Meter.
func (m *metrics) Told(waited time.Duration) { m.code.Observe(waited.Seconds()) }

// failed counts what the game refused.
func (m *metrics) failed(step gameroom.Step) { m.failures.WithLabelValues(string(step)).Inc() }
