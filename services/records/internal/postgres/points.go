package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

// Batches of the computation of points. A leaderboard with many players (is_large_leaderboard) has a transaction of its own.
const (
	pointsMapsBatch      = 100
	pointsPlayersBatch   = 500
	pointsRebuildBatch   = 500
	pointsRetainedDays   = 9
	rankingsDeletedBatch = 10_000
)

// ComputePoints implements record.PointsStore. Players come first: who begins or ceases to count changes maps. Both steps
// delete what they take before the statement that computes, whose snapshot therefore has the changes.
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

const (
	// lockPointsStateSQL serializes the computation of players, and does not wait for another process.
	lockPointsStateSQL      = `select 1 from points_state for update skip locked`
	changedPointsPlayersSQL = `
		select distinct player_id from (
			select player_id from points_player_changes where large = @large order by id limit @limit
		) c`
	takePointsPlayersSQL = `
		with taken as (delete from points_player_changes where player_id = any (@players) returning at)
		select coalesce(min(at), now()) from taken`
	// applyPointsPlayersSQL counts what players have finished, and queues the maps of those who begin or cease to count.
	applyPointsPlayersSQL = `
		with wanted as materialized (
			select o.player_id, b.maps, b.authors,
				b.maps >= @min_maps and b.authors >= @min_authors and exists (
					select from players p where p.id = o.player_id and p.registered and not p.banned and not p.removed
				) as counts
			from unnest(@players::uuid[]) as o (player_id) cross join lateral (
				select count(*) as maps, count(distinct m.author_id) as authors
				from personal_bests b join maps m on m.id = b.map_id and counts_for_points(m)
				where b.player_id = o.player_id
			) b
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
	// applyRankingsSQL returns how many rows it has changed.
	applyRankingsSQL = `
		with wanted as materialized (
			select * from rankings_wanted(@players, @month, @month_from, @month_until)
		), deleted as (
			delete from rankings r
			where r.player_id = any (@players) and r.period in ('all', @month) and not exists (
				select from wanted w
				where (w.period, w.mode, w.player_id, w.kind) = (r.period, r.mode, r.player_id, r.kind))
			returning 1
		), written as (
			insert into rankings as r (period, mode, player_id, kind, value)
			select period, mode, player_id, kind, value from wanted
			on conflict (period, mode, player_id, kind) do update set value = excluded.value where r.value <> excluded.value
			returning 1
		)
		select (select count(*) from deleted) + (select count(*) from written)`
)

// computePlayers returns how many players it has taken.
func (s *Store) computePlayers(
	ctx context.Context, large bool, thresholds points.Thresholds, now time.Time,
) (taken int, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		if locked, err := lockPointsState(ctx, tx); err != nil || !locked {
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

func lockPointsState(ctx context.Context, tx pgx.Tx) (bool, error) {
	tag, err := tx.Exec(ctx, lockPointsStateSQL)
	return tag.RowsAffected() > 0, err
}

// computePlayers computes what players have reached. tx has locked points_state.
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
	batch := &pgx.Batch{}
	batch.Queue(applyPointsPlayersSQL, args)
	batch.Queue(applyRankingsSQL, args)
	return tx.SendBatch(ctx, batch).Close()
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
	// applyPointsSQL computes the points on maps, keeps what they were at the beginning of the day (none in a rebuild), and
	// queues the players whose rankings change.
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
			select player_id, map_id, @day::date, points_before from changed
			where @day::date is not null and points_before <> coalesce(points, 0)
			on conflict do nothing
		), queued as (
			insert into points_player_changes (player_id, large, at)
			select distinct player_id, @large::boolean, @at::timestamptz from changed where ranks_change
		)
		update points_maps m set finishers = coalesce(w.finishers, 0)
		from unnest(@maps::uuid[]) as o (map_id)
			left join (select map_id, count(*) as finishers from wanted group by map_id) w using (map_id)
		where m.map_id = o.map_id and m.finishers <> coalesce(w.finishers, 0)`
)

// computeMaps returns how many maps it has taken.
func (s *Store) computeMaps(
	ctx context.Context, large bool, thresholds points.Thresholds, now time.Time,
) (taken int, err error) {
	limit := pointsMapsBatch
	if large {
		limit = 1
	}
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		maps, err := postgres.Collect(ctx, tx, pgx.RowTo[string], changedPointsMapsSQL,
			pgx.NamedArgs{"large": large, "limit": limit})
		if err != nil || len(maps) == 0 {
			return err
		}
		taken = len(maps)
		return computeMaps(ctx, tx, maps, thresholds, postgres.NamedArgs{"large": large, "day": now.UTC()})
	})
	return taken, err
}

// computeMaps computes the points on maps. Its arguments are large and day of applyPointsSQL.
func computeMaps(
	ctx context.Context, tx pgx.Tx, maps []string, thresholds points.Thresholds, args postgres.NamedArgs,
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
	_, err := tx.Exec(ctx, applyPointsSQL, args)
	return err
}

