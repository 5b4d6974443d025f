package httpapi

import (
	"context"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
)

// GetProgress implements GET /records/progress.
func (s *Server) GetProgress(ctx context.Context, req GetProgressRequestObject) (GetProgressResponseObject, error) {
	ids, err := leaderboard.ParseProgressMaps(req.Params.Maps)
	if err != nil {
		return nil, err
	}
	list, err := s.Reader.Progress(ctx, httpserve.ActorOf(ctx).ID, ids)
	if err != nil {
		return nil, err
	}
	httpserve.TagPrivate(ctx)
	return GetProgress200JSONResponse{Success: true, Data: httpserve.List(list, toProgress)}, nil
}

func toProgress(p leaderboard.Progress) MapProgress {
	wire := MapProgress{
		Map: p.MapID, WorldRecord: httpserve.OrNull(int64(p.WorldRecord)), PlayedOlderVersion: p.PlayedOlderVersion,
	}
	if next, slowest := p.NextMedal(); next != racetime.NoMedal {
		wire.NextMedal = &NextMedal{Medal: Medal(next), FinishTime: int64(slowest)}
	}
	if p.RecordID == "" {
		return wire
	}
	wire.Best = &ProgressBest{
		UnderscoreId: p.RecordID, FinishTime: int64(p.FinishTime), Rank: p.Rank,
		Medal: httpserve.OrNull(Medal(p.Medal())), ToWorldRecord: int64(p.FinishTime - p.WorldRecord),
	}
	if wire.NextMedal != nil {
		wire.Best.ToNextMedal = new(int64(p.FinishTime) - wire.NextMedal.FinishTime)
	}
	return wire
}
