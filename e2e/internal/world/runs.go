package world

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
)

// Run is one finish of one player on one map.
type Run struct {
	Player, Map int // indexes
	Time        int // milliseconds, on a frame
	At          time.Time
}

// How finish times come about: the course's par, times what the player can do,
// times what the player has learnt on this map, times the day's form.
const (
	usual    = 1.22 // an average player's first finish, in pars
	bySkill  = 0.13 // what one step of skill takes off
	byMap    = 0.06 // some maps suit some players
	byForm   = 0.06 // spread of a player's runs on one map
	learning = 0.04 // what doubling the runs on a map takes off
	barely   = 0.35 // what is left of each part by which a run is better than par
)

func makeRuns(r *rand.Rand, players []Player, maps []Map, count int) []Run {
	if len(players) == 0 || len(maps) == 0 {
		return nil
	}
	pickPlayer := weighted(r, len(players), func(i int) float64 { return players[i].activity })
	pickMap := weighted(r, len(maps), func(i int) float64 { return maps[i].popularity })
	runs := make([]Run, count)
	for i := range runs {
		runs[i].Player, runs[i].Map = pickPlayer(), pickMap()
		runs[i].At = clock(r, maps[runs[i].Map].At.Add(time.Hour), lastRun)
	}
	slices.SortStableFunc(runs, func(a, b Run) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Player, b.Player), cmp.Compare(a.Map, b.Map))
	})
	type pair struct{ player, course int }
	suits, earlier := map[pair]float64{}, map[pair]int{}
	for i := range runs {
		run := &runs[i]
		on := pair{run.Player, run.Map}
		if earlier[on] == 0 {
			suits[on] = byMap * r.NormFloat64()
		}
		earlier[on]++
		pars := usual - bySkill*players[run.Player].skill + suits[on] + byForm*math.Abs(r.NormFloat64()) - learning*math.Log2(float64(earlier[on]))
		if pars < 1 {
			pars = 1 - barely*(1-pars)
		}
		run.Time = racetime.Snap(int(pars * float64(maps[run.Map].Course.Par)))
	}
	return runs
}

// weighted returns a function that picks an index as often as its weight has it.
func weighted(r *rand.Rand, count int, weight func(int) float64) func() int {
	sums := make([]float64, count)
	total := 0.0
	for i := range sums {
		total += weight(i)
		sums[i] = total
	}
	return func() int { return min(sort.SearchFloat64s(sums, r.Float64()*total), count-1) }
}

// Replay is the file of a run.
func (w *World) Replay(run Run) []byte {
	return w.replay(&w.Maps[run.Map], run.Player, run.Time, run.At)
}

func (w *World) replay(m *Map, player, ms int, at time.Time) []byte {
	account := w.Players[player].Account
	file, err := lbreplay.Write(&lbreplay.Replay{
		MapName: m.Course.Map.Name, MapAuthor: m.Course.Map.Author, MapID: m.Course.Map.ID,
		GameMode: m.Course.Map.Mode.String(), FinishTime: ms,
		PlayerName: account.Name, PlayerLevel: account.Level, PlayerSkin: string(account.Skin),
		Validated: true, ReplayVersion: "1.3.0", GameVersion: "49", Timestamp: at, MapData: m.data,
	})
	check(err, "replay of %s on %s", account.Name, m.Course.Map.Name)
	return file
}
