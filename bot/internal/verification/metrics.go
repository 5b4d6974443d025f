package verification

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Outcome is how a room ended.
type Outcome string

// The outcomes.
const (
	Closed    Outcome = "closed"    // auth closed it, successful or not
	Expired   Outcome = "expired"   // its lifetime ended
	Unused    Outcome = "unused"    // no visitor entered it, and other logins waited
	Lost      Outcome = "lost"      // the game ended it
	Abandoned Outcome = "abandoned" // the bot closed it, because it was without NATS or is stopping
	Refused   Outcome = "refused"   // the game did not create it
)

// Outcomes returns all outcomes.
func Outcomes() []Outcome { return []Outcome{Closed, Expired, Unused, Lost, Abandoned, Refused} }

// metrics are the measurements of a bot.
type metrics struct {
	ended      *prometheus.CounterVec // by outcome
	timeToCode prometheus.Histogram
	failing    *prometheus.GaugeVec // by step
	steps      []string             // of a check
}

// newMetrics registers the metrics of a bot.
func newMetrics(registry prometheus.Registerer, bot *Bot) *metrics {
	m := &metrics{
		steps: bot.cfg.CheckSteps,
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
	for _, outcome := range Outcomes() {
		m.ended.WithLabelValues(string(outcome))
	}
	m.checked("")
	registry.MustRegister(m.ended, m.timeToCode, m.failing)
	for _, gauge := range []struct {
		name, help string
		value      func() int
	}{
		{"bot_rooms_open", "Verification rooms that are open or about to be.", bot.InUse},
		{"bot_rooms_free", "Rooms that the bot could open now; 0 also while the game refuses rooms.", bot.Free},
		{"bot_rooms_max", "Verification rooms that this bot holds at once.", func() int { return bot.cfg.Capacity }},
		{"bot_rooms_limit", "Rooms that the bot allows itself at once; fewer after a limit of the game.", bot.Limit},
		{"bot_line_length", "Logins that wait for a room.", bot.Waiting},
	} {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: gauge.name, Help: gauge.help},
			func() float64 { return float64(gauge.value()) }))
	}
	return m
}

func (m *metrics) roomEnded(outcome Outcome) { m.ended.WithLabelValues(string(outcome)).Inc() }

func (m *metrics) codeSent(responseTime time.Duration) { m.timeToCode.Observe(responseTime.Seconds()) }

// checked sets the step at which a check failed, "" for none.
func (m *metrics) checked(failedStep string) {
	for _, step := range m.steps {
		value := 0.0
		if step == failedStep {
			value = 1
		}
		m.failing.WithLabelValues(step).Set(value)
	}
}
