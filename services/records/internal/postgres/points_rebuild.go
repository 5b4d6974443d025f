package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/points"
)

// pointsLockInterval is how often a rebuild tries to take the lock.
const pointsLockInterval = 100 * time.Millisecond

// RebuildPoints computes all points and rankings again, under the lock of points. Each batch is a transaction, so that
// it may be repeated.
func (s *Store) RebuildPoints(ctx context.Context, thresholds points.Thresholds, now time.Time) error {
	for {
		locked, err := s.lockingPoints(ctx, func() error { return s.rebuildPoints(ctx, thresholds, now) })
		if locked || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pointsLockInterval):
		}
	}
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
	mapsAfterSQL = `
		select map_id from map_totals where map_id > @after order by map_id limit @limit`
	setPointsStateSQL = `
		update points_state set formula_version = @formula, finishers = @finishers, maps = @maps, authors = @authors`
)

// rebuildPoints computes who counts, then the points on all maps, then all rankings. The caller has the lock.
func (s *Store) rebuildPoints(ctx context.Context, thresholds points.Thresholds, now time.Time) error {
	for _, step := range []struct {
		sql     string
		batch   int
		compute func(tx pgx.Tx, ids []string) error
	}{
		{pointsPlayersAfterSQL, pointsPlayersBatch, func(tx pgx.Tx, ids []string) error {
			_, err := countPlayers(ctx, tx, ids, thresholds)
			return err
		}},
		{mapsAfterSQL, pointsMapsBatch, func(tx pgx.Tx, ids []string) error {
			_, _, err := computeMaps(ctx, tx, ids, thresholds, now)
			return err
		}},
		{rankedPlayersAfterSQL, pointsPlayersBatch, func(tx pgx.Tx, ids []string) error {
			return computeRankings(ctx, tx, ids, now)
		}},
	} {
		err := s.inBatches(ctx, step.sql, step.batch, func(ids []string) error {
			return s.inSnapshot(ctx, func(tx pgx.Tx) error { return step.compute(tx, ids) })
		})
		if err != nil {
			return fmt.Errorf("compute all points: %w", err)
		}
	}
	args := pgx.NamedArgs{}
	setFormula(args, thresholds)
	_, err := s.db.Exec(ctx, setPointsStateSQL, args)
	return err
}

// inBatches calls compute with the ids that a statement selects.
func (s *Store) inBatches(ctx context.Context, sql string, batch int, compute func(ids []string) error) error {
	for cursor := noID; ; {
		ids, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], sql, pgx.NamedArgs{"after": cursor, "limit": batch})
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := compute(ids); err != nil {
			return err
		}
		cursor = ids[len(ids)-1]
	}
}
