package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/webhook"
)

const (
	// dropWaitingSQL ends the oldest of too many deliveries that wait.
	dropWaitingSQL = `
		update webhook_deliveries d set state = 'failed', failure = 'dropped', next_try_at = null
		from webhooks w cross join lateral (
			select o.id from webhook_deliveries o
			where o.webhook_id = w.id and o.next_try_at is not null
			order by o.sequence desc
			offset @waiting
		) old
		where w.due_at is not null and d.webhook_id = w.id and d.id = old.id`
	// trimDeliveriesSQL deletes what is not listed any more and does not wait.
	trimDeliveriesSQL = `
		delete from webhook_deliveries d
		using webhooks w cross join lateral (
			select o.id from webhook_deliveries o
			where o.webhook_id = w.id
			order by o.sequence desc
			offset @shown
		) old
		where d.webhook_id = w.id and d.id = old.id and d.next_try_at is null`
	purgeDeliveriesSQL = `
		delete from webhook_deliveries where ctid = any (array(
			select ctid from webhook_deliveries where created_at < @before order by created_at limit 1000))`
)

// Trim deletes the deliveries that are too many or too old, and returns how many rows that were. Where more than
// webhook.MaxWaiting wait, it ends the oldest.
func (s Webhooks) Trim(ctx context.Context, now time.Time) (count int, err error) {
	if _, err := s.db.Exec(ctx, dropWaitingSQL, pgx.NamedArgs{"waiting": webhook.MaxWaiting}); err != nil {
		return 0, fmt.Errorf("drop deliveries: %w", err)
	}
	trimmed, err := s.db.Exec(ctx, trimDeliveriesSQL, pgx.NamedArgs{"shown": webhook.MaxShown})
	if err != nil {
		return 0, fmt.Errorf("trim deliveries: %w", err)
	}
	purged, err := postgres.ExecAll(ctx, s.db, purgeDeliveriesSQL, pgx.NamedArgs{"before": now.Add(-webhook.KeptFor)})
	return int(trimmed.RowsAffected()) + purged, postgres.Wrap(err, "purge deliveries")
}

var (
	waitingDesc = prometheus.NewDesc("notifications_webhook_deliveries_waiting",
		"Deliveries of webhooks that wait for their first or another attempt.", nil, nil)
	lateDesc = prometheus.NewDesc("notifications_webhook_late_seconds",
		"How long the delivery has been due that waits longest, of webhooks whose last attempt was successful.", nil, nil)
)

const (
	countWaitingSQL = `select count(*) from webhook_deliveries where next_try_at is not null`
	latestSQL       = `
		select coalesce(max(extract(epoch from now() - due_at)), 0)::float8
		from webhooks where failures = 0 and due_at <= now()`
)

// Describe implements prometheus.Collector.
func (Webhooks) Describe(descs chan<- *prometheus.Desc) {
	descs <- waitingDesc
	descs <- lateDesc
}

// Collect implements prometheus.Collector. It reports nothing if the database does not answer in time.
func (s Webhooks) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var waiting, late float64
	if s.db.QueryRow(ctx, countWaitingSQL).Scan(&waiting) != nil || s.db.QueryRow(ctx, latestSQL).Scan(&late) != nil {
		return
	}
	metrics <- prometheus.MustNewConstMetric(waitingDesc, prometheus.GaugeValue, waiting)
	metrics <- prometheus.MustNewConstMetric(lateDesc, prometheus.GaugeValue, late)
}
