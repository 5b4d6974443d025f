package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/points"
)

const (
	// pointsBatch is how many changes a transaction takes.
	pointsBatch = 1000
	// pointsMapsBatch and pointsPlayersBatch are how many maps or players are in memory at once.
	pointsMapsBatch    = 100
	pointsPlayersBatch = 500
)

const pointsAreCurrentSQL = `
	select (formula_version, finishers, maps, authors) = (@formula, @finishers, @maps, @authors) from points_state`

// ComputePoints computes some of what has changed, never in a transaction that changes personal bests, and returns how
// much it was: nothing when nothing is due, or another process computes. Points of another version of the formula or
// other thresholds are rebuilt.
func (s *Store) ComputePoints(
	ctx context.Context, thresholds points.Thresholds, now time.Time,
) (computed points.Computed, err error) {
	args := pgx.NamedArgs{"now": now, "limit": 1}
	setFormula(args, thresholds)
	var isCurrent, isDue bool
	batch := &pgx.Batch{}
	postgres.QueueRow(batch, pointsAreCurrentSQL, args, &isCurrent)
	batch.Queue(dueChangesSQL, args).Query(func(rows pgx.Rows) error {
		isDue = rows.Next()
		return nil
	})
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return computed, fmt.Errorf("changes of points: %w", err)
	}
	if isCurrent && !isDue {
		return computed, nil
	}
	_, err = s.lockingPoints(ctx, func() error {
		if err := s.db.QueryRow(ctx, pointsAreCurrentSQL, args).Scan(&isCurrent); err != nil {
			return err
		}
		if !isCurrent {
			return s.rebuildPoints(ctx, thresholds, now)
		}
		return s.inSnapshot(ctx, func(tx pgx.Tx) error {
			computed, err = computeChanges(ctx, tx, thresholds, now)
			return err
		})
	})
	return computed, postgres.Wrap(err, "compute points")
}

// lockingPoints calls fn under the lock of points. It reports false where another process has the lock.
func (s *Store) lockingPoints(ctx context.Context, fn func() error) (locked bool, err error) {
	lock, ok, err := postgres.TryLock(ctx, s.pool, "points")
	if err != nil || !ok {
		return false, err
	}
	defer lock.Unlock()
	return true, fn()
}

const (
	repeatableReadSQL = `set transaction isolation level repeatable read`
	// unlimitedTimeSQL lifts the limit that is meant for requests.
	unlimitedTimeSQL = `set local statement_timeout = 0`
)

// inSnapshot is InTx for statements that see one state of the database, and take as long as they need.
func (s *Store) inSnapshot(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := postgres.ExecBatch(ctx, tx, nil, repeatableReadSQL, unlimitedTimeSQL); err != nil {
			return err
		}
		return fn(tx)
	})
}

// computeChanges takes changes and computes what they change: who counts, the points on maps, and the rankings of the
// players concerned.
func computeChanges(
	ctx context.Context, tx pgx.Tx, thresholds points.Thresholds, now time.Time,
) (computed points.Computed, err error) {
	taken, err := takeDueChanges(ctx, tx, now)
	if err != nil || len(taken.maps)+len(taken.players) == 0 {
		return computed, err
	}
	players, err := postgres.Collect(ctx, tx, pgx.RowTo[string], playersOnMapsSQL,
		pgx.NamedArgs{"maps": taken.changedMaps})
	if err != nil {
		return computed, fmt.Errorf("players on changed maps: %w", err)
	}
	players = distinct(append(players, taken.players...))
	turned, err := countPlayers(ctx, tx, players, thresholds)
	if err != nil {
		return computed, fmt.Errorf("players that count: %w", err)
	}
	// The maps of those who begin or cease to count may be many: they are changes of their own.
	_, err = tx.Exec(ctx, addMapChangesSQL, pgx.NamedArgs{"players": turned, "maps": taken.maps, "at": taken.at})
	if err != nil {
		return computed, fmt.Errorf("maps of players that begin or cease to count: %w", err)
	}
	for maps := range slices.Chunk(taken.maps, pointsMapsBatch) {
		changes, standings, err := computeMaps(ctx, tx, maps, thresholds, now)
		if err != nil {
			return computed, fmt.Errorf("points on maps: %w", err)
		}
		if _, err := tx.Exec(ctx, keepPointsSQL, recordPointsArgs(changes, now)); err != nil {
			return computed, fmt.Errorf("keep points of the day: %w", err)
		}
		lost := points.LossFacts(points.Losses(taken.passes, changes, standings), now)
		facts := postgres.Column(lost, func(fact event.PointsChanged) outbox.Event { return fact })
		if err := outbox.Append(ctx, tx, facts...); err != nil {
			return computed, fmt.Errorf("lost points: %w", err)
		}
		for _, c := range changes {
			if c.ChangesTotals() {
				players = append(players, c.PlayerID)
			}
		}
	}
	players = distinct(players)
	if err := computeRankings(ctx, tx, players, now); err != nil {
		return computed, fmt.Errorf("rankings: %w", err)
	}
	return points.Computed{Maps: len(taken.maps), Players: len(players)}, nil
}

