package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/notification"
)

const (
	// A fact may name a player who was merged since, whose followers follow whom the player was merged into.
	followersOfPlayerSQL = `
		select follower_id from player_follows
		where player_id = coalesce((select merged_into from players where id = @player), @player)
		order by follower_id`
	followersOfMapSQL = `select follower_id from map_follows where game_map_id = @game_map_id order by follower_id`
)

// FollowersOfPlayer implements notification.Followers.
func (s *Store) FollowersOfPlayer(ctx context.Context, playerID string) ([]string, error) {
	return s.ids(ctx, followersOfPlayerSQL, pgx.NamedArgs{"player": playerID})
}

// FollowersOfMap implements notification.Followers.
func (s *Store) FollowersOfMap(ctx context.Context, gameMapID int64) ([]string, error) {
	return s.ids(ctx, followersOfMapSQL, pgx.NamedArgs{"game_map_id": gameMapID})
}

const versionsSQL = `select id from maps where game_map_id = @game_map_id and not removed order by id`

// Versions implements notification.Followers.
func (s *Store) Versions(ctx context.Context, gameMapID int64) ([]string, error) {
	return s.ids(ctx, versionsSQL, pgx.NamedArgs{"game_map_id": gameMapID})
}

const (
	// receiversSQL selects the receiver of each notification, and whose record it is: the given players, or whom they were
	// merged into.
	receiversSQL = `
		select coalesce(p.merged_into, n.receiver_id)::text, coalesce(a.merged_into, n.player_id)::text,
			coalesce(i.banned, p.banned, false), coalesce(i.deleted, p.deleted, false), s.delivery
		from unnest(@receivers::uuid[], @kinds::text[], @players::uuid[]) with ordinality
				as n (receiver_id, kind, player_id, position)
			left join players p on p.id = n.receiver_id
			left join players i on i.id = p.merged_into
			left join players a on a.id = n.player_id
			left join settings s on s.player_id = coalesce(p.merged_into, n.receiver_id) and s.kind = n.kind
		order by n.position`
	// addSQL numbers the notifications of a receiver by their order.
	addSQL = `
		with added as (
			select n.*, row_number() over (partition by n.receiver_id order by n.position) as nth
			from unnest(@receivers::uuid[], @kinds::text[], @causes::uuid[], @subjects::uuid[], @players::uuid[], @maps::uuid[],
					@records::uuid[], @finish_times::int[], @own_finish_times::int[],
					@places_from::int[], @places_to::int[], @decision_ids::uuid[], @decisions::text[], @reasons::text[],
					@appeals::text[], @times::timestamptz[])
				with ordinality as n (receiver_id, kind, cause_id, subject_id, player_id, map_id, record_id, finish_time,
					own_finish_time, place_from, place_to, decision_id, decision, public_reason, appeal, at, position)
			where not exists (
				select from notifications o
				where o.receiver_id = n.receiver_id and o.kind = n.kind and o.cause_id = n.cause_id)
		), numbered as (
			update inboxes b set last = b.last + a.count
			from (select receiver_id, count(*) as count from added group by receiver_id) a
			where b.player_id = a.receiver_id
			returning b.player_id, b.last - a.count as before
		)
		insert into notifications (receiver_id, number, kind, cause_id, subject_id, player_id, map_id, record_id,
			finish_time, own_finish_time, place_from, place_to, decision_id, decision, public_reason, appeal, at, sequence,
			created_at)
		select a.receiver_id, n.before + a.nth, a.kind, a.cause_id, a.subject_id, a.player_id, a.map_id, a.record_id,
			nullif(a.finish_time, 0), nullif(a.own_finish_time, 0), nullif(a.place_from, 0),
			nullif(a.place_to, 0), a.decision_id, nullif(a.decision, ''), nullif(a.public_reason, ''), nullif(a.appeal, ''),
			a.at, @sequence::bigint, @created_at
		from added a join numbered n on n.player_id = a.receiver_id
		returning receiver_id, kind`
	// dropReplacedSQL deletes older notifications with the same cause, for which addSQL would add no other.
	dropReplacedSQL = `
		delete from notifications o
		using unnest(@receivers::uuid[], @kinds::text[], @causes::uuid[], @times::timestamptz[])
			as n (receiver_id, kind, cause_id, at)
		where o.receiver_id = n.receiver_id and o.kind = n.kind and o.cause_id = n.cause_id and o.at < n.at`
	trimSQL = `
		delete from notifications n using inboxes b
		where b.player_id = any (@receivers::uuid[]) and n.receiver_id = b.player_id and n.number <= b.last - @most`
)

