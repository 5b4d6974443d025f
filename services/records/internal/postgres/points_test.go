package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

// someThresholds are low, so that small communities have players that count and maps that give points.
var someThresholds = points.Thresholds{Finishers: 3, Maps: 3, Authors: 2}

// noon is on the day of the records.
var noon = day.Add(12 * time.Hour)

// computePoints computes all that waits.
func (w *world) computePoints(thresholds points.Thresholds, now time.Time) {
	w.t.Helper()
	pgtest.Exec(w.t, w.pool, `update points_state set formula_version = $1, finishers = $2, maps = $3, authors = $4`,
		points.Version, thresholds.Finishers, thresholds.Maps, thresholds.Authors)
	for {
		computed, err := w.ComputePoints(w.t.Context(), thresholds, now)
		w.must(err)
		if computed == (points.Computed{}) {
			break
		}
	}
	if waiting := pgtest.Value[int](w.t, w.pool, `select count(*) from points_changes`); waiting != 0 {
		w.t.Fatalf("%d changes wait", waiting)
	}
}

// community is a small site, with everything that changes points.
type community struct {
	*world
	random  *rand.Rand
	batch   *pgx.Batch // of inserts
	maps    []record.Map
	players []record.Player
	records []record.Record
}

// newCommunity has maps of a few authors, players of whom some are not registered, and records with many equal times.
func (w *world) newCommunity(random *rand.Rand, batch *pgx.Batch) *community {
	w.t.Helper()
	c := &community{world: w, random: random, batch: batch}
	for range 3 + random.IntN(4) {
		w.made++
		m := record.Map{
			ID: newID(), Version: 1, Name: "map", Mode: []string{"Classic", "Grapple"}[random.IntN(2)],
			GameMapID: int64(1000 + w.made), MapVersion: 1, Fingerprint: "f00d", AuthorID: authors[random.IntN(len(authors))],
		}
		if random.IntN(2) == 0 {
			m.Medals = racetime.Medals{Author: 1100, Gold: 1300, Silver: 1500, Bronze: 1700}
		}
		w.must(w.ApplyMap(w.t.Context(), m))
		c.maps = append(c.maps, m)
	}
	for i := range 3 + random.IntN(6) {
		p := record.Player{ID: newID(), Version: 1, Name: fmt.Sprint("p", i), Registered: random.IntN(10) > 0}
		w.must(w.ApplyPlayer(w.t.Context(), p))
		c.players = append(c.players, p)
	}
	for _, p := range c.players {
		for _, m := range c.maps {
			if random.IntN(4) > 0 {
				c.records = append(c.records, c.someRecord(m, p))
			}
		}
	}
	c.insert(c.records)
	return c
}

// insert inserts records, each its player's first on its map.
func (c *community) insert(all []record.Record) {
	c.t.Helper()
	for _, r := range all {
		c.batch.Queue(`
			with inserted as (
				insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at,
					checks_hash, map_data_hash)
				values ($1, $2, $3, $4, $5, $6, $7, '', '')
			), of_map as (
				update map_totals set records = records + 1, version = version + 1 where map_id = $2
			), of_player as (
				insert into player_totals as t (player_id, version, records) values ($3, 1, 1)
				on conflict (player_id) do update set records = t.records + 1, version = t.version + 1
			)
			insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
			values ($2, $3, $1, $4, $5, $7, 1)`,
			r.ID, r.MapID, r.PlayerID, r.FinishTime, r.FinishTimeStamp, r.ReplayHash, r.CreatedAt)
	}
}

var authors = []string{newID(), newID(), newID()}

// someRecord makes a record of this month or the month before.
func (c *community) someRecord(m record.Map, p record.Player) record.Record {
	r := c.record(m, p, 1000+c.random.IntN(25)*33)
	if c.random.IntN(3) == 0 {
		r.CreatedAt = r.CreatedAt.AddDate(0, -1, 0)
	}
	return r
}

