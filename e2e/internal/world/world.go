// Package world invents a site's worth of players, maps and runs: always the
// same ones from the same seed, down to the bytes of their files, so that a
// site recognises what it was given before.
package world

import (
	"fmt"
	"math/rand/v2"
	"time"

	"capzone.dev/game/mapgen"
)

// Size says how much to invent.
type Size struct {
	Players int
	Maps    int // by players of the world, submitted by themselves
	Foreign int // by authors without an account, submitted by a validator
	Runs    int // beside the ones that maps are submitted with
}

// World is what there is to hand in.
type World struct {
	Players []Player
	Maps    []Map
	Runs    []Run
}

// The world's history. It lies in the past of every clock, and does not move,
// because a run is recognised by its time stamp too.
var (
	firstMap = time.Date(2025, 1, 4, 9, 0, 0, 0, time.UTC)
	lastRun  = time.Date(2025, 12, 20, 22, 0, 0, 0, time.UTC)
)

// New invents a world.
func New(seed uint64, size Size) World {
	r := rand.New(rand.NewPCG(seed, 0))
	w := World{Players: makePlayers(r, size.Players)}
	w.Maps = makeMaps(r, w.Players, size)
	w.Runs = makeRuns(r, w.Players, w.Maps, size.Runs)
	return w
}

// foreignAuthor is an author without an account. No player of the world has the name.
func foreignAuthor(n int) string { return mapgen.PlayerName(foreignNames + n) }

// foreignNames is where the names begin that no player has.
const foreignNames = 100_000

// gameID is the game's own number for the n-th map.
func gameID(n int) int { return 4_200_000 + 37*n }

func clock(r *rand.Rand, from, to time.Time) time.Time {
	return from.Add(time.Duration(r.Int64N(int64(to.Sub(from))))).Truncate(time.Millisecond)
}

func check(err error, what string, args ...any) {
	if err != nil {
		panic(fmt.Sprintf(what, args...) + ": " + err.Error()) // a mistake in this package, not in its input
	}
}
