package postgres

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

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
	// selectWebhooksSQL selects webhooks with their last deliveries, for scanWebhook.
	selectWebhooksSQL = `
		select ` + webhookColumns + `, ` + deliveryColumns + `
		from webhooks w
			left join maps m on m.id = w.map_id
			left join players p on p.id = w.player_id
			left join webhook_deliveries d on d.webhook_id = w.id and d.id = w.last_delivery_id`
)

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

// scanActor scans what is shown of a player in a list.
func scanActor(row pgx.CollectableRow) (p notification.Player, err error) {
	err = row.Scan(&p.ID, &p.Name, &p.SkinImageURL, &p.SkinColor, &p.Deleted)
	return p, err
}
