package points

import (
	"cmp"
	"slices"
	"time"

	"capzone.dev/platform/event"
)

// Player is what decides whether a player counts.
type Player struct {
	Registered, Banned, Removed bool
	// Maps are those that give points and that the player has finished; Authors are theirs.
	Maps, Authors int
}

// Counts reports whether a player is ranked, and an opponent of others.
func (t Thresholds) Counts(p Player) bool {
	return p.Registered && !p.Banned && !p.Removed && p.Maps >= t.Maps && p.Authors >= t.Authors
}

// Key is a player on a map.
type Key struct{ MapID, PlayerID string }

// PersonalBest is that of a player that counts, on a map that gives points.
type PersonalBest struct {
	Key
	// FinishTime is in milliseconds.
	FinishTime    int
	IsWorldRecord bool
}

// Standing is what a personal best earns.
type Standing struct {
	Result

	Points        Tenths
	IsWorldRecord bool
}

// Standings returns what personal bests earn. Of each of their maps, bests has those of all players that count.
func (t Thresholds) Standings(bests []PersonalBest) map[Key]Standing {
	times := map[string][]int{}
	for _, b := range bests {
		times[b.MapID] = append(times[b.MapID], b.FinishTime)
	}
	for _, ofMap := range times {
		slices.Sort(ofMap)
	}
	standings := make(map[Key]Standing, len(bests))
	for _, b := range bests {
		ofMap := times[b.MapID]
		first, _ := slices.BinarySearch(ofMap, b.FinishTime)
		slower, _ := slices.BinarySearch(ofMap, b.FinishTime+1)
		r := Result{Opponents: int64(len(ofMap) - 1), Slower: int64(len(ofMap) - slower), Tied: int64(slower - first - 1)}
		standings[b.Key] = Standing{Result: r, Points: t.On(r).Points(), IsWorldRecord: b.IsWorldRecord}
	}
	return standings
}

// Change is a difference of a standing. Where there is none, it is the zero value.
type Change struct {
	Key

	Before, After Standing
	// Counts is false where there is no standing any more.
	Counts bool
}

// ChangesTotals reports whether the change is one of what the player has reached.
func (c Change) ChangesTotals() bool {
	return c.Before.Points != c.After.Points || c.Before.IsWorldRecord != c.After.IsWorldRecord
}

// Compare returns how standings differ from those before, in the order of their maps and players.
func Compare(before, after map[Key]Standing) (changes []Change) {
	for key, standing := range after {
		if stored, ok := before[key]; !ok || stored != standing {
			changes = append(changes, Change{key, stored, standing, true})
		}
	}
	for key, stored := range before {
		if _, ok := after[key]; !ok {
			changes = append(changes, Change{Key: key, Before: stored})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.MapID, b.MapID), cmp.Compare(a.PlayerID, b.PlayerID))
	})
	return changes
}

// Pass is a record that has passed a player on a map.
type Pass struct {
	Key

	RecordID string
	// By is the player of the record, and empty where the record was removed.
	By string
}

// Loss is what a player has lost by a record.
type Loss struct {
	Key

	RecordID      string
	Before, After Tenths
}

// Losses returns what players have lost whom records have passed, each by the latest record. Passes are in the order
// of time. Where the record, its player or the passed player counts no longer, nothing is lost by it.
func Losses(passes []Pass, changes []Change, after map[Key]Standing) (losses []Loss) {
	latest := map[Key]string{}
	for _, p := range passes {
		if _, counts := after[Key{p.MapID, p.By}]; counts {
			latest[p.Key] = p.RecordID
		}
	}
	for _, c := range changes {
		if by, passed := latest[c.Key]; passed && c.Counts && c.After.Points < c.Before.Points {
			losses = append(losses, Loss{c.Key, by, c.Before.Points, c.After.Points})
		}
	}
	return losses
}

// LossFacts returns the facts of losses, which are in the order of their maps.
func LossFacts(losses []Loss, at time.Time) (facts []event.PointsChanged) {
	for len(losses) > 0 {
		fact := event.PointsChanged{MapID: losses[0].MapID, At: at}
		for len(losses) > 0 && losses[0].MapID == fact.MapID && len(fact.Changes) < event.MaxPointsChanges {
			fact.Changes = append(fact.Changes, event.PointsChange{
				PlayerID: losses[0].PlayerID, RecordID: losses[0].RecordID,
				Before: int64(losses[0].Before), After: int64(losses[0].After),
			})
			losses = losses[1:]
		}
		facts = append(facts, fact)
	}
	return facts
}

// Computed counts the maps and players whose points were computed.
type Computed struct{ Maps, Players int }

const (
	// largeFinishers is from how many players that count a leaderboard is large.
	largeFinishers = 2_000
	largeInterval  = 15 * time.Second
)

// Interval returns how long a map with so many players that count rests after it was computed, because the computation
// takes seconds.
func Interval(finishers int) time.Duration {
	if finishers < largeFinishers {
		return 0
	}
	return largeInterval
}