// Apply implements notification.EffectStore.
func (s *Store) Apply(ctx context.Context, effect notification.Effect) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := copies.ShareMerges(ctx, tx); err != nil {
			return err
		}
		if err := setRemoved(ctx, tx, effect.Causes); err != nil {
			return err
		}
		if r := effect.Player; r != nil {
			args := pgx.NamedArgs{"id": r.ID, "hidden": r.Removed, "at": r.At}
			if _, err := tx.Exec(ctx, setHiddenSQL, args); err != nil {
				return fmt.Errorf("hidden player %s: %w", r.ID, err)
			}
		}
		if err := addPointsLost(ctx, tx, effect.PointsLost); err != nil {
			return err
		}
		return addNotifications(ctx, tx, effect)
	})
}

const (
	// setRemovedSQL locks the rows in the order of their ids.
	setRemovedSQL = `
		insert into removals as r (record_id, removed, changed_at)
		select distinct on (id) id, removed, at
		from unnest(@ids::uuid[], @removed::boolean[], @times::timestamptz[]) as c (id, removed, at)
		order by id
		on conflict (record_id) do update set removed = excluded.removed, changed_at = excluded.changed_at
		where r.changed_at <= excluded.changed_at`
	// setHiddenSQL stores that the records of a player were hidden or shown at a time, unless a later change is stored.
	setHiddenSQL = `
		insert into hidden_players as h (player_id, hidden, changed_at) values (@id, @hidden, @at)
		on conflict (player_id) do update set hidden = excluded.hidden, changed_at = excluded.changed_at
		where h.changed_at <= excluded.changed_at`
)

// setRemoved stores which causes were removed or restored, except those of which a later change is stored.
func setRemoved(ctx context.Context, tx pgx.Tx, causes []notification.Removal) error {
	if len(causes) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, setRemovedSQL, pgx.NamedArgs{
		"ids":     postgres.Column(causes, func(c notification.Removal) string { return c.ID }),
		"removed": postgres.Column(causes, func(c notification.Removal) bool { return c.Removed }),
		"times":   postgres.Column(causes, func(c notification.Removal) time.Time { return c.At }),
	})
	return postgres.Wrap(err, "removed causes of notifications")
}

const addPointsLostSQL = `
	insert into points_lost (player_id, record_id, points, at)
	select distinct on (1, 2) coalesce(p.merged_into, l.player_id), l.record_id, l.points, l.at
	from unnest(@players::uuid[], @records::uuid[], @points::int[], @times::timestamptz[])
			as l (player_id, record_id, points, at)
		left join players p on p.id = l.player_id
		left join players i on i.id = p.merged_into
	where not coalesce(p.deleted, false) and not coalesce(i.deleted, false)
	on conflict do nothing`

// addPointsLost adds what records have cost players. The lock of merges is held.
func addPointsLost(ctx context.Context, tx pgx.Tx, lost []notification.PointsLost) error {
	if len(lost) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, addPointsLostSQL, pgx.NamedArgs{
		"players": postgres.Column(lost, func(l notification.PointsLost) string { return l.PlayerID }),
		"records": postgres.Column(lost, func(l notification.PointsLost) string { return l.RecordID }),
		"points":  postgres.Column(lost, func(l notification.PointsLost) int64 { return l.Points }),
		"times":   postgres.Column(lost, func(l notification.PointsLost) time.Time { return l.At }),
	})
	return postgres.Wrap(err, "add lost points")
}

