package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// dayDelay is for how long at most the store of a day waits for the changes of the day to be computed.
const dayDelay = 10 * time.Minute

const (
	// pointsRetainedDays is for how long it is kept what points were.
	pointsRetainedDays   = 9
	rankingsDeletedBatch = 10_000
)

const (
	// beginDaySQL begins the store of a day, unless changes of the day wait. A map whose points are being computed still
	// waits for other transactions.
	beginDaySQL = `
		update points_state set day = @day
		where day < @day and (@late or not exists (
			select from points_map_changes where at < @until union all select from points_player_changes where at < @until))`
	// storeDaySQL stores the days of the players whose points or rank are not those of their last day. It reads one
	// stored day of each player, whatever the number of days.
	storeDaySQL = `
		with ranked as (
			select player_id, value as points, rank() over (order by value desc) as rank
			from rankings where period = 'all' and mode = '' and kind = 'points'
		)
		insert into points_days (player_id, day, points, rank)
		select player_id, @day::date, coalesce(r.points, 0), r.rank
		from player_totals full join ranked r using (player_id) left join lateral (
			select d.points, d.rank from points_days d
			where d.player_id = coalesce(player_totals.player_id, r.player_id)
			order by d.day desc limit 1
		) l on true
		where (coalesce(r.points, 0), r.rank) is distinct from (coalesce(l.points, 0), l.rank)
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
	err = s.inLongTx(ctx, func(tx pgx.Tx) error {
		midnight := now.UTC().Truncate(24 * time.Hour)
		args["day"], args["until"], args["late"] = ended, midnight, now.Sub(midnight) > dayDelay
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
	err = s.inLongTx(ctx, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, deletePointsBeforeSQL, args)
		purged = int(tag.RowsAffected())
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("purge points of the week: %w", err)
	}
	for n := rankingsDeletedBatch; n == rankingsDeletedBatch; purged += n {
		err := s.inLongTx(ctx, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, lockPointsStateSQL); err != nil {
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
