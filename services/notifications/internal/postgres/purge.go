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
			select ctid from notifications where created_at < @before order by created_at limit 1000))`
	purgeRemovalsSQL = `
		delete from removals where ctid = any (array(
			select ctid from removals where changed_at < @before order by changed_at limit 1000))`
	purgePointsLostSQL = `
		delete from points_lost where ctid = any (array(
			select ctid from points_lost where at < @before order by at limit 1000))`
)

// PurgeNotifications deletes the notifications, removals and lost points that are too old, and returns how many.
func (s *Store) PurgeNotifications(ctx context.Context, now time.Time) (count int, err error) {
	for _, purge := range []struct {
		sql     string
		keptFor time.Duration
	}{
		{purgeNotificationsSQL, notification.KeptFor}, {purgeRemovalsSQL, notification.RemovalKeptFor},
		{purgePointsLostSQL, notification.RemovalKeptFor},
	} {
		purged, err := postgres.ExecAll(ctx, s.db, purge.sql, pgx.NamedArgs{"before": now.Add(-purge.keptFor)})
		count += purged
		if err != nil {
			return count, fmt.Errorf("purge notifications: %w", err)
		}
	}
	return count, nil
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
			select ctid from webhook_deliveries where created_at < @before order by created_at limit 1000))`
)

// PurgeDeliveries deletes the deliveries that are too many or too old, and returns how many. Where more than
// webhook.MaxWaiting wait, it ends the oldest.
func (s *Store) PurgeDeliveries(ctx context.Context, now time.Time) (count int, err error) {
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
