package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// removalEffectsSQL looks for the player's next-best record, which is before the removed one on the leaderboard where
// it is as fast and has an earlier time stamp: then no player moves up.
const removalEffectsSQL = `
	with asked as materialized (
		select r.id, r.map_id, r.player_id, r.finish_time, r.finished_at, ` + isActive + ` as active
		from records r
		where r.id = @record
	), best as materialized (
		select asked.* from asked
		where exists (
			select from personal_bests b
			where b.map_id = asked.map_id and b.player_id = asked.player_id and b.record_id = asked.id)
	), next_best as materialized (
		select n.* from best cross join lateral (
			select id, map_id, finish_time, finished_at from records
			where map_id = best.map_id and player_id = best.player_id and removed_at is null and id <> best.id
			order by finish_time, seq
			limit 1
		) n
	)
	select greatest(
			coalesce(
				(select leaderboard_rank(map_id, finish_time, finished_at, id) - 1 from next_best),
				(select players from map_totals where map_id = best.map_id))
			- leaderboard_rank(best.map_id, best.finish_time, best.finished_at, best.id), 0),
		exists (select from next_best)
	from asked left join best on best.active`

// successorSQL has a row where a record is the world record of its map. It looks for the one that would be it instead
// among the personal bests of the others and the player's next-best record: the fastest, and among equally fast ones
// the one that was accepted first.
const successorSQL = `
	with broken as materialized (
		select r.id, r.map_id, r.player_id from records r cross join lateral (
			select record_id from world_records where map_id = r.map_id order by finish_time limit 1
		) w
		where r.id = @record and w.record_id = r.id and ` + isActive + `
	), fastest as materialized (
		select f.* from broken cross join lateral (
			select map_id, finish_time from personal_bests
			where map_id = broken.map_id and player_id <> broken.player_id
			order by finish_time
			limit 1
		) f
	), successor as (
		select id, player_id, finish_time from (
			select n.* from broken cross join lateral (
				select id, player_id, finish_time, seq from records
				where map_id = broken.map_id and player_id = broken.player_id and removed_at is null and id <> broken.id
				order by finish_time, seq
				limit 1
			) n
			union all
			select r.id, r.player_id, r.finish_time, r.seq
			from fastest join personal_bests b on b.map_id = fastest.map_id and b.finish_time = fastest.finish_time
				join records r on r.id = b.record_id and r.player_id not in (select player_id from broken)
		) candidates
		order by finish_time, seq
		limit 1
	)
	select coalesce(s.id::text, ''), coalesce(s.finish_time, 0), coalesce(s.player_id::text, ''),
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, '')
	from broken left join successor s on true left join players p on p.id = s.player_id`

// restorationEffectsSQL has no row for a record that is not removed. Only a record that would count is in asked. The
// player's own row is not counted in its rank: the row is before it where it is as fast and has an earlier time stamp.
const restorationEffectsSQL = `
	with asked as materialized (
		select r.id, r.map_id, r.player_id, r.finish_time, r.finished_at, r.seq
		from records r
		where r.id = @record and r.removed_at is not null and r.map_id not in (select id from maps where removed)
			and r.player_id not in (select player_id from player_totals where hidden)
	), own as materialized (
		select b.map_id, b.finish_time, b.finished_at, b.record_id, o.seq
		from asked join personal_bests b on b.map_id = asked.map_id and b.player_id = asked.player_id
			join records o on o.id = b.record_id
	), best as materialized (
		select asked.*, leaderboard_rank(asked.map_id, asked.finish_time, asked.finished_at, asked.id) - case
			when (own.finish_time, own.finished_at, own.record_id) < (asked.finish_time, asked.finished_at, asked.id) then 1
			else 0 end as rank
		from asked left join own on true
		where own.seq is null or (asked.finish_time, asked.seq) < (own.finish_time, own.seq)
	), present as materialized (
		select p.id, p.finish_time, p.player_id, p.seq
		from asked cross join lateral (
			select record_id from world_records where map_id = asked.map_id order by finish_time limit 1
		) w join records p on p.id = w.record_id
	)
	select coalesce(best.rank, 0),
		greatest(coalesce(
				(select leaderboard_rank(map_id, finish_time, finished_at, record_id) from own),
				(select players + 1 from map_totals where map_id = best.map_id))
			- best.rank, 0),
		asked.id is not null and (present.id is null or (asked.finish_time, asked.seq) < (present.finish_time, present.seq)),
		coalesce(present.id::text, ''), coalesce(present.finish_time, 0), coalesce(present.player_id::text, ''),
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, '')
	from records r left join asked on true left join best on true left join present on true
		left join players p on p.id = present.player_id
	where r.id = @record and r.removed_at is not null`

