package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/points"
)

const (
	countedPlayersSQL = `
		select o.player_id, coalesce(p.registered, false), coalesce(p.banned, false), coalesce(p.removed, false),
			b.maps, b.authors, coalesce(c.counts, false)
		from unnest(@players::uuid[]) as o (player_id)
			left join players p on p.id = o.player_id
			left join points_players c on c.player_id = o.player_id
			cross join lateral (
				select count(*) as maps, count(distinct m.author_id) as authors
				from personal_bests b join maps m on m.id = b.map_id and m.gives_points
				where b.player_id = o.player_id
			) b`
	writePlayersSQL = `
		merge into points_players p
		using unnest(@players::uuid[], @maps::integer[], @authors::integer[], @counts::boolean[])
			as c (player_id, maps, authors, counts)
		on p.player_id = c.player_id
		when matched and c.maps = 0 then delete
		when matched and (p.maps, p.authors, p.counts) <> (c.maps, c.authors, c.counts) then
			update set maps = c.maps, authors = c.authors, counts = c.counts
		when not matched and c.maps > 0 then
			insert (player_id, maps, authors, counts) values (c.player_id, c.maps, c.authors, c.counts)`
)

// countedPlayer is a player with whether the player counts.
type countedPlayer struct {
	ID string
	points.Player

	Counts bool
}

// countPlayers stores who counts of players, and returns those that begin or cease to.
func countPlayers(
	ctx context.Context, tx pgx.Tx, players []string, thresholds points.Thresholds,
) (turned []string, err error) {
	for ids := range slices.Chunk(players, pointsPlayersBatch) {
		counted, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[countedPlayer], countedPlayersSQL,
			pgx.NamedArgs{"players": ids})
		if err != nil {
			return nil, err
		}
		for i, p := range counted {
			counted[i].Counts = thresholds.Counts(p.Player)
			if counted[i].Counts != p.Counts {
				turned = append(turned, p.ID)
			}
		}
		_, err = tx.Exec(ctx, writePlayersSQL, pgx.NamedArgs{
			"players": postgres.Column(counted, func(p countedPlayer) string { return p.ID }),
			"maps":    postgres.Column(counted, func(p countedPlayer) int { return p.Maps }),
			"authors": postgres.Column(counted, func(p countedPlayer) int { return p.Authors }),
			"counts":  postgres.Column(counted, func(p countedPlayer) bool { return p.Counts }),
		})
		if err != nil {
			return nil, err
		}
	}
	return turned, nil
}

const (
	// countingBestsSQL selects the personal bests that earn points.
	countingBestsSQL = `
		select b.map_id, b.player_id, b.finish_time, w.record_id is not null
		from personal_bests b
			join maps m on m.id = b.map_id and m.gives_points
			join points_players c on c.player_id = b.player_id and c.counts
			left join (
				select distinct on (map_id) map_id, record_id from world_records
				where map_id = any (@maps) order by map_id, finish_time
			) w on w.map_id = b.map_id and w.record_id = b.record_id
		where b.map_id = any (@maps)`
	recordPointsSQL = `
		select map_id, player_id, opponents, slower, tied, points, world_record
		from record_points where map_id = any (@maps)`
	writeRecordPointsSQL = `
		merge into record_points p
		using unnest(@maps::uuid[], @players::uuid[], @counts::boolean[], @opponents::integer[], @slower::integer[],
				@tied::integer[], @points::integer[], @world_records::boolean[])
			as c (map_id, player_id, counts, opponents, slower, tied, points, world_record)
		on p.map_id = c.map_id and p.player_id = c.player_id
		when matched and not c.counts then delete
		when matched then update set
			opponents = c.opponents, slower = c.slower, tied = c.tied, points = c.points, world_record = c.world_record
		when not matched then
			insert (map_id, player_id, opponents, slower, tied, points, world_record)
			values (c.map_id, c.player_id, c.opponents, c.slower, c.tied, c.points, c.world_record)`
	// keepPointsSQL keeps what points were at the beginning of a day, which lasts until StoreDay has stored it.
	keepPointsSQL = `
		insert into points_before (map_id, player_id, day, points)
		select c.map_id, c.player_id, greatest(s.day + 1, @today::date - 1), c.before
		from unnest(@maps::uuid[], @players::uuid[], @before::integer[], @points::integer[])
				as c (map_id, player_id, before, points)
			cross join points_state s
		where c.before <> c.points
		on conflict do nothing`
	writePointsMapsSQL = `
		insert into points_maps (map_id, finishers, due_at)
		select * from unnest(@maps::uuid[], @finishers::integer[], @due_at::timestamptz[])
		on conflict (map_id) do update set finishers = excluded.finishers, due_at = excluded.due_at`
)

