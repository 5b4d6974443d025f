package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

// Batches of the computation of points. A leaderboard with many players (is_large_leaderboard) has a transaction of
// its own.
const (
	pointsMapsBatch    = 100
	pointsPlayersBatch = 500
)

// ComputePoints implements record.PointsStore. Players come first: who begins or ceases to count changes maps. Both
// steps delete what they take before the statement that computes, whose snapshot therefore has the changes.
func (s *Store) ComputePoints(
	ctx context.Context, large bool, thresholds points.Thresholds, now time.Time,
) (computed record.ComputedPoints, err error) {
	if computed.Players, err = s.computePlayers(ctx, large, thresholds, now); err != nil {
		return computed, fmt.Errorf("rankings of players: %w", err)
	}
	if computed.Maps, err = s.computeMaps(ctx, large, thresholds, now); err != nil {
		return computed, fmt.Errorf("points of maps: %w", err)
	}
	return computed, nil
}

// unlimitedTimeSQL lifts the limit that is meant for requests: a large leaderboard takes longer.
const unlimitedTimeSQL = `set local statement_timeout = 0`

// inLongTx is InTx without a limit of time for statements.
func (s *Store) inLongTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, unlimitedTimeSQL); err != nil {
			return err
		}
		return fn(tx)
	})
}

const (
	// lockPointsStateSQL serializes the computation of players.
	lockPointsStateSQL      = `select 1 from points_state for update`
	changedPointsPlayersSQL = `
		select distinct player_id from (
			select player_id from points_player_changes where large = @large order by id limit @limit
		) c`
	takePointsPlayersSQL = `
		with taken as (delete from points_player_changes where player_id = any (@players) returning at)
		select coalesce(min(at), now()) from taken`
	// pointsPlayersWantedSQL selects what points_players should say of players. Those without personal bests on maps
	// that count have 0 maps, and no row there.
	pointsPlayersWantedSQL = `
			select o.player_id, b.maps, b.authors,
				b.maps >= @min_maps and b.authors >= @min_authors and exists (
					select from players p where p.id = o.player_id and p.registered and not p.banned and not p.removed
				) as counts
			from unnest(@players::uuid[]) as o (player_id) cross join lateral (
				select count(*) as maps, count(distinct m.author_id) as authors
				from personal_bests b join maps m on m.id = b.map_id and counts_for_points(m)
				where b.player_id = o.player_id
			) b`
	// applyPointsPlayersSQL counts what players have finished, and queues the maps of those who begin or cease to count.
	applyPointsPlayersSQL = `
		with wanted as materialized (` + pointsPlayersWantedSQL + `
		), deleted as (
			delete from points_players where player_id in (select player_id from wanted where maps = 0)
		), written as (
			insert into points_players as p (player_id, maps, authors, counts)
			select player_id, maps, authors, counts from wanted where maps > 0
			on conflict (player_id) do update set maps = excluded.maps, authors = excluded.authors, counts = excluded.counts
			where (p.maps, p.authors, p.counts) <> (excluded.maps, excluded.authors, excluded.counts)
		)
		insert into points_map_changes (map_id, large, with_players, at)
		select map_id, is_large_leaderboard(map_id), false, @at
		from (
			select distinct b.map_id
			from wanted w left join points_players p using (player_id) join personal_bests b using (player_id)
			where w.counts <> coalesce(p.counts, false)
		) m`
	// applyRankingsSQL returns whose points in all maps have changed. It reads the rankings as they were before.
	applyRankingsSQL = `
		with wanted as materialized (
			select * from rankings_wanted(@players, @month, @month_from, @month_until)
		), deleted as (
			delete from rankings r
			where r.player_id = any (@players) and r.period in ('all', @month) and not exists (
				select from wanted w
				where (w.period, w.mode, w.player_id, w.kind) = (r.period, r.mode, r.player_id, r.kind))
		), written as (
			insert into rankings as r (period, mode, player_id, kind, value)
			select period, mode, player_id, kind, value from wanted
			on conflict (period, mode, player_id, kind) do update set value = excluded.value where r.value <> excluded.value
		)
		select player_id, coalesce(r.value, 0), coalesce(w.value, 0)
		from (
			select player_id, value from wanted where period = 'all' and mode = '' and kind = 'points'
		) w full join (
			select player_id, value from rankings
			where player_id = any (@players) and period = 'all' and mode = '' and kind = 'points'
		) r using (player_id)
		where w.value is distinct from r.value
		order by abs(coalesce(w.value, 0) - coalesce(r.value, 0)) desc, player_id`
	ranksSQL = `
		select ranking_place('all', '', 'points', v.value)
		from unnest(@values::bigint[]) with ordinality as v (value, position)
		order by v.position`
)