// RemovalEffects implements leaderboard.EffectsQueries.
func (s *Store) RemovalEffects(ctx context.Context, recordID string) (leaderboard.RemovalEffects, error) {
	var effects leaderboard.RemovalEffects
	var successors []leaderboard.OtherRecord
	var restorations []leaderboard.RestorationEffects
	args := pgx.NamedArgs{"record": recordID}
	batch := &pgx.Batch{}
	postgres.QueueRow(batch, removalEffectsSQL, args, &effects.MovedUp, &effects.NextBest)
	postgres.QueueRows(batch, &successors, scanSuccessor, successorSQL, args)
	postgres.QueueRows(batch, &restorations, scanRestoration, restorationEffectsSQL, args)
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return leaderboard.RemovalEffects{}, postgres.ReadError(err, record.ErrRecordUnknown,
			"effects of removing record %s", recordID)
	}
	if len(successors) > 0 {
		effects.WorldRecord = true
		if successors[0].ID != "" {
			effects.Successor = &successors[0]
		}
	}
	if len(restorations) > 0 {
		effects.Restoration = &restorations[0]
	}
	return effects, nil
}

// successorTargets returns where the columns of a record with its player are scanned to.
func successorTargets(r *leaderboard.OtherRecord) []any {
	return []any{&r.ID, &r.FinishTime, &r.Player.ID, &r.Player.Name, &r.Player.SkinImageURL, &r.Player.SkinColor}
}

func scanSuccessor(row pgx.CollectableRow) (r leaderboard.OtherRecord, err error) {
	err = row.Scan(successorTargets(&r)...)
	return r, err
}

func scanRestoration(row pgx.CollectableRow) (effects leaderboard.RestorationEffects, err error) {
	var other leaderboard.OtherRecord
	err = row.Scan(append([]any{&effects.Rank, &effects.MovedDown, &effects.WorldRecord}, successorTargets(&other)...)...)
	if effects.WorldRecord && other.ID != "" {
		effects.Present = &other
	}
	return effects, err
}

// hidingEffectsSQL counts nothing on removed maps, of which not all rows may be deleted.
const hidingEffectsSQL = `
	with lost as materialized (
		select w.map_id, exists (
			select from personal_bests where map_id = w.map_id and player_id <> @player) as given_back
		from (select distinct map_id from world_records where player_id = @player) w cross join lateral (
			select player_id from world_records where map_id = w.map_id order by finish_time limit 1
		) present
		where present.player_id = @player and w.map_id not in (select id from maps where removed)
	)
	select coalesce(sum(b.records), 0), count(*), (select count(*) from lost), (select count(*) from lost where given_back)
	from personal_bests b
	where b.player_id = @player and b.map_id not in (select id from maps where removed)`

