package leaderboard

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

const (
	// MaxGoals is how many goals are shown at once.
	MaxGoals = 5
	// minFinished is how many maps a player has finished who is no newcomer.
	minFinished = 5
	// putAsideFor is how long a goal that was put aside is not shown.
	putAsideFor = 30 * 24 * time.Hour
)

// Goal is a map that a player may play next, and what can be reached on it.
type Goal struct {
	// Map has the id, the name, the mode and the medals.
	Map record.Map
	// FinishTime and Rank are those of the personal best. They are 0 where there is none.
	FinishTime int
	Rank       int64
	// Target is the zero value for a map without medal times that the player has not finished.
	Target Target
}

// Target is a medal or a place on a leaderboard.
type Target struct {
	// Medal is racetime.NoMedal, and Rank is 0, where the target is the other one.
	Medal racetime.Medal
	Rank  int64
	// FinishTime is the slowest time that reaches the target, in milliseconds.
	FinishTime int
}

// Gap is by how many milliseconds the player has to be faster than the personal best.
func (g Goal) Gap() int { return g.FinishTime - g.Target.FinishTime }

// Candidate is a player's personal best on the newest version of a map, with what can be reached from it.
type Candidate struct {
	MapID      string
	Medals     racetime.Medals
	FinishTime int
	// Above is the finish time of the row directly above on the leaderboard, and 0 for the first row.
	Above int
	// PutAside is true for a map that the player has put aside.
	PutAside bool
}

// goal returns the next better medal or the next better place, whichever is nearer, without the ranks. It reports
// whether there is one. A place is reached by a time that is a frame faster than the row above.
func (c Candidate) goal() (Goal, bool) {
	goal := Goal{Map: record.Map{ID: c.MapID, Medals: c.Medals}, FinishTime: c.FinishTime}
	if medal, slowest := c.Medals.Next(c.FinishTime); medal != racetime.NoMedal {
		goal.Target = Target{Medal: medal, FinishTime: slowest}
	}
	if slowest := racetime.OfFrame(racetime.Frame(c.Above) - 1); slowest > goal.Target.FinishTime {
		goal.Target = Target{FinishTime: slowest}
	}
	return goal, goal.Target.FinishTime > 0
}

// NearestGoals returns the goals on maps that are not put aside, at most MaxGoals, without ranks: those with the
// smallest gap in relation to the finish time first.
func NearestGoals(candidates []Candidate) []Goal {
	var goals []Goal
	for _, c := range candidates {
		if goal, ok := c.goal(); ok && !c.PutAside {
			goals = append(goals, goal)
		}
	}
	slices.SortFunc(goals, func(a, b Goal) int {
		return cmp.Or(cmp.Compare(a.Gap()*b.FinishTime, b.Gap()*a.FinishTime), strings.Compare(a.Map.ID, b.Map.ID))
	})
	return goals[:min(len(goals), MaxGoals)]
}

// GoalStore reads what players may play next, and stores which goals they put aside.
type GoalStore interface {
	// Candidates returns the personal bests of a player on the newest versions of maps, at a time.
	Candidates(ctx context.Context, playerID string, now time.Time) ([]Candidate, error)
	// CompleteGoals returns the goals of a player with the name and the mode of each map, the player's rank and the rank
	// of the target, where it is a place. It leaves out those that are no longer there.
	CompleteGoals(ctx context.Context, playerID string, goals []Goal) ([]Goal, error)
	// EasiestUnplayed returns at most MaxGoals maps, of which each is the newest version, that a player has not
	// finished, easiest first. It leaves out those that the player has put aside, unless all are.
	EasiestUnplayed(ctx context.Context, playerID string, now time.Time) ([]record.Map, error)
	// EasiestMaps returns at most MaxGoals maps, of which each is the newest version, easiest first.
	EasiestMaps(ctx context.Context) ([]record.Map, error)
	// PutAside puts a map aside for the actor, or for whom the actor was merged into, until a time. It returns
	// access.ErrDeleted.
	PutAside(ctx context.Context, by access.Attribution, mapID string, until time.Time) error
	// TakeUp undoes PutAside. Its errors are those of PutAside.
	TakeUp(ctx context.Context, by access.Attribution, mapID string) error
}

// Goals answers what to play next.
type Goals struct {
	Store   GoalStore
	Maps    *record.Maps
	Players record.Players
	Now     func() time.Time
}

// NextGoals are what a player may play next.
type NextGoals struct {
	// Newcomer is true for a player who has finished few maps, or has nothing left to reach on those. The goals are easy
	// maps then that the player has not finished.
	Newcomer bool
	Goals    []Goal
}

// Next returns what a player may play next. It returns ErrPlayerUnknown or a problem of kind unavailable.
func (g *Goals) Next(ctx context.Context, playerID string) (NextGoals, error) {
	player, err := g.Players.Get(ctx, playerID) // the id in a token may be that of a player who was merged since
	if err != nil {
		return NextGoals{}, err
	}
	now := event.InMillis(g.Now())
	candidates, err := g.Store.Candidates(ctx, player.ID, now)
	if err != nil {
		return NextGoals{}, err
	}
	if len(candidates) >= minFinished {
		goals, err := g.Store.CompleteGoals(ctx, player.ID, NearestGoals(candidates))
		if err != nil || len(goals) > 0 {
			return NextGoals{Goals: goals}, err
		}
	}
	easiest, err := g.Store.EasiestUnplayed(ctx, player.ID, now)
	return NextGoals{Newcomer: true, Goals: firstGoals(easiest)}, err
}

// Starters returns maps for visitors to start with.
func (g *Goals) Starters(ctx context.Context) ([]Goal, error) {
	easiest, err := g.Store.EasiestMaps(ctx)
	return firstGoals(easiest), err
}

// firstGoals returns the goals of a player without personal bests: the easiest medal of each map.
func firstGoals(maps []record.Map) []Goal {
	goals := make([]Goal, len(maps))
	for i, m := range maps {
		goals[i].Map = m
		if medal, slowest := (Progress{Medals: m.Medals}).NextMedal(); medal != racetime.NoMedal {
			goals[i].Target = Target{Medal: medal, FinishTime: slowest}
		}
	}
	return goals
}

// PutAside leaves a map out of a player's goals for putAsideFor. It returns access.ErrForbidden for a banned player,
// access.ErrDeleted, ErrMapUnknown, ErrMapRemoved, or a problem of kind unavailable.
func (g *Goals) PutAside(ctx context.Context, by access.Attribution, mapID string) error {
	by, err := g.authorize(ctx, by, mapID)
	if err != nil {
		return err
	}
	return g.Store.PutAside(ctx, by, mapID, event.InMillis(g.Now()).Add(putAsideFor))
}

// TakeUp undoes PutAside. Its errors are those of PutAside.
func (g *Goals) TakeUp(ctx context.Context, by access.Attribution, mapID string) error {
	by, err := g.authorize(ctx, by, mapID)
	if err != nil {
		return err
	}
	return g.Store.TakeUp(ctx, by, mapID)
}

func (g *Goals) authorize(ctx context.Context, by access.Attribution, mapID string) (access.Attribution, error) {
	_, by, err := access.Authorize(ctx, by, access.PutGoalAside, g.Players.Get)
	if err != nil {
		return by, err
	}
	_, err = g.Maps.Get(ctx, mapID)
	return by, err
}
