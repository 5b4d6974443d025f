package postgres_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

// modelBest is a personal best.
type modelBest struct {
	record.Record
	of                   record.Map
	opponents, slow, tie int
	points               float64
	isWorldRecord        bool
}

// model computes the points of the community's players as the design says, with floating point numbers.
func (c *community) model(thresholds points.Thresholds, now time.Time) (lines []string) {
	c.t.Helper()
	type flags struct {
		ID              string
		Removed, Hidden bool
	}
	inactive := map[string]bool{}
	for _, f := range pgtest.Rows[flags](c.t, c.pool, `
		select r.id::text, r.removed_at is not null as removed, coalesce(t.hidden, false) as hidden
		from records r left join player_totals t using (player_id) where r.player_id = any ($1::uuid[])`, ids(c.players)) {
		inactive[f.ID] = f.Removed || f.Hidden
	}
	best := map[string]map[string]record.Record{} // by map and player
	fastest := map[string]record.Record{}
	for _, m := range c.maps {
		best[m.ID] = map[string]record.Record{}
		if m.Removed || m.Superseded || m.Unranked {
			continue
		}
		for _, r := range c.records {
			if r.MapID != m.ID || inactive[r.ID] {
				continue
			}
			r.PlayerID = c.mergedInto(r.PlayerID)
			if b, ok := best[m.ID][r.PlayerID]; !ok || r.FinishTime < b.FinishTime {
				best[m.ID][r.PlayerID] = r
			}
			if f, ok := fastest[m.ID]; !ok || r.FinishTime < f.FinishTime {
				fastest[m.ID] = r
			}
		}
	}
	counts := map[string]bool{}
	for _, p := range c.players {
		finished, authors := 0, map[string]bool{}
		for _, m := range c.maps {
			if _, ok := best[m.ID][p.ID]; ok {
				finished++
				authors[m.AuthorID] = true
			}
		}
		counts[p.ID] = p.Registered && !p.Removed && !p.Banned &&
			finished >= thresholds.Maps && len(authors) >= thresholds.Authors
	}
	rows := map[string][]modelBest{} // by player
	for _, m := range c.maps {
		maps.DeleteFunc(best[m.ID], func(player string, _ record.Record) bool { return !counts[player] })
		for player, own := range best[m.ID] {
			row := modelBest{Record: own, of: m, opponents: len(best[m.ID]) - 1, isWorldRecord: fastest[m.ID].ID == own.ID}
			for opponent, r := range best[m.ID] {
				switch {
				case opponent == player:
				case r.FinishTime > own.FinishTime:
					row.slow++
				case r.FinishTime == own.FinishTime:
					row.tie++
				}
			}
			b, place := float64(row.slow)+float64(row.tie)/2, row.opponents-row.slow-row.tie+1
			bonus := map[int]float64{1: 200, 2: 120, 3: 90, 4: 60, 5: 20}[place]
			if row.opponents+1 >= thresholds.Finishers {
				row.points = roundTenth((30*float64(row.opponents) + (770+bonus)*b) / float64(row.opponents+20))
			}
			rows[player] = append(rows[player], row)
			lines = append(lines, fmt.Sprintf("%s %s m=%d slower=%d tied=%d points=%d %s", m.ID, player, row.opponents, row.slow,
				row.tie, int(row.points*10+0.5), map[bool]string{true: "t", false: "f"}[row.isWorldRecord]))
		}
	}
	from, until := points.Month(now)
	for player, own := range rows {
		for _, period := range []string{"all", now.Format("2006-01")} {
			for _, mode := range []string{"", "Classic", "Grapple"} {
				var in []modelBest
				for _, row := range own {
					inMonth := !row.CreatedAt.Before(from) && row.CreatedAt.Before(until)
					if (mode == "" || row.of.Mode == mode) && (period == "all" || inMonth) {
						in = append(in, row)
					}
				}
				for kind, value := range modelReached(in) {
					if value > 0 {
						lines = append(lines, fmt.Sprintf("%s %s %s %s %d", period, mode, player, kind, value))
					}
				}
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// mergedInto returns whom a player was merged into, or the player.
func (c *community) mergedInto(playerID string) string {
	for _, p := range c.players {
		if p.ID == playerID && p.MergedInto != "" {
			return c.mergedInto(p.MergedInto)
		}
	}
	return playerID
}

// modelReached returns the values of rankings.
func modelReached(in []modelBest) map[string]int {
	slices.SortFunc(in, func(a, b modelBest) int { return cmp.Compare(b.points, a.points) })
	reached := map[string]int{"finished": len(in)}
	total, weight := 0.0, 1.0
	for _, row := range in {
		total += row.points * weight
		weight *= 0.95
		if row.isWorldRecord {
			reached["worldRecords"]++
		}
		switch row.of.Medals.Of(row.FinishTime) {
		case racetime.Author:
			reached["authorMedals"]++
		case racetime.Gold:
			reached["goldMedals"]++
		case racetime.Silver:
			reached["silverMedals"]++
		case racetime.Bronze:
			reached["bronzeMedals"]++
		case racetime.NoMedal:
		}
	}
	reached["points"] = int(roundTenth(total)*10 + 0.5)
	return reached
}

func roundTenth(v float64) float64 { return float64(int(v*10+0.5+1e-9)) / 10 }
