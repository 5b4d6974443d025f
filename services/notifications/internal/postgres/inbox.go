package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/notification"
)

// groupsSQL reads one inbox, which has at most notification.MaxInbox rows. A notification that its receiver holds the
// world record again is outdated when what was removed is restored, and any other when its cause is removed. Where the
// cause is what a player holds on a map, that the player's records are hidden counts as well as that the one on the map
// was removed. All but those of decisions are when their map is removed. The newest notification of a group is that of
// the latest fact, whenever it has arrived.
const groupsSQL = `
	with own as (
		select n.*, l.points as lost, n.kind in ('moderated', 'report_decided', 'appeal_answered') as of_decision,
			n.kind in ('record_regained', 'report_decided') as without_actor,
			coalesce((select removed from maps where id = n.map_id), false) as map_gone,
			coalesce((select removed from removals where record_id = n.cause_id), false) as cause_gone,
			coalesce((select removed from removals where record_id = n.record_id), false) as record_removed,
			coalesce((select hidden from hidden_players where player_id = n.player_id), false) as player_hidden
		from notifications n left join points_lost l
			on l.player_id = n.receiver_id and l.record_id = n.record_id and n.kind in ('record_lost', 'passed')
		where n.receiver_id = @player and (not @unread or n.read_at is null) and (@kind = '' or n.kind = @kind)
	), grouped as (
		select kind, subject_id, read_at, max(number) as newest, count(*) as count,
			bool_and(not of_decision and ((cause_gone or player_hidden) <> (kind = 'record_regained') or map_gone)) as outdated,
			(array_agg(place_from order by sequence, number))[1] as place_from, coalesce(sum(lost), 0)::bigint as lost,
			count(distinct player_id) filter (where not without_actor) as actors,
			array_agg(player_id order by sequence desc, number desc)
				filter (where not without_actor and player_id is not null) as actor_ids
		from own
		group by kind, subject_id, read_at
	), latest as (
		select distinct on (kind, subject_id, read_at) * from own
		order by kind, subject_id, read_at, sequence desc, number desc
	)
	select g.newest, g.kind, g.count, g.outdated, g.read_at is not null, coalesce(l.record_id::text, ''),
		l.record_removed or l.map_gone or l.player_hidden and l.kind <> 'record_regained',
		coalesce(l.finish_time, 0), coalesce(l.own_finish_time, 0), coalesce(l.decision_id::text, ''),
		coalesce(l.decision, ''), coalesce(l.public_reason, ''), coalesce(l.appeal, ''), coalesce(g.place_from, 0),
		coalesce(l.place_to, 0), g.lost, l.at, g.actors, coalesce(l.map_id::text, ''), coalesce(m.name, ''), l.map_gone,
		case when l.kind = 'report_decided' then coalesce(l.player_id::text, '') else '' end,
		coalesce(g.actor_ids, '{}')::text[]
	from grouped g
		join latest l on l.kind = g.kind and l.subject_id = g.subject_id and l.read_at is not distinct from g.read_at
		left join maps m on m.id = l.map_id
	where @before = 0 or g.newest < @before
	order by g.newest desc
	limit @limit`

const actorsSQL = `select id, name, skin_image_url, skin_color, deleted from players where id = any (@ids)`

// Groups implements notification.InboxStore.
func (s *Store) Groups(ctx context.Context, playerID string, page notification.Page) ([]notification.Group, error) {
	groups, err := postgres.Collect(ctx, s.db, scanGroup, groupsSQL, pgx.NamedArgs{
		"player": playerID, "unread": page.Unread, "kind": page.Kind, "before": page.Before, "limit": page.Limit,
	})
	if err == nil {
		err = s.fillPlayers(ctx, groups)
	}
	return groups, postgres.Wrap(err, "inbox of player %s", playerID)
}

// scanGroup scans a row of groupsSQL. The actors have only their ids.
func scanGroup(row pgx.CollectableRow) (g notification.Group, err error) {
	var m notification.Map
	var about string
	var actors []string
	err = row.Scan(&g.Newest, &g.Kind, &g.Count, &g.RemovedSince, &g.Read, &g.RecordID, &g.RecordGone,
		&g.FinishTime, &g.OwnFinishTime, &g.DecisionID, &g.Decision, &g.PublicReason, &g.Appeal, &g.From, &g.To,
		&g.PointsLost, &g.At, &g.ActorCount, &m.ID, &m.Name, &m.Removed, &about, &actors)
	if m.ID != "" {
		g.Map = &m
	}
	if about != "" {
		g.Player = &notification.Player{ID: about}
	}
	seen := map[string]bool{}
	for _, id := range actors {
		if !seen[id] && len(g.Actors) < notification.MaxActors {
			seen[id] = true
			g.Actors = append(g.Actors, notification.Player{ID: id})
		}
	}
	return g, err
}

