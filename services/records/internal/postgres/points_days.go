package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/points"
)

// dayDelay is for how long at most the store of a day waits for the changes of the day to be computed.
const dayDelay = 10 * time.Minute

const (
	// beginDaySQL begins the store of a day, unless changes of the day wait.
	beginDaySQL = `
		update points_state set day = @day
		where day < @day and (@late or not exists (select from points_changes where at < @until))`
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
	// addMonthSQL adds changes of the players with records of the month, also those that were counted before it began.
	addMonthSQL = `
		insert into points_changes (player_id, at)
		select distinct player_id, @now::timestamptz from records where created_at >= @month_from and removed_at is null`
	deleteMonthsSQL       = `delete from rankings where period <> 'all' and period < @month`
	deleteMonthCountsSQL  = `delete from ranking_counts where period <> 'all' and period < @month`
	deletePointsBeforeSQL = `delete from points_before where day < @kept_from`
)

// StoreDay stores the points and ranks of the day that has ended, once, and returns how many have changed. It deletes
// the rankings of earlier months, and what explains changes of earlier weeks.
func (s *Store) StoreDay(ctx context.Context, now time.Time) (stored int, err error) {
	_, err = s.lockingPoints(ctx, func() error {
		return s.inSnapshot(ctx, func(tx pgx.Tx) error {
			stored, err = storeDay(ctx, tx, now.UTC())
			return err
		})
	})
	return stored, postgres.Wrap(err, "points of the day")
}

func storeDay(ctx context.Context, tx pgx.Tx, now time.Time) (stored int, err error) {
	midnight := now.Truncate(24 * time.Hour)
	monthFrom, _ := points.Month(now)
	args := pgx.NamedArgs{
		"now": now, "day": midnight.AddDate(0, 0, -1), "until": midnight, "late": now.Sub(midnight) > dayDelay,
		"month": points.MonthName(now), "month_from": monthFrom, "kept_from": midnight.AddDate(0, 0, -points.RetainedDays),
	}
	tag, err := tx.Exec(ctx, beginDaySQL, args)
	if err != nil || tag.RowsAffected() == 0 {
		return 0, err
	}
	if tag, err = tx.Exec(ctx, storeDaySQL, args); err != nil {
		return 0, err
	}
	statements := []string{deletePointsBeforeSQL, deleteMonthsSQL, deleteMonthCountsSQL}
	if now.Day() == 1 {
		statements = append(statements, addMonthSQL)
	}
	return int(tag.RowsAffected()), postgres.ExecBatch(ctx, tx, args, statements...)
}

const pointsDelaySQL = `
	select coalesce(extract(epoch from now() - (select at from points_changes order by at limit 1)), 0)::float8`

// PointsDelay returns for how long the oldest change waits for its points.
func (s *Store) PointsDelay(ctx context.Context) (time.Duration, error) {
	var seconds float64
	err := s.db.QueryRow(ctx, pointsDelaySQL).Scan(&seconds)
	return time.Duration(seconds * float64(time.Second)), postgres.Wrap(err, "delay of points")
}