// computePlayers returns how many players it has taken.
func (s *Store) computePlayers(
	ctx context.Context, large bool, thresholds points.Thresholds, now time.Time,
) (taken int, err error) {
	err = s.inLongTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockPointsStateSQL); err != nil {
			return err
		}
		players, err := postgres.Collect(ctx, tx, pgx.RowTo[string], changedPointsPlayersSQL,
			pgx.NamedArgs{"large": large, "limit": pointsPlayersBatch})
		if err != nil || len(players) == 0 {
			return err
		}
		taken = len(players)
		return computePlayers(ctx, tx, players, thresholds, now)
	})
	return taken, err
}

// computePlayers computes what players have reached, and publishes whose points have changed. tx has locked
// points_state, so that these facts are in the order of the computations.
func computePlayers(
	ctx context.Context, tx pgx.Tx, players []string, thresholds points.Thresholds, now time.Time,
) error {
	var at time.Time
	args := rankingArgs(now)
	args["players"] = players
	if err := tx.QueryRow(ctx, takePointsPlayersSQL, args).Scan(&at); err != nil {
		return err
	}
	args["at"], args["min_maps"], args["min_authors"] = at, thresholds.Maps, thresholds.Authors
	if _, err := tx.Exec(ctx, applyPointsPlayersSQL, args); err != nil {
		return err
	}
	changed, err := postgres.Collect(ctx, tx, scanRankedPlayer, applyRankingsSQL, args)
	if err != nil || len(changed) == 0 {
		return err
	}
	if err := rank(ctx, tx, changed); err != nil {
		return err
	}
	var facts []outbox.Event
	for some := range slices.Chunk(changed, event.MaxRankedPlayers) {
		facts = append(facts, event.RankingChanged{Players: some, At: now})
	}
	return outbox.Append(ctx, tx, facts...)
}

func scanRankedPlayer(row pgx.CollectableRow) (p event.RankedPlayer, err error) {
	return p, row.Scan(&p.PlayerID, &p.Before, &p.After)
}

// rank sets the ranks of players by their points now, of those who have some.
func rank(ctx context.Context, tx pgx.Tx, players []event.RankedPlayer) error {
	values := make([]int64, len(players))
	for i, p := range players {
		values[i] = p.After
	}
	ranks, err := postgres.Collect(ctx, tx, pgx.RowTo[int64], ranksSQL, pgx.NamedArgs{"values": values})
	if err != nil {
		return err
	}
	for i, rank := range ranks {
		if players[i].After > 0 {
			players[i].Rank = rank
		}
	}
	return nil
}

// rankingArgs are the arguments that name the month of a time.
func rankingArgs(now time.Time) postgres.NamedArgs {
	from, until := points.Month(now)
	return postgres.NamedArgs{"month": monthName(now), "month_from": from, "month_until": until}
}

// monthName returns the period of the month of a time.
func monthName(at time.Time) string { return at.UTC().Format("2006-01") }