// fillPlayers completes the players of groups by their copies.
func (s *Store) fillPlayers(ctx context.Context, groups []notification.Group) error {
	var players []*notification.Player
	for i := range groups {
		for j := range groups[i].Actors {
			players = append(players, &groups[i].Actors[j])
		}
		if p := groups[i].Player; p != nil {
			players = append(players, p)
		}
	}
	ids := postgres.Column(players, func(p *notification.Player) string { return p.ID })
	byID, err := postgres.CollectBy(ctx, s.db, func(p notification.Player) string { return p.ID },
		scanActor, actorsSQL, pgx.NamedArgs{"ids": ids})
	if err != nil {
		return err
	}
	for _, p := range players {
		if copied, ok := byID[p.ID]; ok {
			*p = copied
		}
	}
	return nil
}

const countUnreadSQL = `
	select count(*) from (
		select from notifications where receiver_id = @player and read_at is null group by kind, subject_id
	) unread`

// CountUnread implements notification.InboxStore.
func (s *Store) CountUnread(ctx context.Context, playerID string) (count int, err error) {
	err = s.db.QueryRow(ctx, countUnreadSQL, pgx.NamedArgs{"player": playerID}).Scan(&count)
	return count, postgres.Wrap(err, "unread notifications of player %s", playerID)
}

const (
	readThroughSQL = `
		update notifications n set read_at = @at
		from inboxes b
		where b.player_id = @player and b.last >= @number and n.receiver_id = @player and n.number <= @number
			and n.read_at is null`
	wasGivenSQL  = `select from inboxes where player_id = @player and last >= @number`
	readGroupSQL = `
		update notifications n set read_at = @at
		from notifications o
		where o.receiver_id = @player and o.number = @number and n.receiver_id = @player and n.kind = o.kind
			and n.subject_id = o.subject_id and n.number <= o.number and n.read_at is null`
	existsSQL = `select from notifications where receiver_id = @player and number = @number`
)

// Read implements notification.InboxStore. Where nothing is unread, knownSQL finds the number.
func (s *Store) Read(ctx context.Context, by access.Attribution, number int64, groupOnly bool, at time.Time) error {
	readSQL, knownSQL := readThroughSQL, wasGivenSQL
	if groupOnly {
		readSQL, knownSQL = readGroupSQL, existsSQL
	}
	err := s.change(ctx, by, func(tx pgx.Tx, player string) error {
		args := pgx.NamedArgs{"player": player, "number": number, "at": at}
		read, err := tx.Exec(ctx, readSQL, args)
		if err == nil && read.RowsAffected() == 0 {
			err = tx.QueryRow(ctx, knownSQL, args).Scan()
		}
		return err
	})
	return postgres.ReadError(err, notification.ErrUnknown, "read the inbox of player %s", by.Actor.ID)
}

const (
	settingsSQL       = `select kind, delivery from settings where player_id = @player order by kind`
	updateSettingsSQL = `
		insert into settings (player_id, kind, delivery)
		select @player, kind, delivery from unnest(@kinds::text[], @deliveries::text[]) as s (kind, delivery)
		on conflict (player_id, kind) do update set delivery = excluded.delivery`
)

// Settings implements notification.InboxStore.
func (s *Store) Settings(ctx context.Context, playerID string) ([]notification.Setting, error) {
	settings, err := postgres.Collect(ctx, s.db, pgx.RowToStructByPos[notification.Setting], settingsSQL,
		pgx.NamedArgs{"player": playerID})
	return settings, postgres.Wrap(err, "settings of player %s", playerID)
}

// UpdateSettings implements notification.InboxStore.
func (s *Store) UpdateSettings(ctx context.Context, by access.Attribution, settings []notification.Setting) error {
	err := s.change(ctx, by, func(tx pgx.Tx, player string) error {
		_, err := tx.Exec(ctx, updateSettingsSQL, pgx.NamedArgs{
			"player":     player,
			"kinds":      postgres.Column(settings, func(s notification.Setting) string { return string(s.Kind) }),
			"deliveries": postgres.Column(settings, func(s notification.Setting) string { return string(s.Delivery) }),
		})
		return err
	})
	return postgres.Wrap(err, "settings of player %s", by.Actor.ID)
}
