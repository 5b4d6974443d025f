// Package points is the formula of points, version 1, and the rules of who and what counts. All numbers are whole: of
// tenths or millionths of a point, so that sums are exact.
//
// On one leaderboard, m are the opponents that count, b those of them that are slower and half of those with the
// same time, and r is 1 and those that are faster:
//
//	points = (30·m + (770 + bonus(r))·b) / (m + 20)
//	total  = Σ points·0.95^(position−1), over the player's maps by points
package points

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
)

// Version is the version of the formula. Every answer has it.
const Version = 1

// Tenths are points, in tenths.
type Tenths int64

// Float returns the points as the API has them.
func (t Tenths) Float() float64 { return float64(t) / 10 }

// Millionths are points, in millionths.
type Millionths int64

// Float returns the points as the API has them.
func (m Millionths) Float() float64 { return float64(m) / 1e6 }

// Round returns the points to the tenth, halves away from zero.
func (m Millionths) Round() Tenths {
	const perTenth = 100_000
	if m < 0 {
		return -(-m).Round()
	}
	return Tenths((m + perTenth/2) / perTenth)
}

// Thresholds say who and what counts.
type Thresholds struct {
	// Finishers is how many players that count must have finished a map, so that it gives points.
	Finishers int
	// Maps and Authors are how many maps by how many authors a player must have finished in order to count.
	Maps, Authors int
}

// Result is a personal best among those of other players that count.
type Result struct {
	// Opponents counts the others. Slower and Tied count those of them that are slower or have the same time.
	Opponents, Slower, Tied int64
}

// Place returns the place, counted from 1. Equal times share one.
func (r Result) Place() int64 { return r.Opponents - r.Slower - r.Tied + 1 }

// Beaten returns the opponents that are slower and half of those with the same time.
func (r Result) Beaten() float64 { return float64(r.beatenHalves()) / 2 }

func (r Result) beatenHalves() int64 { return 2*r.Slower + r.Tied }

// Terms are what points are the sum of.
type Terms struct {
	// Finish is for finishing the map, Beaten for the opponents that are slower, Place for one of the first five places.
	Finish, Beaten, Place Tenths
}

// Points returns the sum.
func (t Terms) Points() Tenths { return t.Finish + t.Beaten + t.Place }

const (
	perFinish = 30
	perBeaten = 770
	// damping makes leaderboards with few players give few points.
	damping = 20
)

// bonuses are those of the first places.
var bonuses = []int64{200, 120, 90, 60, 20}

// Of returns the points of a result on a map that gives points. The sum of the terms is the formula's value,
// rounded to the tenth. Each term is rounded so that they add up: it is the difference of two rounded sums.
func Of(r Result) Terms {
	finish, beaten := perFinish*2*r.Opponents, perBeaten*r.beatenHalves()
	place := bonusOf(r.Place()) * r.beatenHalves()
	t := Terms{Finish: r.round(finish)}
	t.Beaten = r.round(finish+beaten) - t.Finish
	t.Place = r.round(finish+beaten+place) - t.Beaten - t.Finish
	return t
}

// On is Of with nothing on a map that fewer players have finished than thresholds say.
func (t Thresholds) On(r Result) Terms {
	if r.Opponents+1 < int64(t.Finishers) {
		return Terms{}
	}
	return Of(r)
}

func bonusOf(place int64) int64 {
	if place > int64(len(bonuses)) {
		return 0
	}
	return bonuses[place-1]
}

// round divides halves of points by the opponents and the damping, and rounds to the tenth, halves up.
func (r Result) round(halves int64) Tenths {
	divisor := 2 * (r.Opponents + damping)
	return Tenths((2*10*halves + divisor) / (2 * divisor))
}

// weightUnit is the weight of the first map. Others are rounded to as many decimals.
const weightUnit = 1_000_000_000_000

// MaxPosition is the last position with a weight. Beyond it, a share is less than a millionth of a point.
const MaxPosition = 500

// weights are 0.95^n·weightUnit.
var weights = newWeights()