// addNotifications adds the notifications of an effect for those who get them. The lock of merges is held.
func addNotifications(ctx context.Context, tx pgx.Tx, effect notification.Effect) error {
	if len(effect.Notifications) == 0 {
		return nil
	}
	receivers, err := postgres.Collect(ctx, tx, scanReceiver, receiversSQL, columnsOf(effect.Notifications))
	if err != nil {
		return fmt.Errorf("receivers of notifications: %w", err)
	}
	selected := notification.Receivers(receivers).Select(effect.Notifications)
	for some := range slices.Chunk(selected, event.MaxReceivers) {
		if err := addSome(ctx, tx, some, effect); err != nil {
			return fmt.Errorf("add notifications: %w", err)
		}
	}
	return nil
}

func scanReceiver(row pgx.CollectableRow) (r notification.Receiver, err error) {
	err = row.Scan(&r.ID, (*zeronull.Text)(&r.PlayerID), &r.IsBanned, &r.IsDeleted, (*zeronull.Text)(&r.Delivery))
	return r, err
}

// addSome adds at most event.MaxReceivers notifications of an effect, which are in the order of their receivers.
func addSome(ctx context.Context, tx pgx.Tx, some []notification.Notification, effect notification.Effect) error {
	receivers := postgres.Column(some, func(n notification.Notification) string { return n.ReceiverID })
	if err := lockInboxes(ctx, tx, receivers...); err != nil {
		return err
	}
	replacing := slices.DeleteFunc(slices.Clone(some), func(n notification.Notification) bool { return !n.Replaces() })
	if len(replacing) > 0 {
		if _, err := tx.Exec(ctx, dropReplacedSQL, columnsOf(replacing)); err != nil {
			return err
		}
	}
	args := columnsOf(some)
	args["sequence"], args["created_at"] = effect.Sequence, effect.At
	added, err := postgres.Collect(ctx, tx, scanAdded, addSQL, args)
	if err != nil || len(added) == 0 {
		return err
	}
	if _, err := tx.Exec(ctx, trimSQL, pgx.NamedArgs{"receivers": receivers, "most": notification.MaxInbox}); err != nil {
		return err
	}
	var facts []outbox.Event
	for _, fact := range notification.Added(added, some[0].At) {
		facts = append(facts, fact)
	}
	return outbox.Append(ctx, tx, facts...)
}

func scanAdded(row pgx.CollectableRow) (n notification.Notification, err error) {
	err = row.Scan(&n.ReceiverID, &n.Kind)
	return n, err
}

// columnsOf returns the notifications as the arguments of receiversSQL and addSQL, an array for each column.
func columnsOf(notifications []notification.Notification) pgx.NamedArgs {
	type row = notification.Notification
	return pgx.NamedArgs{
		"receivers":        postgres.Column(notifications, func(n row) string { return n.ReceiverID }),
		"kinds":            postgres.Column(notifications, func(n row) string { return string(n.Kind) }),
		"causes":           postgres.Column(notifications, func(n row) string { return n.CauseID }),
		"subjects":         postgres.Column(notifications, func(n row) string { return n.GroupID }),
		"players":          postgres.Column(notifications, func(n row) zeronull.Text { return zeronull.Text(n.PlayerID) }),
		"maps":             postgres.Column(notifications, func(n row) zeronull.Text { return zeronull.Text(n.MapID) }),
		"records":          postgres.Column(notifications, func(n row) zeronull.Text { return zeronull.Text(n.RecordID) }),
		"finish_times":     postgres.Column(notifications, func(n row) int64 { return n.FinishTime }),
		"own_finish_times": postgres.Column(notifications, func(n row) int64 { return n.OwnFinishTime }),
		"places_from":      postgres.Column(notifications, func(n row) int { return n.From }),
		"places_to":        postgres.Column(notifications, func(n row) int { return n.To }),
		"decision_ids":     postgres.Column(notifications, func(n row) zeronull.Text { return zeronull.Text(n.DecisionID) }),
		"decisions":        postgres.Column(notifications, func(n row) string { return n.Decision }),
		"reasons":          postgres.Column(notifications, func(n row) string { return n.PublicReason }),
		"appeals":          postgres.Column(notifications, func(n row) string { return string(n.Appeal) }),
		"times":            postgres.Column(notifications, func(n row) time.Time { return n.At }),
	}
}
