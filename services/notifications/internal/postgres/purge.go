package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/webhook"
)

const (
	purgeNotificationsSQL = `
		delete from notifications where ctid = any (array(
			select ctid from notifications where created_at < @before
			order by created_at limit 1000 for update skip locked))`
	purgeRemovalsSQL = `
		delete from removals where ctid = any (array(
			select ctid from removals where changed_at < @before
			order by changed_at limit 1000 for update skip locked))`
	purgePointsLostSQL = `
		delete from points_lost where ctid = any (array(
			select ctid from points_lost where at < @before
			order by at limit 1000 for update skip locked))`
)

// PurgeNotifications deletes the notifications of before notification.KeptFor, and returns how many.
func (s *Store) PurgeNotifications(ctx context.Context, now time.Time) (int, error) {
	return postgres.PurgeBefore(ctx, s.db, now.Add(-notification.KeptFor), purgeNotificationsSQL)
}

// PurgeRemovals deletes the removals and lost points of before notification.RemovalKeptFor, and returns how many.
func (s *Store) PurgeRemovals(ctx context.Context, now time.Time) (int, error) {
	return postgres.PurgeBefore(ctx, s.db, now.Add(-notification.RemovalKeptFor), purgeRemovalsSQL, purgePointsLostSQL)
}

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
			select ctid from webhook_deliveries where created_at < @before
			order by created_at limit 1000 for update skip locked))`
)

// PurgeDeliveries deletes the deliveries that are too many or too old, and returns how many. Where more than
// webhook.MaxWaiting wait, it ends the oldest.
func (s *Store) PurgeDeliveries(ctx context.Context, now time.Time) (int, error) {
	if _, err := s.db.Exec(ctx, dropWaitingSQL, pgx.NamedArgs{"waiting": webhook.MaxWaiting}); err != nil {
		return 0, fmt.Errorf("drop deliveries: %w", err)
	}
	trimmed, err := s.db.Exec(ctx, trimDeliveriesSQL, pgx.NamedArgs{"shown": webhook.MaxShown})
	if err != nil {
		return 0, fmt.Errorf("trim deliveries: %w", err)
	}
	purged, err := postgres.PurgeBefore(ctx, s.db, now.Add(-webhook.KeptFor), purgeDeliveriesSQL)
	return int(trimmed.RowsAffected()) + purged, err
}
