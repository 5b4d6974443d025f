package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/webhook"
)

// deliveryTargets returns where deliveryColumns are scanned to. Where there is no delivery, all of it is zero.
func deliveryTargets(d *webhook.Delivery) []any {
	return []any{
		(*zeronull.Text)(&d.ID), (*zeronull.Text)(&d.Type), (*zeronull.Text)(&d.State), &d.Tries, &d.Status,
		(*zeronull.Text)(&d.Failure), (*zeronull.Timestamptz)(&d.CreatedAt),
		(*zeronull.Timestamptz)(&d.LastTryAt), (*zeronull.Timestamptz)(&d.NextTryAt),
	}
}

func scanDelivery(row pgx.CollectableRow) (d webhook.Delivery, err error) {
	err = row.Scan(deliveryTargets(&d)...)
	return d, err
}

const (
	listDeliveriesSQL = `
		select ` + deliveryColumns + `
		from webhook_deliveries d
		where d.webhook_id = @id
		order by d.sequence desc
		limit @limit`
	ownsWebhookSQL    = `select enabled from webhooks where id = @id and owner_id = @owner`
	lockWebhookSQL    = `select enabled from webhooks where id = @id and owner_id = @owner for update`
	insertDeliverySQL = `
		insert into webhook_deliveries (webhook_id, id, type, body, state, created_at, next_try_at)
		values (@id, @delivery, @type, @body, 'waiting', @at, @at)`
	// wakeWebhookSQL makes a webhook due at a time, unless it is due before.
	wakeWebhookSQL = `
		update webhooks set due_at = least(due_at, greatest(@at, paused_until)) where id = @id`
	sendAgainSQL = `
		update webhook_deliveries d set
			state = 'waiting', tries = 0, next_try_at = least(next_try_at, @at), held_until = null
		where webhook_id = @id and id = @delivery
		returning ` + deliveryColumns
)

// Deliveries implements webhook.Store.
func (s Webhooks) Deliveries(ctx context.Context, ownerID, id string) (deliveries []webhook.Delivery, err error) {
	var enabled bool
	err = s.db.QueryRow(ctx, ownsWebhookSQL, pgx.NamedArgs{"id": id, "owner": ownerID}).Scan(&enabled)
	if err == nil {
		deliveries, err = postgres.Collect(ctx, s.db, scanDelivery, listDeliveriesSQL,
			pgx.NamedArgs{"id": id, "limit": webhook.MaxShown})
	}
	return deliveries, postgres.ReadError(err, webhook.ErrUnknown, "webhook %s", id)
}

// AddTest implements webhook.Store.
func (s Webhooks) AddTest(ctx context.Context, ownerID, id string, test webhook.Delivery) error {
	return s.add(ctx, ownerID, id, test.NextTryAt, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, insertDeliverySQL, pgx.NamedArgs{
			"id": id, "delivery": test.ID, "type": test.Type, "body": test.Body, "at": test.CreatedAt,
		})
		return err
	})
}

const (
	usesSQL     = `select since, count from webhook_uses where player_id = @player`
	saveUsesSQL = `
		insert into webhook_uses (player_id, since, count) values (@player, @since, @count)
		on conflict (player_id) do update set since = excluded.since, count = excluded.count`
)

// CountUse implements webhook.Store. The lock of the player's inbox makes concurrent uses count each other.
func (s Webhooks) CountUse(ctx context.Context, ownerID string, now time.Time) error {
	err := s.change(ctx, ownerID, func(tx pgx.Tx, owner string) error {
		if err := lockInboxes(ctx, tx, owner); err != nil {
			return err
		}
		var uses webhook.Uses
		err := tx.QueryRow(ctx, usesSQL, pgx.NamedArgs{"player": owner}).Scan(&uses.Since, &uses.Count)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if uses, err = uses.Add(now); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, saveUsesSQL, pgx.NamedArgs{"player": owner, "since": uses.Since, "count": uses.Count})
		return err
	})
	return postgres.Wrap(err, "uses of webhooks by player %s", ownerID)
}

// SendAgain implements webhook.Store.
func (s Webhooks) SendAgain(
	ctx context.Context, ownerID, id, deliveryID string, at time.Time,
) (delivery webhook.Delivery, err error) {
	err = s.add(ctx, ownerID, id, at, func(tx pgx.Tx) error {
		delivery, err = postgres.CollectOne(ctx, tx, scanDelivery, sendAgainSQL,
			pgx.NamedArgs{"id": id, "delivery": deliveryID, "at": at})
		return postgres.ReadError(err, webhook.ErrDeliveryUnknown, "delivery %s", deliveryID)
	})
	return delivery, err
}

// add locks a webhook of an owner, calls do, and makes the webhook due at a time. It returns webhook.ErrOff for one
// that is switched off.
func (s Webhooks) add(ctx context.Context, ownerID, id string, at time.Time, do func(tx pgx.Tx) error) error {
	err := s.change(ctx, ownerID, func(tx pgx.Tx, owner string) error {
		var enabled bool
		err := tx.QueryRow(ctx, lockWebhookSQL, pgx.NamedArgs{"id": id, "owner": owner}).Scan(&enabled)
		if err != nil {
			return err
		}
		if !enabled {
			return webhook.ErrOff
		}
		if err := do(tx); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, wakeWebhookSQL, pgx.NamedArgs{"id": id, "at": at})
		return err
	})
	return postgres.ReadError(err, webhook.ErrUnknown, "webhook %s", id)
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
