package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/access"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/webhook"
)

const (
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
