package postgres

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/points"
)

const (
	// finishesSQL selects what players that count have finished.
	finishesSQL = `
		select b.player_id, m.game_mode, coalesce(p.points, 0), coalesce(p.world_record, false),
			b.created_at, b.finish_time, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze
		from personal_bests b
			join points_players c on c.player_id = b.player_id and c.counts
			join maps m on m.id = b.map_id and m.gives_points
			left join record_points p on p.map_id = b.map_id and p.player_id = b.player_id
		where b.player_id = any (@players)`
	entriesSQL = `
		select period, mode, kind, player_id, value from rankings
		where player_id = any (@players) and period in ('all', @month)`
	writeEntriesSQL = `
		merge into rankings r
		using unnest(@periods::text[], @modes::text[], @kinds::text[], @players::uuid[], @values::bigint[])
			as c (period, mode, kind, player_id, value)
		on r.period = c.period and r.mode = c.mode and r.player_id = c.player_id and r.kind = c.kind
		when matched and c.value = 0 then delete
		when matched then update set value = c.value
		when not matched then
			insert (period, mode, player_id, kind, value) values (c.period, c.mode, c.player_id, c.kind, c.value)`
	// writeRankingCountsSQL counts how the numbers of players with each value, and in each thousand, change.
	writeRankingCountsSQL = `
		merge into ranking_counts r
		using (
			select c.period, c.mode, c.kind, step, v.value / step * step as value, sum(v.players) as change
			from unnest(@periods::text[], @modes::text[], @kinds::text[], @before::bigint[], @values::bigint[])
					as c (period, mode, kind, before, value)
				cross join lateral (values (c.before, -1), (c.value, 1)) as v (value, players)
				cross join (values (1), (1000)) as steps (step)
			where v.value > 0
			group by 1, 2, 3, 4, 5
			having sum(v.players) <> 0
		) c
		on r.period = c.period and r.mode = c.mode and r.kind = c.kind and r.step = c.step and r.value = c.value
		when matched and r.players + c.change = 0 then delete
		when matched then update set players = r.players + c.change
		when not matched then
			insert (period, mode, kind, step, value, players)
			values (c.period, c.mode, c.kind, c.step, c.value, c.change)`
	// ranksSQL selects the ranks of values that are in the ranking by points, and 0 for a value of 0.
	ranksSQL = `
		with thousands as materialized (
			select value, sum(players) over (order by value desc) - players as above
			from ranking_counts
			where period = 'all' and mode = '' and kind = 'points' and step = 1000
		)
		select coalesce(1 + t.above + coalesce((
			select sum(players) from ranking_counts
			where period = 'all' and mode = '' and kind = 'points' and step = 1
				and value > v.value and value < t.value + 1000), 0), 0)::bigint
		from unnest(@values::bigint[]) with ordinality as v (value, position)
			left join thousands t on v.value > 0 and t.value = v.value / 1000 * 1000
		order by v.position`
)

// computeRankings stores what players have reached, and publishes whose points have changed.
func computeRankings(ctx context.Context, tx pgx.Tx, players []string, now time.Time) error {
	for ids := range slices.Chunk(players, pointsPlayersBatch) {
		before, after, err := readEntries(ctx, tx, ids, now)
		if err != nil {
			return err
		}
		changes := points.CompareEntries(before, after)
		err = postgres.ExecBatch(ctx, tx, pgx.NamedArgs{
			"periods": postgres.Column(changes, func(c points.EntryChange) string { return c.Period }),
			"modes":   postgres.Column(changes, func(c points.EntryChange) string { return c.Mode }),
			"kinds":   postgres.Column(changes, func(c points.EntryChange) string { return string(c.Kind) }),
			"players": postgres.Column(changes, func(c points.EntryChange) string { return c.PlayerID }),
			"before":  postgres.Column(changes, func(c points.EntryChange) int64 { return c.Before }),
			"values":  postgres.Column(changes, func(c points.EntryChange) int64 { return c.After }),
		}, writeEntriesSQL, writeRankingCountsSQL)
		if err != nil {
			return err
		}
		if err := publishRanks(ctx, tx, changes, now); err != nil {
			return err
		}
	}
	return nil
}

// readEntries returns what is stored of players, and what they have reached.
func readEntries(
	ctx context.Context, tx pgx.Tx, players []string, now time.Time,
) (before, after map[points.Entry]int64, err error) {
	args := pgx.NamedArgs{"players": players, "month": points.MonthName(now)}
	finishes, err := postgres.Collect(ctx, tx, scanFinishOfPlayer, finishesSQL, args)
	if err != nil {
		return nil, nil, err
	}
	type stored struct {
		points.Entry
		Value int64
	}
	all, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[stored], entriesSQL, args)
	before = map[points.Entry]int64{}
	for _, s := range all {
		before[s.Entry] = s.Value
	}
	return before, points.Entries(finishes, now), err
}

func scanFinishOfPlayer(row pgx.CollectableRow) (f points.Finish, err error) {
	var finishTime int
	var medals racetime.Medals
	err = row.Scan(&f.PlayerID, &f.Mode, &f.Points, &f.IsWorldRecord, &f.CreatedAt,
		&finishTime, &medals.Author, &medals.Gold, &medals.Silver, &medals.Bronze)
	f.Medal = medals.Of(finishTime)
	return f, err
}

// publishRanks publishes whose points in all maps have changed, those with the greatest change first, with their ranks.
func publishRanks(ctx context.Context, tx pgx.Tx, changes []points.EntryChange, now time.Time) error {
	var players []event.RankedPlayer
	for _, c := range changes {
		if c.Ranking == (points.Ranking{Period: points.AllTime, Kind: points.ByPoints}) {
			players = append(players, event.RankedPlayer{PlayerID: c.PlayerID, Before: c.Before, After: c.After})
		}
	}
	if len(players) == 0 {
		return nil
	}
	change := func(p event.RankedPlayer) int64 { return max(p.After-p.Before, p.Before-p.After) }
	slices.SortFunc(players, func(a, b event.RankedPlayer) int {
		return cmp.Or(cmp.Compare(change(b), change(a)), cmp.Compare(a.PlayerID, b.PlayerID))
	})
	values := postgres.Column(players, func(p event.RankedPlayer) int64 { return p.After })
	ranks, err := postgres.Collect(ctx, tx, pgx.RowTo[int64], ranksSQL, pgx.NamedArgs{"values": values})
	if err != nil {
		return err
	}
	for i, rank := range ranks {
		players[i].Rank = rank
	}
	var facts []outbox.Event
	for some := range slices.Chunk(players, event.MaxRankedPlayers) {
		facts = append(facts, event.RankingChanged{Players: some, At: now})
	}
	return outbox.Append(ctx, tx, facts...)
}
