package httpapi

import (
	"context"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
)

// GetGoals implements GET /records/goals.
func (s *Server) GetGoals(ctx context.Context, _ GetGoalsRequestObject) (GetGoalsResponseObject, error) {
	next, err := s.Goals.Next(ctx, httpserve.ActorOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	httpserve.TagPrivate(ctx)
	wire := Goals{Kind: NearestGoals, Goals: toGoals(next.Goals)}
	if next.Newcomer {
		wire.Kind = NewcomerGoals
	}
	return GetGoals200JSONResponse{Success: true, Data: wire}, nil
}

// ListStarters implements GET /records/starters. A personal best on any map may change the list.
func (s *Server) ListStarters(ctx context.Context, _ ListStartersRequestObject) (ListStartersResponseObject, error) {
	starters, err := s.Goals.Starters(ctx)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.MapsKey, httpserve.MapsByRecordsKey)
	return ListStarters200JSONResponse{Success: true, Data: toGoals(starters)}, nil
}

func toGoals(goals []leaderboard.Goal) []Goal {
	wire := make([]Goal, len(goals))
	for i, g := range goals {
		wire[i] = Goal{
			Map: mapRef(g.Map), Mode: httpserve.OrNull(g.Map.Mode), MedalTimes: toMedalTimes(g.Map.Medals),
			Target: toTarget(g.Target),
		}
		if g.FinishTime > 0 {
			wire[i].Gap, wire[i].RelativeGap = new(int64(g.Gap())), new(float64(g.Gap())/float64(g.FinishTime))
			wire[i].Best = &GoalBest{
				FinishTime: int64(g.FinishTime), Rank: g.Rank, Medal: httpserve.OrNull(Medal(g.Map.Medals.Of(g.FinishTime))),
			}
		}
	}
	return wire
}

func toMedalTimes(m racetime.Medals) MedalTimes {
	return MedalTimes{
		Author: httpserve.OrNull(int64(m.Author)), Gold: httpserve.OrNull(int64(m.Gold)),
		Silver: httpserve.OrNull(int64(m.Silver)), Bronze: httpserve.OrNull(int64(m.Bronze)),
	}
}

// toTarget returns nil for the zero value.
func toTarget(t leaderboard.Target) *GoalTarget {
	switch {
	case t.Medal != racetime.NoMedal:
		return &GoalTarget{Kind: MedalTarget, Medal: httpserve.OrNull(Medal(t.Medal)), FinishTime: int64(t.FinishTime)}
	case t.Rank > 0:
		return &GoalTarget{Kind: PlaceTarget, Rank: &t.Rank, FinishTime: int64(t.FinishTime)}
	}
	return nil
}

// PutGoalAside implements POST /records/goals/{map}/put-aside.
func (s *Server) PutGoalAside(ctx context.Context, req PutGoalAsideRequestObject) (PutGoalAsideResponseObject, error) {
	return PutGoalAside204Response{}, s.Goals.PutAside(ctx, httpserve.By(ctx), req.Map)
}

// TakeUpGoal implements DELETE /records/goals/{map}/put-aside.
func (s *Server) TakeUpGoal(ctx context.Context, req TakeUpGoalRequestObject) (TakeUpGoalResponseObject, error) {
	return TakeUpGoal204Response{}, s.Goals.TakeUp(ctx, httpserve.By(ctx), req.Map)
}
