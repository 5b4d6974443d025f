package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/points"
)

// weekAgo returns the day (UTC) with whose end points are compared.
func weekAgo(now time.Time) time.Time {
	return now.UTC().Truncate(24*time.Hour).AddDate(0, 0, -7)
}

// argsOf returns the arguments that name a ranking.
func argsOf(r points.Ranking) pgx.NamedArgs {
	return pgx.NamedArgs{"period": r.Period, "mode": r.Mode, "kind": string(r.Kind)}
}

// setFormula sets the arguments that say with what points are to be computed.
func setFormula(args map[string]any, thresholds points.Thresholds) {
	args["formula"], args["finishers"] = points.Version, thresholds.Finishers
	args["maps"], args["authors"] = thresholds.Maps, thresholds.Authors
}

const (
	// otherFormulaSQL selects 1970 until points were computed with this formula and these thresholds.
	otherFormulaSQL = `
			select to_timestamp(0) from points_state
			where (formula_version, finishers, maps, authors) <> (@formula, @finishers, @maps, @authors)`
	// pointsAsOfSQL is read before what it is about, which therefore has all changes before it. It asks the clock that
	// the times of the changes are from: the database's.
	pointsAsOfSQL = `
		select coalesce(min(at), now()) from (
			(select at from points_changes order by at limit 1)
			union all
			` + otherFormulaSQL + `
		) c`
	rankingTotalSQL = `
		select coalesce(sum(players), 0) from ranking_counts
		where period = @period and mode = @mode and kind = @kind and step = 1000`
	// rankingSQL selects the rows from the value that holds the first one.
	rankingSQL = `
		with page as materialized (
			select r.player_id, r.value, start.value as start_value, start.rows_before
			from ranking_start(@period, @mode, @kind, @offset) as start cross join lateral (
				select player_id, value from rankings
				where period = @period and mode = @mode and kind = @kind and value <= start.value
				order by value desc, player_id
				limit @limit offset @offset - start.rows_before
			) r
		)
		select p.player_id, rank() over (order by p.value desc)
				+ case when p.value = p.start_value then p.rows_before else @offset::bigint end,
			coalesce(c.name, ''), coalesce(c.skin_image_url, ''), coalesce(c.skin_color, ''),
			(select jsonb_object_agg(kind, value) from rankings
				where period = @period and mode = @mode and player_id = p.player_id),
			coalesce(w.points, 0), coalesce(w.rank, 0)
		from page p left join lateral (
				select name, skin_image_url, skin_color from players where id = p.player_id limit 1
			) c on true left join lateral (
				select points, rank from points_days where player_id = p.player_id and day <= @week_ago::date
				order by day desc limit 1
			) w on true
		order by p.value desc, p.player_id`
)

// Ranking implements leaderboard.RankingQueries.
func (s *Store) Ranking(
	ctx context.Context, r points.Ranking, page leaderboard.Page, thresholds points.Thresholds, now time.Time,
) (found leaderboard.RankingPage, err error) {
	args := argsOf(r)
	setFormula(args, thresholds)
	args["limit"], args["offset"], args["week_ago"] = page.Limit, page.Offset, weekAgo(now)
	batch := &pgx.Batch{}
	postgres.QueueRow(batch, pointsAsOfSQL, args, &found.AsOf)
	postgres.QueueRow(batch, rankingTotalSQL, args, &found.Total)
	postgres.QueueRows(batch, &found.Rows, scanRankingRow, rankingSQL, args)
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return leaderboard.RankingPage{}, fmt.Errorf("ranking %+v: %w", r, err)
	}
	found.Offset = int64(page.Offset)
	return found, nil
}

func scanRankingRow(row pgx.CollectableRow) (r leaderboard.RankingRow, err error) {
	err = row.Scan(&r.Player.ID, &r.Rank, &r.Player.Name, &r.Player.SkinImageURL, &r.Player.SkinColor,
		&r.Reached, &r.WeekAgo.Points, &r.WeekAgo.Rank)
	return r, err
}

const rowsAboveSQL = `
	select ranking_place(period, mode, kind, value) - 1 + (
		select count(*) from rankings e
		where e.period = @period and e.mode = @mode and e.kind = @kind and e.value = r.value and e.player_id < r.player_id)
	from rankings r
	where period = @period and mode = @mode and player_id = @player and kind = @kind`

// RowsAbove implements leaderboard.RankingQueries.
func (s *Store) RowsAbove(ctx context.Context, r points.Ranking, playerID string) (above int, err error) {
	args := argsOf(r)
	args["player"] = playerID
	err = s.db.QueryRow(ctx, rowsAboveSQL, args).Scan(&above)
	return above, postgres.ReadError(err, leaderboard.ErrPlayerUnranked,
		"place of player %s in ranking %+v", playerID, r)
}

