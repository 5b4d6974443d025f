package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/webhook"
)

const maySelectSQL = `
	select exists (
		select from webhooks
		where enabled and types && @types::text[]
			and selector = any (@selectors::text[] || array(
				select merged_into::text from players where id = any (@players::uuid[]) and merged_into is not null)))`

// MaySelect implements webhook.EventStore.
func (s Webhooks) MaySelect(ctx context.Context, e *publicevent.Event) (selects bool, err error) {
	err = s.db.QueryRow(ctx, maySelectSQL, pgx.NamedArgs{
		"types": e.Types.Names(), "selectors": selectors(e, e.Players), "players": e.Players,
	}).Scan(&selects)
	return selects, postgres.Wrap(err, "find webhooks that select %s", e.Kind)
}

// selectors returns what the webhooks for an event of some players may have as selector.
func selectors(e *publicevent.Event, players []string) []string {
	return slices.Concat([]string{"", e.Mode}, e.Maps, players)
}

const (
	// lockSelectingSQL finds the webhooks by their selectors. It locks them in the order of their ids, so that what is
	// added while a sender has a webhook is due when the sender gives it back.
	lockSelectingSQL = `
		select w.id
		from webhooks w
		where w.enabled and w.selector = any (@selectors::text[]) and w.types && @types::text[]
			and (w.map_id is null or w.map_id = any (@maps::uuid[]))
			and (w.player_id is null or w.player_id = any (@players::uuid[]))
			and (w.mode is null or w.mode = @mode)
			and w.created_at <= @happened
			and not exists (select from players p where p.id = w.owner_id and p.banned)
		order by w.id
		for no key update of w`
	addDeliveriesSQL = `
		with woken as (
			update webhooks set due_at = least(due_at, greatest(@at, paused_until)) where id = any (@webhooks::uuid[])
		)
		insert into webhook_deliveries (webhook_id, id, type, body, state, created_at, next_try_at)
		select webhook_id, id, @type, @body, 'waiting', @at, @at
		from unnest(@webhooks::uuid[], @ids::uuid[]) as added (webhook_id, id)`
)

// successorsSQL selects whom players were merged into.
const successorsSQL = `select merged_into from players where id = any (@players::uuid[]) and merged_into is not null`

// AddDeliveries implements webhook.EventStore. An event may name a player who was merged since: filters name whom the
// player was merged into. The lock of merges keeps both as they are. It is taken before webhooks are locked, as by a
// merge, also for an event without players, because one transaction may add the deliveries of several events.
func (s Webhooks) AddDeliveries(
	ctx context.Context, e *publicevent.Event, happened time.Time, d webhook.Delivery, newID func() string,
) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := copies.ShareMerges(ctx, tx); err != nil {
			return err
		}
		successors, err := postgres.Collect(ctx, tx, pgx.RowTo[string], successorsSQL, pgx.NamedArgs{"players": e.Players})
		if err != nil {
			return err
		}
		players := slices.Concat(e.Players, successors)
		args := pgx.NamedArgs{
			"selectors": selectors(e, players), "types": e.Types.Names(), "maps": e.Maps,
			"players": players, "mode": e.Mode, "happened": happened, "at": d.NextTryAt, "type": d.Type, "body": d.Body,
		}
		webhooks, err := postgres.Collect(ctx, tx, pgx.RowTo[string], lockSelectingSQL, args)
		if err != nil || len(webhooks) == 0 {
			return err
		}
		args["webhooks"] = webhooks
		args["ids"] = postgres.Column(webhooks, func(string) string { return newID() })
		_, err = tx.Exec(ctx, addDeliveriesSQL, args)
		return err
	})
	return postgres.Wrap(err, "add deliveries of %s", d.Type)
}

// takeSQL leases webhooks and reads their due deliveries, in the order of the events. One that has failed is sent
// before later ones for as long as it is held. A webhook whose deliveries have ended meanwhile has none.
const takeSQL = `
	with taken as (
		select id from webhooks
		where due_at <= @now and (failures > 0 or slow) = @troubled and (leased_until is null or leased_until <= @now)
		order by due_at
		limit @limit
		for update skip locked
	), leased as (
		update webhooks w set lease_id = @lease, leased_until = @until
		from taken t
		where w.id = t.id
		returning w.id, w.lease_id, w.url, w.format, w.secret,
			case when w.previous_until > @now then w.previous_secret end as previous_secret, w.failures, w.failing_since,
			exists (select from players p where p.id = w.owner_id and p.banned) as banned
	)
	select l.*, coalesce(d.id::text, ''), coalesce(d.type, ''), d.body, coalesce(d.tries, 0), d.created_at, d.held_until
	from leased l left join lateral (
		select * from webhook_deliveries
		where webhook_id = l.id and next_try_at <= @now
		order by coalesce(held_until < @now, false), sequence
		limit case l.format when 'discord' then @embeds else 1 end
	) d on true
	order by l.id, coalesce(d.held_until < @now, false), d.sequence`