const (
	pointsStateSQL    = `select formula_version, finishers, maps, authors from points_state`
	setPointsStateSQL = `
		update points_state set formula_version = @version, finishers = @finishers, maps = @maps, authors = @authors`
)

// PointsAreCurrent implements record.PointsStore.
func (s *Store) PointsAreCurrent(ctx context.Context, thresholds points.Thresholds) (bool, error) {
	var version int
	var stored points.Thresholds
	err := s.db.QueryRow(ctx, pointsStateSQL).Scan(&version, &stored.Finishers, &stored.Maps, &stored.Authors)
	if err != nil {
		return false, fmt.Errorf("with what points were computed: %w", err)
	}
	return version == points.Version && stored == thresholds, nil
}

const (
	pointsPlayersAfterSQL = `
		select distinct player_id from (
			(select player_id from player_totals where player_id > @after order by player_id limit @limit)
			union all
			(select player_id from points_players where player_id > @after order by player_id limit @limit)
		) p order by player_id limit @limit`
	pointsMapsAfterSQL = `
		select map_id from map_totals where map_id > @after order by map_id limit @limit`
)

// RebuildPoints implements record.PointsStore. Each batch is a transaction, so that it may run beside the service and be
// repeated.
func (s *Store) RebuildPoints(ctx context.Context, thresholds points.Thresholds, now time.Time) error {
	players := func(tx pgx.Tx, ids []string) error {
		if _, err := tx.Exec(ctx, `select 1 from points_state for update`); err != nil {
			return err
		}
		return computePlayers(ctx, tx, ids, thresholds, now)
	}
	maps := func(tx pgx.Tx, ids []string) error {
		return computeMaps(ctx, tx, ids, thresholds, postgres.NamedArgs{"large": true, "day": nil})
	}
	for _, step := range []struct {
		sql     string
		compute func(tx pgx.Tx, ids []string) error
	}{{pointsPlayersAfterSQL, players}, {pointsMapsAfterSQL, maps}, {pointsPlayersAfterSQL, players}} {
		if err := s.inBatches(ctx, step.sql, step.compute); err != nil {
			return fmt.Errorf("compute all points: %w", err)
		}
	}
	_, err := s.db.Exec(ctx, setPointsStateSQL, pgx.NamedArgs{
		"version": points.Version, "finishers": thresholds.Finishers, "maps": thresholds.Maps, "authors": thresholds.Authors,
	})
	return err
}

// inBatches calls compute with the ids that a statement selects, each batch in a transaction.
func (s *Store) inBatches(ctx context.Context, sql string, compute func(tx pgx.Tx, ids []string) error) error {
	for cursor := noID; ; {
		args := pgx.NamedArgs{"after": cursor, "limit": pointsRebuildBatch}
		ids, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], sql, args)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := s.db.InTx(ctx, func(tx pgx.Tx) error { return compute(tx, ids) }); err != nil {
			return err
		}
		cursor = ids[len(ids)-1]
	}
}

const (
	sampleMapsSQL = `
		select map_id from points_maps where abs(hashtextextended(map_id::text, @seed)) % 100 = 0 order by map_id`
	samplePlayersSQL = `
		select player_id from points_players where abs(hashtextextended(player_id::text, @seed)) % 100 = 0 order by player_id`
	// driftOfMapsSQL queues the maps whose points are not what they should be. A map that waits is left out.
	driftOfMapsSQL = `
		with drifted as (
			select coalesce(w.map_id, p.map_id) as map_id
			from points_wanted(@maps, @finishers) w full join (
				select * from record_points where map_id = any (@maps)
			) p on p.map_id = w.map_id and p.player_id = w.player_id
			where (w.opponents, w.slower, w.tied, w.points, w.world_record)
				is distinct from (p.opponents, p.slower, p.tied, p.points, p.world_record)
				and not exists (select from points_map_changes c where c.map_id in (w.map_id, p.map_id))
		), queued as (
			insert into points_map_changes (map_id, large, with_players)
			select map_id, is_large_leaderboard(map_id), true from (select distinct map_id from drifted) d
		)
		select count(*) from drifted`
	// driftOfPlayersSQL is the same of players and rankings. A player whose map waits is left out.
	driftOfPlayersSQL = `
		with drifted as (
			select coalesce(w.player_id, r.player_id) as player_id
			from rankings_wanted(@players, @month, @month_from, @month_until) w full join (
				select * from rankings where player_id = any (@players) and period in ('all', @month)
			) r on (r.period, r.mode, r.player_id, r.kind) = (w.period, w.mode, w.player_id, w.kind)
			where w.value is distinct from r.value
				and not exists (select from points_player_changes c where c.player_id in (w.player_id, r.player_id))
				and not exists (
					select from points_map_changes c join personal_bests b using (map_id)
					where b.player_id in (w.player_id, r.player_id))
		), queued as (
			insert into points_player_changes (player_id, large) select distinct player_id, false from drifted
		)
		select count(*) from drifted`
)