// showingEffectsSQL counts the records of a hidden player. Among equally fast records, the one that was accepted first
// is the world record.
const showingEffectsSQL = `
	with best as materialized (
		select distinct on (map_id) map_id, finish_time, seq
		from records
		where player_id = @player and removed_at is null and map_id not in (select id from maps where removed)
		order by map_id, finish_time, seq
	), regained as materialized (
		select present.id is not null as given_back
		from best left join lateral (
			select p.id, p.finish_time, p.seq
			from world_records w join records p on p.id = w.record_id
			where w.map_id = best.map_id
			order by w.finish_time
			limit 1
		) present on true
		where present.id is null or (best.finish_time, best.seq) < (present.finish_time, present.seq)
	)
	select (
			select count(*) from records
			where player_id = @player and removed_at is null and map_id not in (select id from maps where removed)),
		(select count(*) from best), (select count(*) from regained), (select count(*) from regained where given_back)`

// HidingEffects implements leaderboard.EffectsQueries.
func (s *Store) HidingEffects(ctx context.Context, playerID string) (effects leaderboard.HidingEffects, err error) {
	args := pgx.NamedArgs{"player": playerID}
	err = s.db.QueryRow(ctx, isHiddenSQL, playerID).Scan(&effects.Hidden)
	if err == nil {
		sql := hidingEffectsSQL
		if effects.Hidden {
			sql = showingEffectsSQL
		}
		err = s.db.QueryRow(ctx, sql, args).Scan(
			&effects.Records, &effects.Maps, &effects.WorldRecords, &effects.GivenBack)
	}
	return effects, postgres.Wrap(err, "effects of hiding player %s", playerID)
}

const (
	mapEffectsSQL = `
		select m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze, m.removed,
			coalesce(t.records, 0), coalesce(t.players, 0)
		from maps m left join map_totals t on t.map_id = m.id
		where m.id = @map`
	// restoredMapSQL counts the records that a removed map would have again.
	restoredMapSQL = `
		select count(*), count(distinct player_id) from records
		where map_id = @map and removed_at is null and player_id not in (select player_id from player_totals where hidden)`
	// countMedalsSQL counts the players who are not slower than each of the times. The last row of a finish time is
	// looked for, behind all that have it.
	countMedalsSQL = `
		select leaderboard_rank(@map, asked.finish_time, 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff') - 1 - (
			select count(*) from personal_bests
			where map_id = @map and player_id = @without and finish_time <= asked.finish_time)
		from unnest(@times::integer[]) with ordinality asked (finish_time, position)
		order by asked.position`
)

// MapEffects implements leaderboard.EffectsQueries.
func (s *Store) MapEffects(ctx context.Context, mapID string) (effects leaderboard.MapEffects, err error) {
	var medals racetime.Medals
	err = s.db.QueryRow(ctx, mapEffectsSQL, pgx.NamedArgs{"map": mapID}).Scan(
		&medals.Author, &medals.Gold, &medals.Silver, &medals.Bronze, &effects.Removed, &effects.Records, &effects.Players)
	switch {
	case err != nil:
		return effects, postgres.ReadError(err, record.ErrMapUnknown, "effects of removing map %s", mapID)
	case effects.Removed:
		err = s.db.QueryRow(ctx, restoredMapSQL, pgx.NamedArgs{"map": mapID}).Scan(&effects.Records, &effects.Players)
		return effects, postgres.Wrap(err, "effects of restoring map %s", mapID)
	}
	effects.Medals, err = s.CountMedals(ctx, mapID, medals, noID)
	return effects, err
}

// CountMedals implements leaderboard.EffectsQueries.
func (s *Store) CountMedals(
	ctx context.Context, mapID string, medals racetime.Medals, without string,
) (event.MedalCounts, error) {
	times := []int{medals.Author, medals.Gold, medals.Silver, medals.Bronze}
	reached, err := postgres.Collect(ctx, s.db, pgx.RowTo[int64], countMedalsSQL,
		pgx.NamedArgs{"map": mapID, "times": times, "without": without})
	if err != nil {
		return event.MedalCounts{}, fmt.Errorf("medals on map %s: %w", mapID, err)
	}
	return event.MedalCounts{
		Author: reached[0], Gold: reached[1] - reached[0], Silver: reached[2] - reached[1], Bronze: reached[3] - reached[2],
	}, nil
}