func (c *community) submitSome(m record.Map, p record.Player) {
	c.t.Helper()
	r := c.someRecord(m, p)
	if _, err := c.submit(r); err == nil {
		c.records = append(c.records, r)
	}
}

// mergeSome merges a player into another, of whom neither was merged before.
func (c *community) mergeSome() {
	c.t.Helper()
	from, into := &c.players[c.random.IntN(len(c.players))], c.players[c.random.IntN(len(c.players))]
	if from.ID == into.ID || from.Removed || into.Removed {
		return
	}
	c.merge(*from, into)
	*from = tombstone(*from, into)
}

// change changes something, and returns what undoes it, or nil.
func (c *community) change() (undo func()) {
	c.t.Helper()
	player := &c.players[c.random.IntN(len(c.players))]
	m := &c.maps[c.random.IntN(len(c.maps))]
	applyMap := func() { m.Version++; c.must(c.ApplyMap(c.t.Context(), *m)) }
	applyPlayer := func() { player.Version++; c.must(c.ApplyPlayer(c.t.Context(), *player)) }
	switch c.random.IntN(11) {
	case 0, 1:
		before := len(c.records)
		if c.submitSome(*m, *player); len(c.records) == before {
			return nil
		}
		r := c.records[before]
		return func() { c.remove(r) }
	case 2, 3:
		r := c.records[c.random.IntN(len(c.records))]
		if pgtest.Value[bool](c.t, c.pool, `select removed_at is not null from records where id = $1`, r.ID) {
			return nil
		}
		c.remove(r)
		return func() { c.restore(r) }
	case 4:
		if c.setHidden(*player, true) != nil {
			return nil
		}
		return func() { c.must(c.setHidden(*player, false)) }
	case 5:
		player.Banned = !player.Banned
		applyPlayer()
		return func() { player.Banned = !player.Banned; applyPlayer() }
	case 9:
		player.Registered = !player.Registered
		applyPlayer()
		return func() { player.Registered = !player.Registered; applyPlayer() }
	case 6:
		m.Removed = !m.Removed
		applyMap()
		return func() { m.Removed = !m.Removed; applyMap() }
	case 7:
		m.Superseded = !m.Superseded
		applyMap()
		return func() { m.Superseded = !m.Superseded; applyMap() }
	case 8:
		m.Unranked = !m.Unranked
		applyMap()
		return func() { m.Unranked = !m.Unranked; applyMap() }
	default:
		author, medals, mode := m.AuthorID, m.Medals, m.Mode
		m.AuthorID, m.Medals, m.Mode = authors[c.random.IntN(len(authors))], racetime.Medals{Author: 1200}, "Classic"
		applyMap()
		return func() { m.AuthorID, m.Medals, m.Mode = author, medals, mode; applyMap() }
	}
}

// pointsOf returns the rows of points and rankings of players, as text.
func (w *world) pointsOf(players []record.Player) []string {
	w.t.Helper()
	return pgtest.Value[[]string](w.t, w.pool, `
		select coalesce(array_agg(line order by line collate "C"), '{}') from (
			select format('%s %s m=%s slower=%s tied=%s points=%s %s', map_id, player_id, opponents, slower, tied, points,
				world_record) as line
			from record_points where player_id = any ($1::uuid[])
			union all
			select format('%s %s %s %s %s', period, mode, player_id, kind, value)
			from rankings where player_id = any ($1::uuid[])
		) l`, ids(players))
}

func ids(players []record.Player) (all []string) {
	for _, p := range players {
		all = append(all, p.ID)
	}
	return all
}

