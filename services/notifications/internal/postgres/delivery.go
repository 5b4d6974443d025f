package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/access"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/webhook"
)

const (
	listDeliveriesSQL = `
		select ` + deliveryColumns + `
		from webhook_deliveries d
		where d.webhook_id = @id
		order by d.sequence desc
		limit @limit`
	insertDeliverySQL = `
		insert into webhook_deliveries (webhook_id, id, type, body, state, created_at, next_try_at)
		values (@id, @delivery, @type, @body, @state, @created_at, @next)`
	// wakeWebhookSQL makes a webhook due at a time, unless it is due before.
	wakeWebhookSQL = `
		update webhooks set due_at = least(due_at, greatest(@next, paused_until)) where id = @id`
	getDeliverySQL  = `select ` + deliveryColumns + ` from webhook_deliveries d where d.webhook_id = @id and d.id = @delivery`
	saveDeliverySQL = `
		update webhook_deliveries set
			state = @state, tries = @tries, status = nullif(@status, 0), failure = nullif(@failure, ''),
			last_try_at = @last, next_try_at = @next, held_until = @held
		where webhook_id = @id and id = @delivery`
)

// saveArgs returns the arguments of saveDeliverySQL.
func saveArgs(webhookID string, d webhook.Delivery) pgx.NamedArgs {
	return pgx.NamedArgs{
		"id": webhookID, "delivery": d.ID, "state": d.State, "tries": d.Tries, "status": d.Status, "failure": d.Failure,
		"last": zeronull.Timestamptz(d.LastTryAt), "next": zeronull.Timestamptz(d.NextTryAt),
		"held": zeronull.Timestamptz(d.HeldUntil),
	}
}

// Deliveries implements webhook.DeliveryStore.
func (s *Store) Deliveries(ctx context.Context, id string) ([]webhook.Delivery, error) {
	deliveries, err := postgres.Collect(ctx, s.db, scanDelivery, listDeliveriesSQL,
		pgx.NamedArgs{"id": id, "limit": webhook.MaxShown})
	return deliveries, postgres.Wrap(err, "deliveries of webhook %s", id)
}

// AddTest implements webhook.DeliveryStore.
func (s *Store) AddTest(ctx context.Context, by access.Attribution, id string, test webhook.Delivery) error {
	return s.changeWebhook(ctx, by, id, func(tx pgx.Tx, w webhook.Webhook) error {
		if err := w.CheckSend(); err != nil {
			return err
		}
		return postgres.ExecBatch(ctx, tx, pgx.NamedArgs{
			"id": id, "delivery": test.ID, "type": test.Type, "body": test.Body, "state": test.State,
			"created_at": test.CreatedAt, "next": test.NextTryAt,
		}, insertDeliverySQL, wakeWebhookSQL)
	})
}

// SendAgain implements webhook.DeliveryStore.
func (s *Store) SendAgain(
	ctx context.Context, by access.Attribution, id, deliveryID string, at time.Time,
) (delivery webhook.Delivery, err error) {
	err = s.changeWebhook(ctx, by, id, func(tx pgx.Tx, w webhook.Webhook) error {
		if err := w.CheckSend(); err != nil {
			return err
		}
		before, err := postgres.CollectOne(ctx, tx, scanDelivery, getDeliverySQL,
			pgx.NamedArgs{"id": id, "delivery": deliveryID})
		if err != nil {
			return postgres.ReadError(err, webhook.ErrDeliveryUnknown, "delivery %s", deliveryID)
		}
		delivery = before.Again(at)
		return postgres.ExecBatch(ctx, tx, saveArgs(id, delivery), saveDeliverySQL, wakeWebhookSQL)
	})
	return delivery, err
}

const (
	usesSQL     = `select since, count from webhook_uses where player_id = @player`
	saveUsesSQL = `
		insert into webhook_uses (player_id, since, count) values (@player, @since, @count)
		on conflict (player_id) do update set since = excluded.since, count = excluded.count`
)

// CountUse implements webhook.DeliveryStore. The lock of the player's inbox makes concurrent uses count each other.
func (s *Store) CountUse(ctx context.Context, by access.Attribution, at time.Time) error {
	err := s.change(ctx, by, func(tx pgx.Tx, playerID string) error {
		if err := lockInboxes(ctx, tx, playerID); err != nil {
			return err
		}
		var before webhook.Uses
		err := tx.QueryRow(ctx, usesSQL, pgx.NamedArgs{"player": playerID}).Scan(&before.Since, &before.Count)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		after, err := before.Add(at)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, saveUsesSQL, pgx.NamedArgs{"player": playerID, "since": after.Since, "count": after.Count})
		return err
	})
	return postgres.Wrap(err, "uses of webhooks by player %s", by.Actor.ID)
}
