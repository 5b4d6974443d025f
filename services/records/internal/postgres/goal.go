package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

const candidatesSQL = `
	select m.id, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze, b.finish_time,
		coalesce(above.finish_time, 0),
		m.id in (select map_id from goals_put_aside where player_id = @player and until > @now)
	from personal_bests b
		join maps m on m.id = b.map_id and not m.removed and not m.superseded
		left join lateral (
			select a.finish_time from personal_bests a
			where a.map_id = b.map_id
				and (a.finish_time, a.finished_at, a.record_id) < (b.finish_time, b.finished_at, b.record_id)
			order by a.finish_time desc, a.finished_at desc, a.record_id desc
			limit 1
		) above on true
	where b.player_id = @player`

// Candidates implements leaderboard.GoalStore.
func (s *Store) Candidates(ctx context.Context, playerID string, now time.Time) ([]leaderboard.Candidate, error) {
	candidates, err := postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (c leaderboard.Candidate, err error) {
		err = row.Scan(&c.MapID, &c.Medals.Author, &c.Medals.Gold, &c.Medals.Silver, &c.Medals.Bronze,
			&c.FinishTime, &c.Above, &c.PutAside)
		return c, err
	}, candidatesSQL, pgx.NamedArgs{"player": playerID, "now": now})
	return candidates, postgres.Wrap(err, "personal bests of player %s", playerID)
}

// completeGoalsSQL ranks a time as that of a new record, which has a later time stamp than all others.
const completeGoalsSQL = `
	select m.name, m.game_mode, leaderboard_rank(m.id, b.finish_time, b.finished_at, b.record_id),
		leaderboard_rank(m.id, asked.target, 'infinity', b.record_id), asked.position
	from unnest(@maps::uuid[], @targets::int[]) with ordinality as asked (id, target, position)
		join maps m on m.id = asked.id and not m.removed
		cross join lateral (
			select finish_time, finished_at, record_id from personal_bests
			where map_id = m.id and player_id = @player
			limit 1
		) b
	order by asked.position`

// CompleteGoals implements leaderboard.GoalStore.
func (s *Store) CompleteGoals(
	ctx context.Context, playerID string, goals []leaderboard.Goal,
) ([]leaderboard.Goal, error) {
	completed, err := postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (leaderboard.Goal, error) {
		var name, mode string
		var rank, targetRank, position int64
		if err := row.Scan(&name, &mode, &rank, &targetRank, &position); err != nil {
			return leaderboard.Goal{}, err
		}
		goal := goals[position-1]
		goal.Map.Name, goal.Map.Mode, goal.Rank = name, mode, rank
		if goal.Target.Medal == "" {
			goal.Target.Rank = targetRank
		}
		return goal, nil
	}, completeGoalsSQL, pgx.NamedArgs{
		"player":  playerID,
		"maps":    postgres.Column(goals, func(g leaderboard.Goal) string { return g.Map.ID }),
		"targets": postgres.Column(goals, func(g leaderboard.Goal) int { return g.Target.FinishTime }),
	})
	return completed, postgres.Wrap(err, "goals of player %s", playerID)
}

const (
	// easyMapColumns are the columns of scanEasyMap.
	easyMapColumns = `m.id, m.name, m.game_mode, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze`
	// easiestMapsSQL has the constant leaderboard.MaxGoals, so that the planner expects few rows and reads the index in
	// order.
	easiestMapsSQL = `
		select ` + easyMapColumns + `
		from map_totals t join maps m on m.id = t.map_id and not m.removed and not m.superseded
		order by t.enough_players desc, t.bronze_share desc, t.fastest, t.map_id
		limit 5`
	// easiestUnplayedSQL goes by records, because the personal bests of a hidden player are not there.
	easiestUnplayedSQL = `
		with easiest as materialized (
			select t.*
			from map_totals t join maps m on m.id = t.map_id and not m.removed and not m.superseded
			where not exists (
					select from records r
					where r.map_id = t.map_id and r.player_id = @player and r.removed_at is null)
				and not exists (
					select from goals_put_aside p
					where p.player_id = @player and p.map_id = t.map_id and p.until > @now)
			order by t.enough_players desc, t.bronze_share desc, t.fastest, t.map_id
			limit 5
		), put_aside as materialized (
			select t.*
			from goals_put_aside p
				join map_totals t on t.map_id = p.map_id
				join maps m on m.id = t.map_id and not m.removed and not m.superseded
			where p.player_id = @player and not exists (select from easiest) and not exists (
				select from records r
				where r.map_id = t.map_id and r.player_id = @player and r.removed_at is null)
			order by t.enough_players desc, t.bronze_share desc, t.fastest, t.map_id
			limit 5
		)
		select ` + easyMapColumns + `
		from (select * from easiest union all select * from put_aside) t join maps m on m.id = t.map_id
		order by t.enough_players desc, t.bronze_share desc, t.fastest, t.map_id`
)

// EasiestMaps implements leaderboard.GoalStore.
func (s *Store) EasiestMaps(ctx context.Context) ([]record.Map, error) {
	easiest, err := postgres.Collect(ctx, s.db, scanEasyMap, easiestMapsSQL)
	return easiest, postgres.Wrap(err, "easiest maps")
}

// EasiestUnplayed implements leaderboard.GoalStore.
func (s *Store) EasiestUnplayed(ctx context.Context, playerID string, now time.Time) ([]record.Map, error) {
	easiest, err := postgres.Collect(ctx, s.db, scanEasyMap,
		easiestUnplayedSQL, pgx.NamedArgs{"player": playerID, "now": now})
	return easiest, postgres.Wrap(err, "easiest maps for player %s", playerID)
}

func scanEasyMap(row pgx.CollectableRow) (m record.Map, err error) {
	err = row.Scan(&m.ID, &m.Name, &m.Mode, &m.Medals.Author, &m.Medals.Gold, &m.Medals.Silver, &m.Medals.Bronze)
	return m, err
}

const (
	putAsideSQL = `
		insert into goals_put_aside as p (player_id, map_id, until) values (@player, @map, @until)
		on conflict (player_id, map_id) do update set until = greatest(p.until, excluded.until)`
	takeUpSQL = `delete from goals_put_aside where player_id = @player and map_id = @map`
)

// PutAside implements leaderboard.GoalStore.
func (s *Store) PutAside(ctx context.Context, by access.Attribution, mapID string, until time.Time) error {
	return s.changeGoal(ctx, by, putAsideSQL, pgx.NamedArgs{"map": mapID, "until": until})
}

// TakeUp implements leaderboard.GoalStore.
func (s *Store) TakeUp(ctx context.Context, by access.Attribution, mapID string) error {
	return s.changeGoal(ctx, by, takeUpSQL, pgx.NamedArgs{"map": mapID})
}

// changeGoal runs a statement for the actor, or for whom the actor was merged into. It returns access.ErrDeleted.
func (s *Store) changeGoal(ctx context.Context, by access.Attribution, sql string, args pgx.NamedArgs) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		player, err := copies.LockWriter(ctx, tx, by.Actor.ID)
		if err != nil {
			return err
		}
		args["player"] = player
		_, err = tx.Exec(ctx, sql, args)
		return err
	})
	return postgres.Wrap(err, "goal %s of player %s", args["map"], by.Actor.ID)
}