const (
	changedPointsMapsSQL = `
		select map_id from points_map_changes where large = @large order by id limit @limit for update skip locked`
	insertPointsMapsSQL = `
		insert into points_maps (map_id) select distinct m from unnest(@maps::uuid[]) as m order by m on conflict do nothing`
	lockPointsMapsSQL = `select 1 from points_maps where map_id = any (@maps) order by map_id for update`
	takePointsMapsSQL = `
		with taken as (
			delete from points_map_changes where ctid = any (array(
				select ctid from points_map_changes where map_id = any (@maps) for update skip locked))
			returning map_id, with_players, at
		), queued as (
			insert into points_player_changes (player_id, large, at)
			select player_id, @large, (select min(at) from taken)
			from personal_bests where map_id in (select map_id from taken where with_players)
		)
		select coalesce(min(at), now()) from taken`
	// applyPointsSQL computes the points on maps, keeps what they were at the beginning of the day (none in a
	// rebuild), and queues the players whose rankings change. It returns whom records have passed and who has lost
	// points, each with the latest record that has passed the player. That is one statement, and so one snapshot: the
	// points have all records that are named, and what they have cost is not lost. Where the map, one of the two players
	// or the record counts no longer, points are not lost by it.
	//
	// A day lasts until StoreDay has stored it.
	applyPointsSQL = `
		with wanted as materialized (
			select * from points_wanted(@maps, @finishers)
		), changed as materialized (
			select coalesce(w.map_id, p.map_id) as map_id, coalesce(w.player_id, p.player_id) as player_id,
				w.opponents, w.slower, w.tied, w.points, w.world_record,
				coalesce(p.points, 0) as points_before,
				(w.points, w.world_record) is distinct from (p.points, p.world_record) as ranks_change
			from wanted w full join (
				select * from record_points where map_id = any (@maps)
			) p on p.map_id = w.map_id and p.player_id = w.player_id
			where (w.opponents, w.slower, w.tied, w.points, w.world_record)
				is distinct from (p.opponents, p.slower, p.tied, p.points, p.world_record)
		), deleted as (
			delete from record_points p using changed c
			where c.opponents is null and p.map_id = c.map_id and p.player_id = c.player_id
		), written as (
			insert into record_points as p (map_id, player_id, opponents, slower, tied, points, world_record)
			select map_id, player_id, opponents, slower, tied, points, world_record from changed where opponents is not null
			on conflict (map_id, player_id) do update set
				opponents = excluded.opponents, slower = excluded.slower, tied = excluded.tied, points = excluded.points,
				world_record = excluded.world_record
		), kept as (
			insert into points_before (player_id, map_id, day, points)
			select c.player_id, c.map_id, greatest(s.day + 1, @today::date - 1), c.points_before
			from changed c cross join points_state s
			where @today::date is not null and c.points_before <> coalesce(c.points, 0)
			on conflict do nothing
		), queued as (
			insert into points_player_changes (player_id, large, at)
			select distinct player_id, @large::boolean, @at::timestamptz from changed where ranks_change
		), counted as (
			update points_maps m set finishers = coalesce(w.finishers, 0)
			from unnest(@maps::uuid[]) as o (map_id)
				left join (select map_id, count(*) as finishers from wanted group by map_id) w using (map_id)
			where m.map_id = o.map_id and m.finishers <> coalesce(w.finishers, 0)
		), passed as (
			delete from points_passed where map_id = any (@maps) returning *
		)
		select distinct on (p.map_id, p.player_id)
			p.map_id, p.player_id, p.record_id, c.points_before, c.points
		from passed p join changed c using (map_id, player_id)
			join records r on r.id = p.record_id and r.removed_at is null
			join wanted w on w.map_id = r.map_id and w.player_id = r.player_id
		where c.points < c.points_before
		order by p.map_id, p.player_id, p.id desc`
)

// computeMaps returns how many maps it has taken.
func (s *Store) computeMaps(
	ctx context.Context, large bool, thresholds points.Thresholds, now time.Time,
) (taken int, err error) {
	limit := pointsMapsBatch
	if large {
		limit = 1
	}
	err = s.inLongTx(ctx, func(tx pgx.Tx) error {
		maps, err := postgres.Collect(ctx, tx, pgx.RowTo[string], changedPointsMapsSQL,
			pgx.NamedArgs{"large": large, "limit": limit})
		if err != nil || len(maps) == 0 {
			return err
		}
		taken = len(maps)
		return computeMaps(ctx, tx, maps, thresholds, now, postgres.NamedArgs{"large": large, "today": now.UTC()})
	})
	return taken, err
}

// computeMaps computes the points on maps. Its arguments are large and today of applyPointsSQL.
func computeMaps(
	ctx context.Context, tx pgx.Tx, maps []string, thresholds points.Thresholds, now time.Time,
	args postgres.NamedArgs,
) error {
	var at time.Time
	args["maps"], args["finishers"] = maps, thresholds.Finishers
	batch := &pgx.Batch{}
	batch.Queue(insertPointsMapsSQL, args)
	batch.Queue(lockPointsMapsSQL, args)
	batch.Queue(takePointsMapsSQL, args).QueryRow(func(row pgx.Row) error { return row.Scan(&at) })
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	args["at"] = at
	losses, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[pointsLoss], applyPointsSQL, args)
	if err != nil {
		return err
	}
	return outbox.Append(ctx, tx, factsOf(losses, now)...)
}

// pointsLoss is what a player has lost on a map.
type pointsLoss struct {
	MapID string
	event.PointsChange
}

// factsOf returns the facts of losses, which are in the order of their maps.
func factsOf(losses []pointsLoss, now time.Time) (facts []outbox.Event) {
	for len(losses) > 0 {
		changed := event.PointsChanged{MapID: losses[0].MapID, At: now}
		for len(losses) > 0 && losses[0].MapID == changed.MapID && len(changed.Changes) < event.MaxPointsChanges {
			changed.Changes = append(changed.Changes, losses[0].PointsChange)
			losses = losses[1:]
		}
		facts = append(facts, changed)
	}
	return facts
}

var _ record.PointsStore = (*Store)(nil)
