// Package community invents the large community that the system is measured
// with, and writes it into the services' databases. It is the same each time,
// down to its ids, so that filled databases can be kept.
package community

import (
	"fmt"
	"math"
	"time"

	"capzone.dev/game/mapgen"
)

// How large the community is. Of the maps, the first Boards have the runs of the
// first Runners; then come Giant and the Courses; the others have none.
const (
	Players = 100_000
	Maps    = 100_000

	Runners = 20_000
	Boards  = 2_000
	Runs    = 500_000 // on Boards, unevenly: 122 on the median map, BigRuns on the first

	// Big and Giant are two maps that differ in nothing but their number of runs.
	Big       = 0
	BigRuns   = 10_000
	Giant     = Boards
	GiantRuns = 1_000_000

	// Courses are maps with real physics for runs to be handed in, from the map FirstCourse.
	Courses     = 64
	FirstCourse = Giant + 1
)

// The kinds of ids, in the middle of a UUIDv7.
const (
	mapKind    = 1
	playerKind = 2
	runKind    = 3
)

func id(kind, n int) string { return fmt.Sprintf("01970000-0000-7%03x-8000-%012x", kind, n) }

// MapID is the id of a map.
func MapID(n int) string { return id(mapKind, n) }

// MapIDSQL is MapID in SQL, of an expression.
func MapIDSQL(n string) string {
	return fmt.Sprintf("('01970000-0000-7%03x-8000-' || lpad(to_hex(%s), 12, '0'))::uuid", mapKind, n)
}

// PlayerID is the id of a player.
func PlayerID(n int) string { return id(playerKind, n) }

// RunID is the id of a run of a map with any: the j-th of it, in no order.
func RunID(mapNumber, j int) string { return id(runKind, mapNumber<<24|j) }

// MapName is the name of a map.
func MapName(n int) string { return mapgen.MapName(n) }

// PlayerName is the name of a player.
func PlayerName(n int) string { return mapgen.PlayerName(n) }

// epoch is when it all began.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// counts is how many runs the maps up to Giant have.
var counts = runCounts()

// RunsOf is how many runs a map has.
func RunsOf(mapNumber int) int {
	if mapNumber < len(counts) {
		return counts[mapNumber]
	}
	return 0
}

// spread makes the numbers of runs of a lognormal distribution, whose mean is so
// much more than its median.
const (
	median = 122.0
	sigma  = 1.2
)

func runCounts() []int {
	all := make([]int, Giant+1)
	all[Big], all[Giant] = BigRuns, GiantRuns
	shape := make([]float64, Boards)
	total := 0.0
	for i := 1; i < Boards; i++ {
		// Quantiles in a mixed order: 1009 is a prime.
		quantile := (float64(i*1009%(Boards-1)) + 0.5) / (Boards - 1)
		shape[i] = median * math.Exp(sigma*math.Sqrt2*math.Erfinv(2*quantile-1))
		total += shape[i]
	}
	for i := 1; i < Boards; i++ {
		all[i] = min(BigRuns, int(shape[i]*(Runs-BigRuns)/total))
	}
	return all
}

// run is one finished try. Each player has one on a map.
type run struct {
	id         string
	player     int
	finishTime int // milliseconds, on a frame
	stamp      time.Time
}

// runOf is the j-th run of a map.
func runOf(mapNumber, j int) run {
	first := mapNumber * 7919 % Runners
	player := (first + j) % Runners
	if RunsOf(mapNumber) > Runners {
		player = j
	}
	// Times pile up a little above the best, with a long tail.
	u := float64(mix(uint64(mapNumber)<<32|uint64(j))>>11) / (1 << 53)
	frames := 900 + int(-300*math.Log1p(-u))
	return run{
		id: RunID(mapNumber, j), player: player, finishTime: (frames*1000 + 15) / 30,
		stamp: epoch.Add(time.Duration(j)*time.Second + time.Duration(mapNumber)*time.Millisecond),
	}
}

// mix is the finalizer of SplitMix64: the same noise each time.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// author is who made a map.
func author(mapNumber int) int { return mapNumber * 31 % Players }