// TestPoints_against_model changes random communities in random sequences, and compares points and rankings with
// those that a naive model computes from all records. Then it undoes the changes, and compares with what was there
// before, byte for byte. At last it merges players, between other changes, which cannot be undone. After each step the
// last facts of all players have their points.
func TestPoints_against_model(t *testing.T) {
	t.Parallel()
	const worlds, rounds, communities = 3, 2, 12
	for i := range worlds {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			w, published := setup(t), rankingFacts{}
			random := rand.New(rand.NewPCG(27, uint64(i)))
			for range rounds {
				w.compareCommunities(random, communities, published)
			}
			w.wantRankingCounts()
			if n := pgtest.Value[int](t, w.pool, `select count(*) from rankings where kind = 'points'`); n < rounds*communities {
				t.Errorf("only %d totals of points", n)
			}
		})
	}
}

// compareCommunities makes communities, changes them and undoes the changes.
func (w *world) compareCommunities(random *rand.Rand, n int, published rankingFacts) {
	w.t.Helper()
	batch := &pgx.Batch{}
	all := make([]*community, n)
	before := make([][]string, n)
	for i := range all {
		all[i] = w.newCommunity(random, batch)
	}
	w.must(w.pool.SendBatch(w.t.Context(), batch).Close())
	w.computePoints(someThresholds, noon)
	var undos []func()
	for i, c := range all {
		before[i] = w.pointsOf(c.players)
		c.compare(before[i], "at the beginning")
		for range 1 + random.IntN(6) {
			if undo := c.change(); undo != nil {
				undos = append(undos, undo)
			}
			if random.IntN(8) == 0 { // as the service may do at any time
				_, err := w.ComputePoints(w.t.Context(), someThresholds, noon)
				w.must(err)
			}
		}
	}
	w.computePoints(someThresholds, noon)
	published.follow(w)
	for _, c := range all {
		c.compare(w.pointsOf(c.players), "after changes")
	}
	for _, undo := range slices.Backward(undos) {
		undo()
	}
	w.computePoints(someThresholds, noon)
	published.follow(w)
	for i, c := range all {
		if diff := gocmp.Diff(before[i], w.pointsOf(c.players), cmpopts.EquateEmpty()); diff != "" {
			w.t.Fatalf("after everything was undone (-before +after):\n%s", diff)
		}
	}
	for _, c := range all {
		for range 1 + random.IntN(3) {
			c.mergeSome()
			c.change()
		}
	}
	w.computePoints(someThresholds, noon)
	published.follow(w)
	for _, c := range all {
		c.compare(w.pointsOf(c.players), "after merges")
	}
}

// compare compares the points of a community with those that the model computes from all records.
func (c *community) compare(got []string, when string) {
	c.t.Helper()
	if diff := gocmp.Diff(c.model(someThresholds, noon), got, cmpopts.EquateEmpty()); diff != "" {
		c.t.Fatalf("points %s (-want +got):\n%s", when, diff)
	}
}

// wantRankingCounts compares the counts of values with the rankings.
func (w *world) wantRankingCounts() {
	w.t.Helper()
	if n := pgtest.Value[int](w.t, w.pool, `
		select count(*) from ranking_counts c full join (
			select period, mode, kind, step, value / step * step as value, count(*) as players
			from rankings cross join (values (1), (1000)) as steps (step) group by 1, 2, 3, 4, 5
		) r using (period, mode, kind, step, value)
		where c.players is distinct from r.players`); n != 0 {
		w.t.Errorf("%d counts of rankings are wrong", n)
	}
}

// smallSite has maps of different authors, and players who finish all of them in the order of their names.
func (w *world) smallSite(maps, players int) (all []record.Map, of []record.Player) {
	w.t.Helper()
	c := &community{world: w, batch: &pgx.Batch{}}
	var inserted []record.Record
	for range maps {
		w.made++
		m := record.Map{
			ID: newID(), Version: 1, Name: fmt.Sprint("map ", w.made), Mode: "Classic", GameMapID: int64(w.made),
			MapVersion: 1, Fingerprint: "f00d", AuthorID: newID(),
		}
		w.must(w.ApplyMap(w.t.Context(), m))
		all = append(all, m)
	}
	for i := range players {
		p := w.newPlayer(fmt.Sprintf("p%03d", i))
		of = append(of, p)
		for _, m := range all {
			inserted = append(inserted, w.record(m, p, 1000+33*i))
		}
	}
	c.insert(inserted)
	w.must(w.pool.SendBatch(w.t.Context(), c.batch).Close())
	return all, of
}

