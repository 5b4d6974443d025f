package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/webhook"
)

// nullDelivery is a row of deliveryColumns, in which everything is null where there is no delivery.
type nullDelivery struct {
	id, kind, state, failure    *string
	tries, status               *int
	createdAt, lastTry, nextTry *time.Time
}

func (d *nullDelivery) targets() []any {
	return []any{&d.id, &d.kind, &d.state, &d.tries, &d.status, &d.failure, &d.createdAt, &d.lastTry, &d.nextTry}
}

func (d *nullDelivery) delivery() *webhook.Delivery {
	if d.id == nil {
		return nil
	}
	delivery := &webhook.Delivery{
		ID: *d.id, Type: *d.kind, State: webhook.State(*d.state), Tries: *d.tries,
		Failure: webhook.Failure(orEmpty(d.failure)), CreatedAt: *d.createdAt,
	}
	if d.status != nil {
		delivery.Status = *d.status
	}
	if d.lastTry != nil {
		delivery.LastTryAt = *d.lastTry
	}
	if d.nextTry != nil {
		delivery.NextTryAt = *d.nextTry
	}
	return delivery
}

func scanDelivery(row pgx.CollectableRow) (webhook.Delivery, error) {
	var d nullDelivery
	if err := row.Scan(d.targets()...); err != nil {
		return webhook.Delivery{}, err
	}
	return *d.delivery(), nil
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
	return deliveries, webhookError(id, err)
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

// countUseSQL counts a use, and begins anew where the period is over.
const countUseSQL = `
	insert into webhook_uses as u (player_id, since, count) values (@player, @now, 1)
	on conflict (player_id) do update set
		count = case when u.since > @begin then u.count + 1 else 1 end,
		since = case when u.since > @begin then u.since else @now end
	returning count, since`

// CountUse implements webhook.Store.
func (s Webhooks) CountUse(ctx context.Context, ownerID string, now time.Time) error {
	err := s.change(ctx, ownerID, func(tx pgx.Tx, owner string) error {
		var count int
		var since time.Time
		args := pgx.NamedArgs{"player": owner, "now": now, "begin": now.Add(-webhook.UsesPeriod)}
		if err := tx.QueryRow(ctx, countUseSQL, args).Scan(&count, &since); err != nil {
			return err
		}
		if count > webhook.MaxUses {
			return webhook.ErrTooOften.WithRetryAfter(since.Add(webhook.UsesPeriod).Sub(now))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("uses of webhooks by player %s: %w", ownerID, err)
	}
	return nil
}

// SendAgain implements webhook.Store.
func (s Webhooks) SendAgain(
	ctx context.Context, ownerID, id, deliveryID string, at time.Time,
) (delivery webhook.Delivery, err error) {
	err = s.add(ctx, ownerID, id, at, func(tx pgx.Tx) error {
		delivery, err = postgres.CollectOne(ctx, tx, scanDelivery, sendAgainSQL,
			pgx.NamedArgs{"id": id, "delivery": deliveryID, "at": at})
		if errors.Is(err, pgx.ErrNoRows) {
			return webhook.ErrDeliveryUnknown
		}
		return err
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
	return webhookError(id, err)
}
