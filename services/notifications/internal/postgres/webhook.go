package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/access"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/webhook"
)

// The columns of webhooks, with what is known of the filter's map and player, and of a delivery without its body.
const (
	webhookColumns = `
		w.id, w.owner_id, w.url, w.format, w.description, w.types, w.map_id, w.player_id, w.mode, w.enabled, w.off_reason,
		w.failures, w.failing_since, w.paused_until, w.previous_until, w.created_at, m.name, p.name, p.skin_image_url, p.skin_color`
	deliveryColumns = `
		d.id, d.type, d.state, coalesce(d.tries, 0), coalesce(d.status, 0), d.failure, d.created_at, d.last_try_at,
		d.next_try_at`
)

const (
	selectWebhooksSQL = `
		select ` + webhookColumns + `, ` + deliveryColumns + `
		from webhooks w
			left join maps m on m.id = w.map_id
			left join players p on p.id = w.player_id
			left join webhook_deliveries d on d.webhook_id = w.id and d.id = w.last_delivery_id`
	listWebhooksSQL = selectWebhooksSQL + ` where w.owner_id = @owner order by w.created_at, w.id`
	getWebhookSQL   = selectWebhooksSQL + ` where w.owner_id = @owner and w.id = @id`
	lockWebhookSQL  = getWebhookSQL + ` for update of w`
)

// Webhooks implements webhook.Store.
func (s *Store) Webhooks(ctx context.Context, ownerID string) ([]webhook.Webhook, error) {
	hooks, err := postgres.Collect(ctx, s.db, scanWebhook, listWebhooksSQL, pgx.NamedArgs{"owner": ownerID})
	return hooks, postgres.Wrap(err, "webhooks of player %s", ownerID)
}

// Webhook implements webhook.Store.
func (s *Store) Webhook(ctx context.Context, ownerID, id string) (webhook.Webhook, error) {
	hook, err := postgres.CollectOne(ctx, s.db, scanWebhook, getWebhookSQL, pgx.NamedArgs{"owner": ownerID, "id": id})
	return hook, postgres.ReadError(err, webhook.ErrUnknown, "webhook %s", id)
}

func scanWebhook(row pgx.CollectableRow) (w webhook.Webhook, err error) {
	var (
		types                          []string
		mapName, name, picture, colour zeronull.Text
		d                              webhook.Delivery
	)
	err = row.Scan(append([]any{
		&w.ID, &w.OwnerID, &w.URL, &w.Format, &w.Description, &types, (*zeronull.Text)(&w.Filter.MapID),
		(*zeronull.Text)(&w.Filter.PlayerID), (*zeronull.Text)(&w.Filter.Mode), &w.Enabled, (*zeronull.Text)(&w.OffReason),
		&w.Failures, (*zeronull.Timestamptz)(&w.FailingSince), (*zeronull.Timestamptz)(&w.PausedUntil),
		(*zeronull.Timestamptz)(&w.PreviousSecretUntil), &w.CreatedAt, &mapName, &name, &picture, &colour,
	}, deliveryTargets(&d)...)...)
	if err != nil {
		return w, err
	}
	if w.Filter.Types, err = publicevent.ParseTypes(types...); err != nil {
		return w, err
	}
	if id := w.Filter.MapID; id != "" {
		w.Map = &notification.Map{ID: id, Name: string(mapName)}
	}
	if id := w.Filter.PlayerID; id != "" {
		w.Player = &notification.Player{
			ID: id, Name: string(name), SkinImageURL: string(picture), SkinColor: string(colour),
		}
	}
	if d.ID != "" {
		w.LastDelivery = &d
	}
	return w, nil
}

const (
	countWebhooksSQL = `select count(*) from webhooks where owner_id = @owner`
	createWebhookSQL = `
		insert into webhooks (id, owner_id, url, format, description, types, map_id, player_id, mode, enabled, secret,
			created_at)
		values (@id, @owner, @url, @format, @description, @types, @map, @player, @mode, @enabled, @secret, @created_at)`
)

// CreateWebhook implements webhook.Store. The lock of the owner's inbox makes concurrent creations count each other.
func (s *Store) CreateWebhook(
	ctx context.Context, by access.Attribution, w webhook.Webhook, secret webhook.Secret,
) error {
	err := s.change(ctx, by, func(tx pgx.Tx, ownerID string) (err error) {
		if err := lockInboxes(ctx, tx, ownerID); err != nil {
			return err
		}
		var owner webhook.Owner
		err = tx.QueryRow(ctx, countWebhooksSQL, pgx.NamedArgs{"owner": ownerID}).Scan(&owner.Webhooks)
		if err != nil {
			return err
		}
		if err := owner.CheckCreate(); err != nil {
			return err
		}
		if w.Filter.PlayerID, err = copies.Current(ctx, tx, w.Filter.PlayerID); err != nil {
			return err
		}
		args := settingsOf(w)
		args["owner"], args["format"], args["secret"], args["created_at"] = ownerID, w.Format, []byte(secret), w.CreatedAt
		_, err = tx.Exec(ctx, createWebhookSQL, args)
		return err
	})
	return postgres.Wrap(err, "webhook %s", w.ID)
}