// rankingLines returns a ranking as "rank player value" lines.
func (w *world) rankingLines(r points.Ranking, page leaderboard.Page, now time.Time) (lines []string) {
	w.t.Helper()
	found, err := w.Ranking(w.t.Context(), r, page, someThresholds, now)
	w.must(err)
	for _, row := range found.Rows {
		lines = append(lines, fmt.Sprint(row.Rank, " ", row.Player.Name, " ", row.Reached[r.Kind]))
	}
	return lines
}

// The month begins and ends at midnight in UTC, and the last minute of the month before is not in it.
func TestStore_Ranking_month(t *testing.T) {
	t.Parallel()
	w := setup(t)
	maps, players := w.smallSite(3, 4)
	june := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for i, at := range []time.Time{june.Add(-time.Millisecond), june, june.AddDate(0, 1, 0).Add(-time.Millisecond)} {
		r := w.record(maps[i], players[3], 900)
		r.CreatedAt = at
		_, err := w.submit(r)
		w.must(err)
	}
	for _, tt := range []struct {
		now  time.Time
		want []string
	}{
		{june.Add(-time.Second), []string{"1 p000 3", "1 p001 3", "1 p002 3", "4 p003 1"}},
		{june, []string{"1 p003 2"}},
		{june.AddDate(0, 1, 0).Add(-time.Second), []string{"1 p003 2"}},
		{june.AddDate(0, 1, 0), nil},
	} {
		w.must(w.RebuildPoints(t.Context(), someThresholds, tt.now))
		// All records but those of June are of May 11.
		ofMonth := points.Ranking{Period: points.MonthName(tt.now), Kind: points.ByFinished}
		got := w.rankingLines(ofMonth, leaderboard.Page{Limit: 10}, tt.now)
		slices.Sort(got)
		if diff := gocmp.Diff(tt.want, got); diff != "" {
			t.Errorf("at %v (-want +got):\n%s", tt.now, diff)
		}
	}
	_, err := w.StoreDay(t.Context(), june.AddDate(0, 1, 0))
	w.must(err)
	if got := pgtest.Value[string](t, w.pool, `select string_agg(distinct period, ' ') from rankings`); got != "all" {
		t.Errorf("in July there are rankings of the periods %s", got)
	}
	w.wantRankingCounts()
}

// Equal values share a place, and pages begin at any offset.
func TestStore_Ranking_pages(t *testing.T) {
	t.Parallel()
	w := setup(t)
	pgtest.Exec(t, w.pool, `
		insert into rankings (period, mode, player_id, kind, value)
		select 'all', '', ('01970000-0000-7000-8000-0bbb' || lpad(to_hex(n), 8, '0'))::uuid, 'points', 1 + n * n % 997 * 7
		from generate_series(1, 5000) n`)
	pgtest.Exec(t, w.pool, `
		insert into ranking_counts (period, mode, kind, step, value, players)
		select period, mode, kind, step, value / step * step, count(*)
		from rankings cross join (values (1), (1000)) as steps (step) group by 1, 2, 3, 4, 5`)
	type row struct {
		PlayerID string
		Rank     int64
	}
	want := pgtest.Rows[row](t, w.pool, `
		select player_id::text, rank() over (order by value desc) as rank from rankings order by value desc, player_id`)
	ranking := points.Ranking{Period: points.AllTime, Kind: points.ByPoints}
	for _, offset := range []int{0, 1, 49, 50, 777, 2500, 4990, 4999, 5000, 9000} {
		page, err := w.Ranking(t.Context(), ranking, leaderboard.Page{Offset: offset, Limit: 20}, someThresholds, noon)
		w.must(err)
		var got []row
		for _, r := range page.Rows {
			got = append(got, row{r.Player.ID, r.Rank})
		}
		from := min(offset, len(want))
		if diff := gocmp.Diff(want[from:min(from+20, len(want))], got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("offset %d (-want +got):\n%s", offset, diff)
		}
		if page.Total != 5000 {
			t.Errorf("the total is %d", page.Total)
		}
		if len(got) > 0 {
			above, err := w.RowsAbove(t.Context(), ranking, got[0].PlayerID)
			if err != nil || above != offset {
				t.Errorf("%d rows are above the row at offset %d, %v", above, offset, err)
			}
		}
	}
}

