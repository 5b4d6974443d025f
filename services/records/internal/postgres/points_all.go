package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/points"
)

// pointsRebuildBatch is how many maps or players a transaction of a rebuild has.
const pointsRebuildBatch = 2000

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
	// rankedPlayersAfterSQL also selects those that are ranked and count no longer.
	rankedPlayersAfterSQL = `
		select distinct player_id from (
			(select player_id from points_players where counts and player_id > @after order by player_id limit @limit)
			union all
			(select distinct player_id from rankings where player_id > @after order by player_id limit @limit)
		) p order by player_id limit @limit`
	pointsMapsAfterSQL = `
		select map_id from map_totals where map_id > @after order by map_id limit @limit`
)

// RebuildPoints implements record.PointsStore. Each batch is a transaction, so that it may run beside the service
// and be repeated.
func (s *Store) RebuildPoints(ctx context.Context, thresholds points.Thresholds, now time.Time) error {
	counting := func(tx pgx.Tx, ids []string) error {
		_, err := tx.Exec(ctx, applyPointsPlayersSQL, pgx.NamedArgs{
			"players": ids, "min_maps": thresholds.Maps, "min_authors": thresholds.Authors, "at": now,
		})
		return err
	}
	rankings := func(tx pgx.Tx, ids []string) error { return computePlayers(ctx, tx, ids, thresholds, now) }
	maps := func(tx pgx.Tx, ids []string) error {
		return computeMaps(ctx, tx, ids, thresholds, now, postgres.NamedArgs{"large": true, "today": nil})
	}
	for _, step := range []struct {
		sql     string
		compute func(tx pgx.Tx, ids []string) error
	}{
		{pointsPlayersAfterSQL, lockingState(ctx, counting)},
		{pointsMapsAfterSQL, maps},
		{rankedPlayersAfterSQL, lockingState(ctx, rankings)},
	} {
		if err := s.inBatches(ctx, step.sql, step.compute); err != nil {
			return fmt.Errorf("compute all points: %w", err)
		}
	}
	_, err := s.db.Exec(ctx, setPointsStateSQL, pgx.NamedArgs{
		"version": points.Version, "finishers": thresholds.Finishers, "maps": thresholds.Maps, "authors": thresholds.Authors,
	})
	return err
}

// lockingState returns compute under the lock of points_state.
func lockingState(
	ctx context.Context, compute func(tx pgx.Tx, ids []string) error,
) func(tx pgx.Tx, ids []string) error {
	return func(tx pgx.Tx, ids []string) error {
		if _, err := tx.Exec(ctx, lockPointsStateSQL); err != nil {
			return err
		}
		return compute(tx, ids)
	}
}

// inBatches calls compute with the ids that a statement selects, each batch in a transaction.
func (s *Store) inBatches(ctx context.Context, sql string, compute func(tx pgx.Tx, ids []string) error) error {
	for cursor := noID; ; {
		args := pgx.NamedArgs{"after": cursor, "limit": pointsRebuildBatch}
		ids, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], sql, args)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := s.inLongTx(ctx, func(tx pgx.Tx) error { return compute(tx, ids) }); err != nil {
			return err
		}
		cursor = ids[len(ids)-1]
	}
}

const (
	sampleMapsSQL = `
		select map_id from map_totals where abs(hashtextextended(map_id::text, @seed)) % 100 = 0 order by map_id`
	samplePlayersSQL = `
		select player_id from (select player_id from player_totals union select player_id from points_players) p
		where abs(hashtextextended(player_id::text, @seed)) % 100 = 0 order by player_id`
	// driftOfMapsSQL queues the maps whose points or finishers are not what they should be. A map that waits is left out.
	driftOfMapsSQL = `
		with wanted as materialized (
			select * from points_wanted(@maps, @finishers)
		), drifted as (
			select map_id
			from wanted w full join (
				select * from record_points where map_id = any (@maps)
			) p using (map_id, player_id)
			where (w.opponents, w.slower, w.tied, w.points, w.world_record)
				is distinct from (p.opponents, p.slower, p.tied, p.points, p.world_record)
			union all
			select map_id
			from unnest(@maps::uuid[]) as o (map_id) left join points_maps m using (map_id)
				left join (select map_id, count(*) as finishers from wanted group by map_id) w using (map_id)
			where coalesce(m.finishers, 0) <> coalesce(w.finishers, 0)
		), found as materialized (
			select map_id from drifted d where not exists (select from points_map_changes c where c.map_id = d.map_id)
		), queued as (
			insert into points_map_changes (map_id, large, with_players)
			select distinct map_id, is_large_leaderboard(map_id), true from found
		)
		select count(*) from found`
	// driftOfPlayersSQL is the same of players: of who counts, and of rankings. A player whose map waits is left out.
	driftOfPlayersSQL = `
		with drifted as (
			select player_id
			from (` + pointsPlayersWantedSQL + `
			) w left join points_players p using (player_id)
			where (w.maps, w.authors, w.counts)
				is distinct from (coalesce(p.maps, 0), coalesce(p.authors, 0), coalesce(p.counts, false))
			union all
			select player_id
			from rankings_wanted(@players, @month, @month_from, @month_until) w full join (
				select * from rankings where player_id = any (@players) and period in ('all', @month)
			) r using (period, mode, player_id, kind)
			where w.value is distinct from r.value
		), found as materialized (
			select player_id from drifted d
			where not exists (select from points_player_changes c where c.player_id = d.player_id)
				and not exists (
					select from points_map_changes c join personal_bests b using (map_id) where b.player_id = d.player_id)
		), queued as (
			insert into points_player_changes (player_id, large) select distinct player_id, false from found
		)
		select count(*) from found`
)

// ComparePoints implements record.PointsStore.
func (s *Store) ComparePoints(
	ctx context.Context, thresholds points.Thresholds, seed int64, now time.Time,
) (drifted int, err error) {
	args := rankingArgs(now)
	args["seed"], args["finishers"] = seed, thresholds.Finishers
	args["min_maps"], args["min_authors"] = thresholds.Maps, thresholds.Authors
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
			err := s.inLongTx(ctx, func(tx pgx.Tx) error { return tx.QueryRow(ctx, sample.drift, args).Scan(&found) })
			if err != nil {
				return drifted, fmt.Errorf("compare a sample of points: %w", err)
			}
			drifted += found
		}
	}
	return drifted, nil
}
