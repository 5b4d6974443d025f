package receivers

import (
	"cmp"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"capzone.dev/services/notifications/internal/webhook"
)

// Metrics implements webhook.Observer.
type Metrics struct {
	deliveries *prometheus.CounterVec
	off        *prometheus.CounterVec
}

// NewMetrics registers the metrics of a sender.
func NewMetrics(registerer prometheus.Registerer) *Metrics {
	factory := promauto.With(registerer)
	m := &Metrics{
		deliveries: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "notifications_webhook_attempts_total",
			Help: "Attempts to deliver an event to a webhook, by outcome: delivered, or why it failed.",
		}, []string{"outcome"}),
		off: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "notifications_webhooks_off_total",
			Help: "Webhooks that were switched off because of their receivers, by reason.",
		}, []string{"reason"}),
	}
	for _, failure := range []webhook.Failure{
		"delivered", webhook.FailureStatus, webhook.FailureRedirect, webhook.FailureTimeout, webhook.FailureUnresolved,
		webhook.FailureUnreachable, webhook.FailureAddressRefused, webhook.FailureCertificate,
	} {
		m.deliveries.WithLabelValues(string(failure))
	}
	for _, reason := range []webhook.OffReason{webhook.OffGone, webhook.OffFailures} {
		m.off.WithLabelValues(string(reason))
	}
	return m
}

// Attempted implements webhook.Observer.
func (m *Metrics) Attempted(a webhook.Answer, deliveries int) {
	m.deliveries.WithLabelValues(cmp.Or(string(a.Failure), "delivered")).Add(float64(deliveries))
}

// SwitchedOff implements webhook.Observer.
func (m *Metrics) SwitchedOff(reason webhook.OffReason) { m.off.WithLabelValues(string(reason)).Inc() }