// A day is stored once, for those whose points or rank have changed.
func TestStore_StoreDay(t *testing.T) {
	t.Parallel()
	w := setup(t)
	maps, players := w.smallSite(3, 4)
	w.computePoints(someThresholds, noon)
	store := func(now time.Time, want int) {
		t.Helper()
		got, err := w.StoreDay(t.Context(), now)
		if w.must(err); got != want {
			t.Errorf("at %v the days of %d players are stored, want %d", now, got, want)
		}
	}
	midnight := day.AddDate(0, 0, 1)
	store(midnight, 4)
	store(midnight.Add(time.Hour), 0)
	store(midnight.AddDate(0, 0, 1), 0)
	w.submitted(maps[0], players[3], 500) // from the 4th place to the first
	w.computePoints(someThresholds, midnight.AddDate(0, 0, 2))
	w.must(w.setHidden(players[0], true))
	w.computePoints(someThresholds, midnight.AddDate(0, 0, 3))
	store(midnight.AddDate(0, 0, 8), 4)
	days, asOf, err := w.PointsDays(t.Context(), players[0].ID, 10)
	w.must(err)
	if want := midnight.AddDate(0, 0, 8); !asOf.Equal(want) {
		t.Errorf("the days are as of %v, want %v", asOf, want)
	}
	want := []leaderboard.DayRank{{Day: day, Points: 3720, Rank: 1}, {Day: day.AddDate(0, 0, 8)}}
	if diff := gocmp.Diff(want, days); diff != "" {
		t.Errorf("days of a hidden player (-want +got):\n%s", diff)
	}
	newest, _, err := w.PointsDays(t.Context(), players[0].ID, 1)
	if err != nil || len(newest) != 1 || newest[0].Rank != 0 {
		t.Errorf("the newest day: %v, %v", newest, err)
	}
	standings, err := w.PlayerStandings(t.Context(), players[3].ID, "", someThresholds, midnight.AddDate(0, 0, 5))
	w.must(err)
	if standings.WeekAgo.Rank != 0 {
		t.Errorf("before the first day: %+v", standings.WeekAgo)
	}
	standings, err = w.PlayerStandings(t.Context(), players[3].ID, "", someThresholds, midnight.AddDate(0, 0, 7))
	w.must(err)
	if standings.WeekAgo.Rank != 4 || !standings.WeekAgo.Day.Equal(midnight) || len(standings.Before) == 0 {
		t.Errorf("a week later: %+v, %v", standings.WeekAgo, standings.Before)
	}
}