// distinct sorts ids and removes the repeated ones.
func distinct(ids []string) []string {
	slices.Sort(ids)
	return slices.Compact(ids)
}

const (
	dueChangesSQL = `
		select coalesce(map_id::text, ''), case when map_id is null then player_id::text else '' end
		from points_changes c
		where not exists (select from points_maps m where m.map_id = c.map_id and m.due_at > @now)
		order by id limit @limit`
	// takeChangesSQL also returns the player of the record by which a player was passed, unless it was removed.
	takeChangesSQL = `
		delete from points_changes c
		where map_id = any (@maps) or (map_id is null and player_id = any (@players))
		returning id, map_id, player_id, record_id, map_changed, at, coalesce((
			select r.player_id::text from records r where r.id = c.record_id and r.removed_at is null), '')`
	playersOnMapsSQL = `select player_id from personal_bests where map_id = any (@maps)`
	addMapChangesSQL = `
		insert into points_changes (map_id, at)
		select distinct map_id, @at::timestamptz from personal_bests
		where player_id = any (@players) and map_id <> all (@maps::uuid[])`
)

// takenChanges are changes that a transaction computes.
type takenChanges struct {
	// changedMaps are those of the maps that have changed themselves, which concerns all of their players.
	maps, changedMaps, players []string
	passes                     []points.Pass
	// at is when the oldest change was made.
	at time.Time
}

// takeDueChanges deletes the oldest changes that are due, with all others of the same maps and players.
func takeDueChanges(ctx context.Context, tx pgx.Tx, now time.Time) (taken takenChanges, err error) {
	taken = takenChanges{maps: []string{}, changedMaps: []string{}, players: []string{}} // not null as arguments
	rows, err := tx.Query(ctx, dueChangesSQL, pgx.NamedArgs{"now": now, "limit": pointsBatch})
	if err != nil {
		return taken, err
	}
	var mapID, playerID string
	_, err = pgx.ForEachRow(rows, []any{&mapID, &playerID}, func() error {
		if mapID != "" {
			taken.maps = append(taken.maps, mapID)
		} else {
			taken.players = append(taken.players, playerID)
		}
		return nil
	})
	if err != nil {
		return taken, fmt.Errorf("due changes: %w", err)
	}
	taken.maps, taken.players = distinct(taken.maps), distinct(taken.players)
	type change struct {
		ID                        int64
		MapID, PlayerID, PassedBy *string
		MapChanged                bool
		At                        time.Time
		PassedByPlayer            string
	}
	changes, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[change], takeChangesSQL,
		pgx.NamedArgs{"maps": taken.maps, "players": taken.players})
	if err != nil {
		return taken, fmt.Errorf("take changes: %w", err)
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.ID, b.ID) })
	for _, c := range changes {
		if taken.at.IsZero() || c.At.Before(taken.at) {
			taken.at = c.At
		}
		if c.MapChanged {
			taken.changedMaps = append(taken.changedMaps, *c.MapID)
		}
		if c.PassedBy != nil {
			key := points.Key{MapID: *c.MapID, PlayerID: *c.PlayerID}
			taken.passes = append(taken.passes, points.Pass{Key: key, RecordID: *c.PassedBy, By: c.PassedByPlayer})
		}
	}
	return taken, nil
}
