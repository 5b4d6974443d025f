package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/webhook"
)

// takeSQL leases webhooks and reads their due deliveries, in the order of the events. One that has failed is sent
// before later ones for as long as it is held. A webhook whose deliveries have ended meanwhile has none.
const takeSQL = `
	with taken as (
		select id from webhooks
		where due_at <= @at and (failures > 0 or slow) = @troubled and (leased_until is null or leased_until <= @at)
		order by due_at
		limit @limit
		for update skip locked
	), leased as (
		update webhooks w set lease_id = @lease, leased_until = @until
		from taken t
		where w.id = t.id
		returning w.id, w.lease_id, w.url, w.format, w.secret,
			case when w.previous_until > @at then w.previous_secret end as previous_secret, w.failures, w.failing_since,
			exists (select from players p where p.id = w.owner_id and p.banned) as banned
	)
	select l.*, coalesce(d.id::text, ''), coalesce(d.type, ''), d.body, coalesce(d.tries, 0), d.created_at, d.held_until
	from leased l left join lateral (
		select * from webhook_deliveries
		where webhook_id = l.id and next_try_at <= @at
		order by coalesce(held_until < @at, false), sequence
		limit case l.format when 'discord' then @embeds else 1 end
	) d on true
	order by l.id, coalesce(d.held_until < @at, false), d.sequence`

// Take implements webhook.SenderStore.
func (s *Store) Take(ctx context.Context, lease webhook.Lease) (works []webhook.Work, err error) {
	rows, err := postgres.Collect(ctx, s.db, scanWork, takeSQL, pgx.NamedArgs{
		"lease": lease.ID, "troubled": lease.Troubled, "limit": lease.Limit, "at": lease.At, "until": lease.Until,
		"embeds": webhook.MaxEmbeds,
	})
	if err != nil {
		return nil, fmt.Errorf("take webhooks: %w", err)
	}
	for _, row := range rows {
		if last := len(works) - 1; last >= 0 && works[last].WebhookID == row.WebhookID {
			works[last].Deliveries = append(works[last].Deliveries, row.Deliveries...)
			continue
		}
		works = append(works, row)
	}
	return works, nil
}

// scanWork scans a webhook with one of its deliveries, if there is any.
func scanWork(row pgx.CollectableRow) (w webhook.Work, err error) {
	var secret, previous []byte
	var d webhook.Delivery
	err = row.Scan(&w.WebhookID, &w.LeaseID, &w.URL, &w.Format, &secret, &previous, &w.Failures,
		(*zeronull.Timestamptz)(&w.FailingSince), &w.Banned, &d.ID, &d.Type, &d.Body, &d.Tries,
		(*zeronull.Timestamptz)(&d.CreatedAt), (*zeronull.Timestamptz)(&d.HeldUntil))
	for _, s := range [][]byte{secret, previous} {
		if s != nil {
			w.Secrets = append(w.Secrets, s)
		}
	}
	if d.ID != "" {
		w.Deliveries = []webhook.Delivery{d}
	}
	return w, err
}

const (
	lockLeasedSQL    = selectWebhooksSQL + ` where w.id = @id and w.lease_id = @lease for update of w`
	finishWebhookSQL = `
		update webhooks set
			failures = @failures, failing_since = @failing_since, paused_until = @paused_until, slow = @slow,
			last_delivery_id = coalesce(@delivery, last_delivery_id)
		where id = @id`
	switchOffSQL = `update webhooks set enabled = false, off_reason = @reason where id = @id`
	// giveBackSQL ends a lease. The webhook is due when a delivery is, and the pause is over; what waits already is due
	// after the webhooks that have waited longer, so that each of them has its turn.
	giveBackSQL = `
		update webhooks w set lease_id = null, leased_until = null, due_at = (
			select greatest(min(d.next_try_at), w.paused_until, @at)
			from webhook_deliveries d
			where d.webhook_id = w.id and d.next_try_at is not null
			having count(*) > 0)
		where id = @id`
)

// Finish implements webhook.SenderStore.
func (s *Store) Finish(ctx context.Context, work webhook.Work, out webhook.Outcome, at time.Time) error {
	return s.giveBack(ctx, work, at, func(tx pgx.Tx, w webhook.Webhook) error {
		out, effect := w.Finish(out, at)
		batch := &pgx.Batch{}
		for _, d := range out.Deliveries {
			batch.Queue(saveDeliverySQL, saveArgs(w.ID, d))
		}
		batch.Queue(finishWebhookSQL, pgx.NamedArgs{
			"id": w.ID, "failures": out.Failures, "failing_since": zeronull.Timestamptz(out.FailingSince),
			"paused_until": zeronull.Timestamptz(out.PausedUntil), "slow": out.Slow,
			"delivery": out.Deliveries[len(out.Deliveries)-1].ID,
		})
		if out.Off != "" {
			batch.Queue(switchOffSQL, pgx.NamedArgs{"id": w.ID, "reason": out.Off})
			batch.Queue(endWaitingSQL, pgx.NamedArgs{"id": w.ID, "failure": webhook.FailureOff})
		}
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
		return addNotifications(ctx, tx, effect)
	})
}

// GiveBack implements webhook.SenderStore.
func (s *Store) GiveBack(ctx context.Context, work webhook.Work, at time.Time) error {
	return s.giveBack(ctx, work, at, func(pgx.Tx, webhook.Webhook) error { return nil })
}

// End implements webhook.SenderStore.
func (s *Store) End(ctx context.Context, work webhook.Work, at time.Time) error {
	return s.giveBack(ctx, work, at, func(tx pgx.Tx, w webhook.Webhook) error {
		_, err := tx.Exec(ctx, endWaitingSQL, pgx.NamedArgs{"id": w.ID, "failure": webhook.FailureBanned})
		return err
	})
}

// giveBack calls do in the transaction that ends the lease of work, unless another sender has the webhook, or it is
// deleted. The lock of merges comes first, as in all transactions that may add notifications.
func (s *Store) giveBack(
	ctx context.Context, work webhook.Work, at time.Time, do func(tx pgx.Tx, w webhook.Webhook) error,
) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := copies.ShareMerges(ctx, tx); err != nil {
			return err
		}
		args := pgx.NamedArgs{"id": work.WebhookID, "lease": work.LeaseID, "at": at}
		w, err := postgres.CollectOne(ctx, tx, scanWebhook, lockLeasedSQL, args)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = do(tx, w)
		}
		if err == nil {
			_, err = tx.Exec(ctx, giveBackSQL, args)
		}
		return err
	})
	return postgres.Wrap(err, "give webhook %s back", work.WebhookID)
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
func (*Store) Describe(descs chan<- *prometheus.Desc) {
	descs <- waitingDesc
	descs <- lateDesc
}

// Collect implements prometheus.Collector. It reports nothing if the database does not answer in time.
func (s *Store) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var waiting, late float64
	if s.db.QueryRow(ctx, countWaitingSQL).Scan(&waiting) != nil || s.db.QueryRow(ctx, latestSQL).Scan(&late) != nil {
		return
	}
	metrics <- prometheus.MustNewConstMetric(waitingDesc, prometheus.GaugeValue, waiting)
	metrics <- prometheus.MustNewConstMetric(lateDesc, prometheus.GaugeValue, late)
}