// The causes of a change and the rest add up to it exactly, and say whether the player or others have made it.
func TestRankings_Player_change(t *testing.T) {
	t.Parallel()
	w := setup(t)
	maps, players := w.smallSite(8, 5)
	w.computePoints(someThresholds, noon)
	midnight := day.AddDate(0, 0, 1)
	_, err := w.StoreDay(t.Context(), midnight)
	w.must(err)
	better := w.record(maps[0], players[2], 500) // passes two on a map
	better.CreatedAt = midnight.AddDate(0, 0, 2)
	_, err = w.submit(better)
	w.must(err)
	w.must(w.ApplyMap(t.Context(), record.Map{ID: maps[2].ID, Version: 2, Removed: true}))
	w.computePoints(someThresholds, better.CreatedAt)
	rankings := &leaderboard.Rankings{
		Queries: w.Store, Maps: record.NewMaps(w.Store, noOwner{}), Players: lookup.NewPlayers(w.Store, w.Player),
		Thresholds: someThresholds, Now: func() time.Time { return midnight.AddDate(0, 0, 7) },
	}
	for i, p := range players {
		of, err := rankings.Player(t.Context(), p.ID, "")
		w.must(err)
		sum := of.Change.Rest
		for _, c := range of.Change.Causes {
			sum += c.Change
			if c.Gone != (c.MapID == maps[2].ID) || c.SetSince != (c.MapID == maps[0].ID && i == 2) {
				t.Errorf("player %d: cause %+v", i, c)
			}
		}
		before := pgtest.Value[int64](t, w.pool, `select points from points_days where player_id = $1`, p.ID)
		if sum != of.Change.Points || int64(of.Total-of.Change.Points) != before {
			t.Errorf("player %d: the causes add up to %d of %+v, from %d to %d", i, sum, of.Change, before, of.Total)
		}
	}
	of, err := rankings.Player(t.Context(), players[0].ID, "Classic")
	if w.must(err); of.Change != nil || of.Rank != 1 {
		t.Errorf("in one mode: rank %d, change %+v", of.Rank, of.Change)
	}
}

// noOwner knows no maps.
type noOwner struct{}

func (noOwner) Map(context.Context, string) (record.Map, error) {
	return record.Map{}, record.ErrMapUnknown
}

func (noOwner) MapVersion(context.Context, int64, string) (record.Map, error) {
	return record.Map{}, record.ErrMapUnknown
}

// A rebuild makes from nothing, and from wrong rows, what the changes have made.
func TestStore_RebuildPoints(t *testing.T) {
	t.Parallel()
	w := setup(t)
	maps, players := w.smallSite(5, 7)
	w.computePoints(someThresholds, noon)
	want := w.pointsOf(players)
	for _, sql := range []string{
		`truncate record_points, points_players, points_maps, points_changes`,
		`delete from rankings; delete from ranking_counts`,
		`delete from points_players`,
	} {
		pgtest.Exec(t, w.pool, sql)
		w.must(w.RebuildPoints(t.Context(), someThresholds, noon))
		w.computePoints(someThresholds, noon)
		if diff := gocmp.Diff(want, w.pointsOf(players)); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", sql, diff)
		}
		w.wantRankingCounts()
	}
	// Other thresholds, by which no player counts, as a restarted service finds them.
	strict := points.Thresholds{Finishers: 3, Maps: 6, Authors: 2}
	_, err := w.ComputePoints(t.Context(), strict, noon)
	w.must(err)
	if got := w.pointsOf(players); len(got) != 0 {
		t.Errorf("no player counts, and there are %v", got)
	}
	_, asOf, err := w.MapFinishers(t.Context(), maps[0].ID, strict)
	if w.must(err); time.Since(asOf) > time.Minute {
		t.Errorf("after a rebuild points are as of %v", asOf)
	}
}

// One process computes at a time.
func TestStore_ComputePoints_elsewhere(t *testing.T) {
	t.Parallel()
	w := setup(t)
	_, players := w.smallSite(3, 4)
	lock, ok, err := postgres.TryLock(t.Context(), w.pool, "points")
	if w.must(err); !ok {
		t.Fatal("the lock is not free")
	}
	computed, err := w.ComputePoints(t.Context(), someThresholds, noon)
	if w.must(err); computed != (points.Computed{}) {
		t.Errorf("%+v was computed while another process computes", computed)
	}
	rebuilt := make(chan error, 1)
	go func() { rebuilt <- w.RebuildPoints(t.Context(), someThresholds, noon) }()
	lock.Unlock()
	w.must(<-rebuilt)
	if len(w.pointsOf(players)) == 0 {
		t.Error("a rebuild has not waited for the other process")
	}
}
