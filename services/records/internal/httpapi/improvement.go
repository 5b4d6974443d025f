package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
)

// ListImprovements implements GET /players/{id}/improvements.
func (s *Server) ListImprovements(
	ctx context.Context, req ListImprovementsRequestObject,
) (ListImprovementsResponseObject, error) {
	offset, limit, err := httpserve.OffsetQuery(req.Params.Offset, req.Params.Limit, leaderboard.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	player, improved, err := s.Reader.ImprovedMaps(ctx, req.Id, leaderboard.Page{Offset: offset, Limit: limit})
	if err != nil {
		return nil, err
	}
	keys := []httpserve.SurrogateKey{httpserve.PlayerKey(req.Id), httpserve.PlayerKey(player.ID)}
	data := make([]ImprovedMap, len(improved.Maps))
	for i, m := range improved.Maps {
		keys = append(keys, httpserve.MapKey(m.Map.ID))
		data[i] = ImprovedMap{
			Map: mapRef(m.Map), MapVersion: m.Map.MapVersion, Mode: httpserve.OrNull(m.Map.Mode),
			FirstFinishTime: int64(m.FirstTime), Best: toImprovementRecord(m.Best), Improvements: m.Improvements,
			ImprovedBy: int64(m.FirstTime - m.Best.FinishTime),
		}
	}
	httpserve.TagCacheable(ctx, keys...)
	return ListImprovements200JSONResponse{
		Success: true, Data: data, Pagination: OffsetPagination{Total: improved.Total, Offset: offset, Limit: limit},
	}, nil
}

// GetImprovement implements GET /players/{id}/improvements/{map}.
func (s *Server) GetImprovement(
	ctx context.Context, req GetImprovementRequestObject,
) (GetImprovementResponseObject, error) {
	player, improvements, err := s.Reader.Improvements(ctx, req.Id, req.Map)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx,
		httpserve.PlayerKey(req.Id), httpserve.PlayerKey(player.ID), httpserve.MapKey(req.Map))
	return GetImprovement200JSONResponse{Success: true, Data: httpserve.List(improvements, toImprovement)}, nil
}

func toImprovement(i leaderboard.Improvement) Improvement {
	wire := Improvement{ImprovementRecord: toImprovementRecord(i.BestRecord)}
	if i.PreviousBest > 0 {
		wire.ImprovedBy = new(int64(i.PreviousBest - i.FinishTime))
	}
	return wire
}

func toImprovementRecord(r leaderboard.BestRecord) ImprovementRecord {
	return ImprovementRecord{
		UnderscoreId: r.ID, FinishTime: int64(r.FinishTime), CreatedAt: httpserve.TimeText(r.CreatedAt),
	}
}