// computeMaps stores the points on maps. It returns them, and how they differ from those before.
func computeMaps(
	ctx context.Context, tx pgx.Tx, maps []string, thresholds points.Thresholds, now time.Time,
) ([]points.Change, map[points.Key]points.Standing, error) {
	before, after, err := readStandings(ctx, tx, maps, thresholds)
	if err != nil {
		return nil, nil, err
	}
	changes := points.Compare(before, after)
	batch := &pgx.Batch{}
	batch.Queue(writeRecordPointsSQL, recordPointsArgs(changes, now))
	batch.Queue(writePointsMapsSQL, pointsMapsArgs(maps, after, now))
	return changes, after, tx.SendBatch(ctx, batch).Close()
}

// readStandings returns what is stored of maps, and what their personal bests earn.
func readStandings(
	ctx context.Context, tx pgx.Tx, maps []string, thresholds points.Thresholds,
) (before, after map[points.Key]points.Standing, err error) {
	args := pgx.NamedArgs{"maps": maps}
	bests, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[points.PersonalBest], countingBestsSQL, args)
	if err != nil {
		return nil, nil, err
	}
	type stored struct {
		points.Key
		points.Standing
	}
	all, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[stored], recordPointsSQL, args)
	before = map[points.Key]points.Standing{}
	for _, s := range all {
		before[s.Key] = s.Standing
	}
	return before, thresholds.Standings(bests), err
}

// recordPointsArgs returns the arguments of writeRecordPointsSQL and keepPointsSQL.
func recordPointsArgs(changes []points.Change, now time.Time) pgx.NamedArgs {
	return pgx.NamedArgs{
		"today":         now.UTC(),
		"maps":          postgres.Column(changes, func(c points.Change) string { return c.MapID }),
		"players":       postgres.Column(changes, func(c points.Change) string { return c.PlayerID }),
		"counts":        postgres.Column(changes, func(c points.Change) bool { return c.Counts }),
		"opponents":     postgres.Column(changes, func(c points.Change) int64 { return c.After.Opponents }),
		"slower":        postgres.Column(changes, func(c points.Change) int64 { return c.After.Slower }),
		"tied":          postgres.Column(changes, func(c points.Change) int64 { return c.After.Tied }),
		"before":        postgres.Column(changes, func(c points.Change) int64 { return int64(c.Before.Points) }),
		"points":        postgres.Column(changes, func(c points.Change) int64 { return int64(c.After.Points) }),
		"world_records": postgres.Column(changes, func(c points.Change) bool { return c.After.IsWorldRecord }),
	}
}

func pointsMapsArgs(maps []string, standings map[points.Key]points.Standing, now time.Time) pgx.NamedArgs {
	finishers := map[string]int{}
	for key := range standings {
		finishers[key.MapID]++
	}
	dueAt := make([]*time.Time, len(maps))
	for i, id := range maps {
		if interval := points.Interval(finishers[id]); interval > 0 {
			dueAt[i] = new(now.Add(interval))
		}
	}
	return pgx.NamedArgs{
		"maps": maps, "finishers": postgres.Column(maps, func(id string) int { return finishers[id] }), "due_at": dueAt,
	}
}
