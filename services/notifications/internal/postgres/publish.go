package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/webhook"
)

// selectingSQL finds the webhooks by their selectors. The players of an event are also whom these were merged into.
const selectingSQL = `
	with concerned as (
		select array(
			select unnest(@players::uuid[])
			union select merged_into from players where id = any (@players::uuid[]) and merged_into is not null
		) as players
	)
	select w.id
	from concerned c join webhooks w on w.selector = any (array['', @mode] || @maps::text[] || c.players::text[])
	where w.enabled and w.types && @types::text[]
		and (w.map_id is null or w.map_id = any (@maps::uuid[]))
		and (w.player_id is null or w.player_id = any (c.players))
		and (w.mode is null or w.mode = @mode)
		and w.created_at <= @happened
		and not exists (select from players p where p.id = w.owner_id and p.banned)
	order by w.id`

// Selecting implements webhook.EventStore.
func (s *Store) Selecting(ctx context.Context, e *publicevent.Event, happened time.Time) ([]string, error) {
	webhooks, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], selectingSQL, pgx.NamedArgs{
		"types": e.Types.Names(), "maps": e.Maps, "players": e.Players, "mode": e.Mode, "happened": happened,
	})
	return webhooks, postgres.Wrap(err, "find webhooks that select %s", e.Kind)
}

const (
	// lockEnabledSQL locks webhooks in the order of their ids, so that what is added while a sender has one is due when
	// the sender gives it back.
	lockEnabledSQL = `
		select id from webhooks where id = any (@webhooks::uuid[]) and enabled order by id for no key update`
	addDeliveriesSQL = `
		with woken as (
			update webhooks set due_at = least(due_at, greatest(@next, paused_until)) where id = any (@enabled::uuid[])
		)
		insert into webhook_deliveries (webhook_id, id, type, body, state, created_at, next_try_at)
		select webhook_id, id, @type, @body, @state, @created_at, @next
		from unnest(@webhooks::uuid[], @ids::uuid[]) as added (webhook_id, id)
		where webhook_id = any (@enabled::uuid[])`
)

// AddDeliveries implements webhook.EventStore. The lock of merges, which change webhooks, is taken before webhooks are
// locked, as by a merge.
func (s *Store) AddDeliveries(ctx context.Context, p webhook.Publication) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := copies.ShareMerges(ctx, tx); err != nil {
			return err
		}
		enabled, err := postgres.Collect(ctx, tx, pgx.RowTo[string], lockEnabledSQL, pgx.NamedArgs{"webhooks": p.WebhookIDs})
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, addDeliveriesSQL, pgx.NamedArgs{
			"webhooks": p.WebhookIDs, "ids": p.IDs, "enabled": enabled, "type": p.Delivery.Type, "body": p.Delivery.Body,
			"state": p.Delivery.State, "created_at": p.Delivery.CreatedAt, "next": p.Delivery.NextTryAt,
		})
		return err
	})
	return postgres.Wrap(err, "add deliveries of %s", p.Delivery.Type)
}