// settingsOf returns the arguments for what an owner sets of a webhook.
func settingsOf(w webhook.Webhook) pgx.NamedArgs {
	return pgx.NamedArgs{
		"id": w.ID, "url": w.URL, "description": w.Description, "types": w.Filter.Types.Names(),
		"map": zeronull.Text(w.Filter.MapID), "player": zeronull.Text(w.Filter.PlayerID),
		"mode": zeronull.Text(w.Filter.Mode), "enabled": w.Enabled,
	}
}

const (
	updateWebhookSQL = `
		update webhooks set
			url = @url, description = @description, types = @types, map_id = @map, player_id = @player, mode = @mode,
			enabled = @enabled, off_reason = @off_reason, failures = @failures, failing_since = @failing_since,
			paused_until = @paused_until
		where id = @id`
	// endWaitingSQL ends what waits of a webhook that was switched off, or whose owner is banned.
	endWaitingSQL = `
		with ended as (
			update webhook_deliveries set state = 'failed', failure = @failure, next_try_at = null
			where webhook_id = @id and next_try_at is not null
		)
		update webhooks set due_at = null where id = @id`
	deleteWebhookSQL = `delete from webhooks where id = @id`
	rotateSecretSQL  = `
		update webhooks set previous_secret = secret, previous_until = @until, secret = @secret where id = @id`
)

// UpdateWebhook implements webhook.Store.
func (s *Store) UpdateWebhook(
	ctx context.Context, by access.Attribution, id string, change webhook.Change, at time.Time,
) error {
	return s.changeWebhook(ctx, by, id, func(tx pgx.Tx, before webhook.Webhook) (err error) {
		after := before.Update(change)
		if after.Filter.PlayerID, err = copies.Current(ctx, tx, after.Filter.PlayerID); err != nil {
			return err
		}
		args := settingsOf(after)
		args["off_reason"], args["failures"] = zeronull.Text(after.OffReason), after.Failures
		args["failing_since"] = zeronull.Timestamptz(after.FailingSince)
		args["paused_until"] = zeronull.Timestamptz(after.PausedUntil)
		if _, err := tx.Exec(ctx, updateWebhookSQL, args); err != nil {
			return err
		}
		switch {
		case change.SwitchesOff():
			_, err = tx.Exec(ctx, endWaitingSQL, pgx.NamedArgs{"id": id, "failure": webhook.FailureOff})
		case change.BeginsAnew():
			_, err = tx.Exec(ctx, giveBackSQL, pgx.NamedArgs{"id": id, "at": at})
		}
		return err
	})
}

// DeleteWebhook implements webhook.Store.
func (s *Store) DeleteWebhook(ctx context.Context, by access.Attribution, id string) error {
	return s.changeWebhook(ctx, by, id, func(tx pgx.Tx, _ webhook.Webhook) error {
		_, err := tx.Exec(ctx, deleteWebhookSQL, pgx.NamedArgs{"id": id})
		return err
	})
}

// RotateSecret implements webhook.Store.
func (s *Store) RotateSecret(
	ctx context.Context, by access.Attribution, id string, secret webhook.Secret, at time.Time,
) error {
	return s.changeWebhook(ctx, by, id, func(tx pgx.Tx, before webhook.Webhook) error {
		after, err := before.Rotate(at)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, rotateSecretSQL,
			pgx.NamedArgs{"id": id, "secret": []byte(secret), "until": after.PreviousSecretUntil})
		return err
	})
}

// changeWebhook locks a webhook of an owner, or of whom the owner was merged into, and calls do with it. It returns
// webhook.ErrUnknown.
func (s *Store) changeWebhook(
	ctx context.Context, by access.Attribution, id string, do func(tx pgx.Tx, before webhook.Webhook) error,
) error {
	err := s.change(ctx, by, func(tx pgx.Tx, ownerID string) error {
		before, err := postgres.CollectOne(ctx, tx, scanWebhook, lockWebhookSQL, pgx.NamedArgs{"owner": ownerID, "id": id})
		if err != nil {
			return err
		}
		return do(tx, before)
	})
	return postgres.ReadError(err, webhook.ErrUnknown, "webhook %s", id)
}
