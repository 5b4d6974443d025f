package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/postgres"
	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/webhook"
)

// Webhooks implements webhook.Store, webhook.EventStore and webhook.SenderStore.
type Webhooks struct{ *Store }

// In returns the store whose changes are part of tx.
func (s Webhooks) In(tx pgx.Tx) Webhooks { return Webhooks{s.Store.In(tx)} }

// The columns of webhooks, with what is known of the filter's map and player, and of a delivery without its body.
const (
	webhookColumns = `
		w.id, w.owner_id, w.url, w.format, w.description, w.types, w.map_id, w.player_id, w.mode, w.enabled, w.off_reason,
		w.failures, w.previous_until, w.created_at, m.name, p.name, p.skin_image_url, p.skin_color`
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
			left join webhook_deliveries d on d.webhook_id = w.id and d.id = w.last_delivery_id
		where w.owner_id = @owner`
	listWebhooksSQL = selectWebhooksSQL + ` order by w.created_at, w.id`
	getWebhookSQL   = selectWebhooksSQL + ` and w.id = @id`
)

// List implements webhook.Store.
func (s Webhooks) List(ctx context.Context, ownerID string) ([]webhook.Webhook, error) {
	hooks, err := postgres.Collect(ctx, s.db, scanWebhook, listWebhooksSQL, pgx.NamedArgs{"owner": ownerID})
	return hooks, postgres.Wrap(err, "webhooks of player %s", ownerID)
}

// Get implements webhook.Store.
func (s Webhooks) Get(ctx context.Context, ownerID, id string) (webhook.Webhook, error) {
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
		&w.Failures, (*zeronull.Timestamptz)(&w.PreviousSecretUntil), &w.CreatedAt, &mapName, &name, &picture, &colour,
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
		values (@id, @owner, @url, @format, @description, @types, @map, @player, @mode, true, @secret, @at)`
)

// Create implements webhook.Store. The lock of the owner's inbox makes concurrent creations count each other.
func (s Webhooks) Create(ctx context.Context, w webhook.Webhook, secret webhook.Secret) error {
	err := s.change(ctx, w.OwnerID, func(tx pgx.Tx, owner string) error {
		if err := lockInboxes(ctx, tx, owner); err != nil {
			return err
		}
		var count int
		if err := tx.QueryRow(ctx, countWebhooksSQL, pgx.NamedArgs{"owner": owner}).Scan(&count); err != nil {
			return err
		}
		if err := webhook.MayCreate(count); err != nil {
			return err
		}
		args := filterArgs(&w.Filter)
		args["id"], args["owner"], args["url"], args["format"] = w.ID, owner, w.URL, w.Format
		args["description"], args["secret"], args["at"] = w.Description, []byte(secret), w.CreatedAt
		_, err := tx.Exec(ctx, createWebhookSQL, args)
		return err
	})
	return postgres.Wrap(err, "webhook %s", w.ID)
}

// filterArgs returns the arguments for the columns of a filter, which are null where it is nil.
func filterArgs(f *publicevent.Filter) pgx.NamedArgs {
	if f == nil {
		return pgx.NamedArgs{"types": nil, "map": nil, "player": nil, "mode": nil}
	}
	return pgx.NamedArgs{
		"types": f.Types.Names(), "map": zeronull.Text(f.MapID), "player": zeronull.Text(f.PlayerID),
		"mode": zeronull.Text(f.Mode),
	}
}

const (
	// A webhook that is switched on, or has another address, begins without failures.
	updateWebhookSQL = `
		update webhooks set
			url = coalesce(@url, url), description = coalesce(@description, description),
			types = coalesce(@types::text[], types),
			map_id = case when @filters then @map::uuid else map_id end,
			player_id = case when @filters then @player::uuid else player_id end,
			mode = case when @filters then @mode else mode end,
			enabled = coalesce(@enabled, enabled),
			off_reason = case when @enabled then null when not @enabled and enabled then 'owner' else off_reason end,
			failures = case when @fresh then 0 else failures end,
			failing_since = case when @fresh then null else failing_since end,
			paused_until = case when @fresh then null else paused_until end
		where id = @id and owner_id = @owner`
	// endWaitingSQL ends what waits of a webhook that was switched off, or whose owner is banned.
	endWaitingSQL = `
		with ended as (
			update webhook_deliveries set state = 'failed', failure = @failure, next_try_at = null
			where webhook_id = @id and next_try_at is not null
		)
		update webhooks set due_at = null where id = @id`
	deleteWebhookSQL = `delete from webhooks where id = @id and owner_id = @owner`
	rotateSecretSQL  = `
		update webhooks set previous_secret = secret, previous_until = @until, secret = @secret
		where id = @id and owner_id = @owner`
)

// Update implements webhook.Store.
func (s Webhooks) Update(ctx context.Context, ownerID, id string, change webhook.Change, now time.Time) error {
	args := filterArgs(change.Filter)
	args["id"], args["url"], args["description"], args["enabled"] = id, change.URL, change.Description, change.Enabled
	args["filters"], args["fresh"] = change.Filter != nil, change.BeginsAnew()
	return s.changeOne(ctx, ownerID, id, updateWebhookSQL, args, func(tx pgx.Tx) (err error) {
		switch {
		case change.SwitchesOff():
			_, err = tx.Exec(ctx, endWaitingSQL, pgx.NamedArgs{"id": id, "failure": webhook.FailureOff})
		case change.BeginsAnew():
			_, err = tx.Exec(ctx, giveBackSQL, pgx.NamedArgs{"id": id, "now": now})
		}
		return err
	})
}

// Delete implements webhook.Store.
func (s Webhooks) Delete(ctx context.Context, ownerID, id string) error {
	return s.changeOne(ctx, ownerID, id, deleteWebhookSQL, pgx.NamedArgs{"id": id}, nil)
}

// Rotate implements webhook.Store.
func (s Webhooks) Rotate(ctx context.Context, ownerID, id string, secret webhook.Secret, until time.Time) error {
	return s.changeOne(ctx, ownerID, id, rotateSecretSQL,
		pgx.NamedArgs{"id": id, "secret": []byte(secret), "until": until}, nil)
}

// changeOne runs a statement about a webhook of an owner, and then what follows in the same transaction, if anything.
func (s Webhooks) changeOne(
	ctx context.Context, ownerID, id, sql string, args pgx.NamedArgs, then func(tx pgx.Tx) error,
) error {
	err := s.change(ctx, ownerID, func(tx pgx.Tx, owner string) error {
		args["owner"] = owner
		changed, err := tx.Exec(ctx, sql, args)
		if err != nil {
			return err
		}
		if changed.RowsAffected() == 0 {
			return webhook.ErrUnknown
		}
		if then == nil {
			return nil
		}
		return then(tx)
	})
	return postgres.Wrap(err, "webhook %s", id)
}