const (
	// playerAsOfSQL has the changes of the player's maps, and those of players who may begin or cease to count there.
	playerAsOfSQL = `
		select coalesce(min(at), now()) from (
			(select at from points_changes where map_id is null order by at limit 1)
			union all
			select c.at from personal_bests b join points_changes c on c.map_id = b.map_id where b.player_id = @player
			union all
			` + otherFormulaSQL + `
		) c`
	playerCountsSQL = `
		select coalesce(p.counts, false), coalesce(t.hidden, false), coalesce(p.maps, 0), coalesce(p.authors, 0)
		from (values (@player::uuid)) as o (player_id)
			left join points_players p using (player_id) left join player_totals t using (player_id)`
	playerMapsSQL = `
		select m.id, m.name, m.game_mode, b.record_id, b.created_at, b.finish_time,
			p.opponents, p.slower, p.tied, p.points
		from record_points p
			join maps m on m.id = p.map_id
			join personal_bests b on b.map_id = p.map_id and b.player_id = p.player_id
		where p.player_id = @player and (@mode = '' or m.game_mode = @mode)
		order by p.points desc, p.map_id`
	playerReachedSQL = `
		select kind, value from rankings where period = 'all' and mode = @mode and player_id = @player`
	playerModesSQL = `
		select mode, value from rankings
		where player_id = @player and period = 'all' and mode <> '' and kind = 'points'
		order by value desc, mode`
	// pointsBeforeSQL selects what points were at the end of a day: at the beginning of the first day after it on
	// which they have changed.
	pointsBeforeSQL = `
		select distinct on (map_id) map_id, points from points_before
		where player_id = @player and day > @week_ago::date
		order by map_id, day`
	dayRankSQL = `
		select points, coalesce(rank, 0) from points_days where player_id = @player and day <= @week_ago::date
		order by day desc limit 1`
)

// PlayerStandings implements leaderboard.RankingQueries.
func (s *Store) PlayerStandings(
	ctx context.Context, playerID, mode string, thresholds points.Thresholds, now time.Time,
) (leaderboard.PlayerStandings, error) {
	of := leaderboard.PlayerStandings{WeekAgo: leaderboard.DayRank{Day: weekAgo(now)}}
	args := argsOf(points.Ranking{Period: points.AllTime, Mode: mode, Kind: points.ByPoints})
	args["player"], args["week_ago"] = playerID, of.WeekAgo.Day
	setFormula(args, thresholds)
	batch := &pgx.Batch{}
	postgres.QueueRow(batch, playerAsOfSQL, args, &of.AsOf)
	postgres.QueueRow(batch, playerCountsSQL, args, &of.Counts, &of.Hidden, &of.FinishedMaps, &of.Authors)
	postgres.QueueRows(batch, &of.Maps, scanMapStanding, playerMapsSQL, args)
	postgres.QueueMap(batch, (*map[points.Kind]int64)(&of.Reached), playerReachedSQL, args)
	postgres.QueueRows(batch, &of.Modes, pgx.RowToStructByPos[leaderboard.ModePoints], playerModesSQL, args)
	postgres.QueueRow(batch, rankingTotalSQL, args, &of.Ranked)
	postgres.QueueMap(batch, &of.Before, pointsBeforeSQL, args)
	batch.Queue(dayRankSQL, args).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&of.WeekAgo.Points, &of.WeekAgo.Rank}, func() error { return nil })
		return err
	})
	err := s.db.SendBatch(ctx, batch).Close()
	return of, postgres.Wrap(err, "points of player %s", playerID)
}

func scanMapStanding(row pgx.CollectableRow) (m leaderboard.MapStanding, err error) {
	err = row.Scan(&m.Map.ID, &m.Map.Name, &m.Map.Mode, &m.RecordID, &m.SetAt, &m.FinishTime,
		&m.Opponents, &m.Slower, &m.Tied, &m.Points)
	return m, err
}

const pointsPlaceSQL = `select ranking_place('all', @mode, 'points', @value)`

// PointsPlace implements leaderboard.RankingQueries.
func (s *Store) PointsPlace(ctx context.Context, mode string, value points.Tenths) (place int64, err error) {
	args := pgx.NamedArgs{"mode": mode, "value": int64(value)}
	err = s.db.QueryRow(ctx, pointsPlaceSQL, args).Scan(&place)
	return place, postgres.Wrap(err, "place of %d points", value)
}

const (
	pointsDaysAsOfSQL = `select (day + 1)::timestamp at time zone 'UTC' from points_state`
	pointsDaysSQL     = `
		select day, points, rank from (
			select day, points, coalesce(rank, 0) as rank from points_days
			where player_id = @player order by day desc limit @limit
		) d order by day`
)

// PointsDays implements leaderboard.RankingQueries.
func (s *Store) PointsDays(
	ctx context.Context, playerID string, limit int,
) (days []leaderboard.DayRank, asOf time.Time, err error) {
	args := pgx.NamedArgs{"player": playerID, "limit": limit}
	batch := &pgx.Batch{}
	postgres.QueueRow(batch, pointsDaysAsOfSQL, nil, &asOf)
	postgres.QueueRows(batch, &days, pgx.RowToStructByPos[leaderboard.DayRank], pointsDaysSQL, args)
	err = s.db.SendBatch(ctx, batch).Close()
	return days, asOf, postgres.Wrap(err, "days of player %s", playerID)
}

const (
	mapAsOfSQL = `
		select coalesce(min(at), now()) from (
			select at from points_changes where map_id = @map
			union all
			(select at from points_changes where map_id is null order by at limit 1)
			union all
			` + otherFormulaSQL + `
		) c`
	mapFinishersSQL = `select coalesce((select finishers from points_maps where map_id = @map), 0)`
)

// MapFinishers implements leaderboard.RankingQueries.
func (s *Store) MapFinishers(
	ctx context.Context, mapID string, thresholds points.Thresholds,
) (finishers int64, asOf time.Time, err error) {
	args := pgx.NamedArgs{"map": mapID}
	setFormula(args, thresholds)
	batch := &pgx.Batch{}
	postgres.QueueRow(batch, mapAsOfSQL, args, &asOf)
	postgres.QueueRow(batch, mapFinishersSQL, args, &finishers)
	err = s.db.SendBatch(ctx, batch).Close()
	return finishers, asOf, postgres.Wrap(err, "finishers of map %s", mapID)
}