func newWeights() (all [MaxPosition]int64) {
	power, divisor := big.NewInt(weightUnit), big.NewInt(1) // 95^n·weightUnit and 100^n
	for i := range all {
		twice := new(big.Int).Add(new(big.Int).Lsh(power, 1), divisor)
		all[i] = twice.Div(twice, new(big.Int).Lsh(divisor, 1)).Int64()
		power.Mul(power, big.NewInt(95))
		divisor.Mul(divisor, big.NewInt(100))
	}
	return all
}

// Weight returns the weight of a position, counted from 1.
func Weight(position int64) float64 { return float64(weight(position)) / weightUnit }

func weight(position int64) int64 {
	if position > MaxPosition {
		return 0
	}
	return weights[position-1]
}

// Share returns what a map with these points adds to the total of a player, at a position among the player's maps.
func Share(of Tenths, position int64) Millionths {
	const perMillionth = weightUnit / 100_000
	return Millionths((int64(of)*weight(position) + perMillionth/2) / perMillionth)
}

// Total returns the sum of the shares of maps, which are in descending order, rounded to the tenth.
func Total(descending []Tenths) Tenths {
	var sum Millionths
	for i, of := range descending {
		sum += Share(of, int64(i+1))
	}
	return sum.Round()
}

// maxCauses is how many causes of a change are named.
const maxCauses = 5

// Cause is a map whose share of a player's total has changed.
type Cause struct {
	MapID       string
	Before, Now Tenths
	// Change is that of the share.
	Change Tenths
}

// Explain returns the largest causes of a change of a player's total, and what all others add up to: the sum is
// exactly the change. before and now are the player's points by map.
func Explain(before, now map[string]Tenths, change Tenths) (causes []Cause, rest Tenths) {
	sharesBefore, sharesNow := shares(before), shares(now)
	either := map[string]Tenths{}
	maps.Copy(either, before)
	maps.Copy(either, now)
	for id := range either {
		if c := (sharesNow[id] - sharesBefore[id]).Round(); c != 0 {
			causes = append(causes, Cause{MapID: id, Before: before[id], Now: now[id], Change: c})
		}
	}
	slices.SortFunc(causes, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(abs(b.Change), abs(a.Change)), cmp.Compare(a.MapID, b.MapID))
	})
	causes = causes[:min(len(causes), maxCauses)]
	rest = change
	for _, c := range causes {
		rest -= c.Change
	}
	return causes, rest
}

func abs(t Tenths) Tenths { return max(t, -t) }

// shares returns the shares of maps. Of equal points the lower id comes first.
func shares(of map[string]Tenths) map[string]Millionths {
	type mapPoints struct {
		id string
		of Tenths
	}
	ordered := make([]mapPoints, 0, len(of))
	for id, points := range of {
		ordered = append(ordered, mapPoints{id, points})
	}
	slices.SortFunc(ordered, func(a, b mapPoints) int { return cmp.Or(cmp.Compare(b.of, a.of), cmp.Compare(a.id, b.id)) })
	all := make(map[string]Millionths, len(of))
	for i, m := range ordered {
		all[m.id] = Share(m.of, int64(i+1))
	}
	return all
}

// Place is what a place on a map is worth.
type Place struct {
	Place int64
	Terms
}

// shownPlaces are the places that are shown after the first twenty.
var shownPlaces = []int64{25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000}

// Places returns what places are worth on a map with so many finishers: the first twenty, some of the others, and
// the last.
func (t Thresholds) Places(finishers int64) (places []Place) {
	if finishers < int64(t.Finishers) {
		return nil
	}
	shown := []int64{}
	for place := range min(finishers, 20) {
		shown = append(shown, place+1)
	}
	for _, place := range shownPlaces {
		if place < finishers {
			shown = append(shown, place)
		}
	}
	if finishers > 20 {
		shown = append(shown, finishers)
	}
	for _, place := range shown {
		places = append(places, Place{place, Of(Result{Opponents: finishers - 1, Slower: finishers - place})})
	}
	return places
}