// Take implements webhook.SenderStore.
func (s Webhooks) Take(
	ctx context.Context, troubled bool, now, until time.Time, limit int,
) (works []webhook.Work, err error) {
	rows, err := postgres.Collect(ctx, s.db, scanWork, takeSQL, pgx.NamedArgs{
		"troubled": troubled, "now": now, "until": until, "limit": limit, "lease": event.NewID(),
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
	lockLeasedSQL     = `select owner_id, enabled from webhooks where id = @id and lease_id = @lease for update`
	finishDeliverySQL = `
		update webhook_deliveries set
			state = @state, tries = @tries, status = nullif(@status, 0), failure = nullif(@failure, ''),
			last_try_at = @now, next_try_at = @next, held_until = @held
		where webhook_id = @id and id = @delivery`
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
			select greatest(min(d.next_try_at), w.paused_until, @now)
			from webhook_deliveries d
			where d.webhook_id = w.id and d.next_try_at is not null
			having count(*) > 0)
		where id = @id`
)

// Finish implements webhook.SenderStore.
func (s Webhooks) Finish(ctx context.Context, work webhook.Work, out webhook.Outcome, now time.Time) error {
	return s.giveBack(ctx, work, now, func(tx pgx.Tx, owner string, enabled bool) error {
		if !enabled {
			out = out.WhereOff()
		}
		batch := &pgx.Batch{}
		for _, d := range out.Deliveries {
			batch.Queue(finishDeliverySQL, pgx.NamedArgs{
				"id": work.WebhookID, "delivery": d.ID, "state": d.State, "tries": d.Tries, "status": d.Status,
				"failure": d.Failure, "now": now, "next": zeronull.Timestamptz(d.NextTryAt),
				"held": zeronull.Timestamptz(d.HeldUntil),
			})
		}
		batch.Queue(finishWebhookSQL, pgx.NamedArgs{
			"id": work.WebhookID, "failures": out.Failures, "failing_since": zeronull.Timestamptz(out.FailingSince),
			"paused_until": zeronull.Timestamptz(out.PausedUntil), "slow": out.Slow,
			"delivery": out.Deliveries[len(out.Deliveries)-1].ID,
		})
		if out.Off != "" {
			batch.Queue(switchOffSQL, pgx.NamedArgs{"id": work.WebhookID, "reason": out.Off})
			batch.Queue(endWaitingSQL, pgx.NamedArgs{"id": work.WebhookID, "failure": webhook.FailureOff})
		}
		if err := tx.SendBatch(ctx, batch).Close(); err != nil || out.Off == "" {
			return err
		}
		return addNotifications(ctx, tx, []notification.Notification{{
			ReceiverID: owner, Kind: notification.WebhookOff, CauseID: event.NewID(),
			GroupID: work.WebhookID, At: now,
		}}, 0)
	})
}

// GiveBack implements webhook.SenderStore.
func (s Webhooks) GiveBack(ctx context.Context, work webhook.Work, now time.Time) error {
	return s.giveBack(ctx, work, now, func(pgx.Tx, string, bool) error { return nil })
}

// End implements webhook.SenderStore.
func (s Webhooks) End(ctx context.Context, work webhook.Work, failure webhook.Failure, now time.Time) error {
	return s.giveBack(ctx, work, now, func(tx pgx.Tx, _ string, _ bool) error {
		_, err := tx.Exec(ctx, endWaitingSQL, pgx.NamedArgs{"id": work.WebhookID, "failure": failure})
		return err
	})
}

// giveBack calls do in the transaction that ends the lease of work, unless another sender has the webhook, or it is
// deleted. The lock of merges comes first, as in all transactions that may add notifications.
func (s Webhooks) giveBack(
	ctx context.Context, work webhook.Work, now time.Time, do func(tx pgx.Tx, owner string, enabled bool) error,
) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := copies.ShareMerges(ctx, tx); err != nil {
			return err
		}
		var owner string
		var enabled bool
		args := pgx.NamedArgs{"id": work.WebhookID, "lease": work.LeaseID, "now": now}
		err := tx.QueryRow(ctx, lockLeasedSQL, args).Scan(&owner, &enabled)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = do(tx, owner, enabled)
		}
		if err == nil {
			_, err = tx.Exec(ctx, giveBackSQL, args)
		}
		return err
	})
	return postgres.Wrap(err, "give webhook %s back", work.WebhookID)
}