// ComparePoints implements record.PointsStore.
func (s *Store) ComparePoints(
	ctx context.Context, thresholds points.Thresholds, seed int64, now time.Time,
) (drifted int, err error) {
	args := rankingArgs(now)
	args["seed"], args["finishers"] = seed, thresholds.Finishers
	for _, sample := range []struct{ ids, argument, drift string }{
		{sampleMapsSQL, "maps", driftOfMapsSQL},
		{samplePlayersSQL, "players", driftOfPlayersSQL},
	} {
		ids, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], sample.ids, args)
		if err != nil {
			return drifted, fmt.Errorf("sample of points: %w", err)
		}
		for ; len(ids) > 0; ids = ids[min(len(ids), pointsMapsBatch):] {
			var found int
			args[sample.argument] = ids[:min(len(ids), pointsMapsBatch)]
			if err := s.db.QueryRow(ctx, sample.drift, args).Scan(&found); err != nil {
				return drifted, fmt.Errorf("compare a sample of points: %w", err)
			}
			drifted += found
		}
	}
	return drifted, nil
}

const (
	beginDaySQL = `update points_state set day = @day where day < @day`
	// storeDaySQL stores the days of the players whose points or rank are not those of their last day.
	storeDaySQL = `
		with ranked as (
			select player_id, value as points, rank() over (order by value desc) as rank
			from rankings where period = 'all' and mode = '' and kind = 'points'
		), last as (
			select distinct on (player_id) player_id, points, rank from points_days order by player_id, day desc
		)
		insert into points_days (player_id, day, points, rank)
		select player_id, @day::date, coalesce(r.points, 0), r.rank
		from ranked r full join last l using (player_id)
		where (coalesce(r.points, 0), r.rank) is distinct from (l.points, l.rank)
		on conflict do nothing`
	// queueMonthSQL queues the players with records of the month, also those that were counted before it began.
	queueMonthSQL = `
		insert into points_player_changes (player_id, large)
		select distinct player_id, false from records where created_at >= @month_from and removed_at is null`
	deleteMonthsSQL = `
		delete from rankings where ctid = any (array(
			select ctid from rankings where period <> 'all' and period < @month limit @limit))`
	deletePointsBeforeSQL = `delete from points_before where day < @day`
)

// StoreDay implements record.PointsStore.
func (s *Store) StoreDay(ctx context.Context, now time.Time) (stored int, err error) {
	args := rankingArgs(now)
	ended := now.UTC().AddDate(0, 0, -1)
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		args["day"] = ended
		tag, err := tx.Exec(ctx, beginDaySQL, args)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		if tag, err = tx.Exec(ctx, storeDaySQL, args); err != nil {
			return err
		}
		stored = int(tag.RowsAffected())
		if now.UTC().Day() == 1 {
			_, err = tx.Exec(ctx, queueMonthSQL, args)
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("points of the day: %w", err)
	}
	return stored, nil
}

// PurgePoints implements record.PointsStore.
func (s *Store) PurgePoints(ctx context.Context, now time.Time) (purged int, err error) {
	args := rankingArgs(now)
	args["limit"], args["day"] = rankingsDeletedBatch, now.UTC().AddDate(0, 0, -pointsRetainedDays)
	tag, err := s.db.Exec(ctx, deletePointsBeforeSQL, args)
	if err != nil {
		return 0, fmt.Errorf("purge points of the week: %w", err)
	}
	purged = int(tag.RowsAffected())
	for n := rankingsDeletedBatch; n == rankingsDeletedBatch; purged += n {
		err := s.db.InTx(ctx, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `select 1 from points_state for update`); err != nil {
				return err
			}
			tag, err := tx.Exec(ctx, deleteMonthsSQL, args)
			n = int(tag.RowsAffected())
			return err
		})
		if err != nil {
			return purged, fmt.Errorf("purge the rankings of earlier months: %w", err)
		}
	}
	return purged, nil
}

const oldestPointsChangeSQL = `
	select coalesce(extract(epoch from now() - min(at)), 0)::float8 from (
		(select at from points_map_changes order by at limit 1)
		union all
		(select at from points_player_changes order by at limit 1)
	) c`

// PointsDelay returns for how long the oldest change waits for its points.
func (s *Store) PointsDelay(ctx context.Context) (time.Duration, error) {
	var seconds float64
	err := s.db.QueryRow(ctx, oldestPointsChangeSQL).Scan(&seconds)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return 0, fmt.Errorf("delay of points: %w", err)
	}
	return time.Duration(seconds * float64(time.Second)), nil
}

var _ record.PointsStore = (*Store)(nil)
