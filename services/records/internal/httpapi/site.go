package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
)

// GetStats implements GET /stats.
func (s *Server) GetStats(ctx context.Context, _ GetStatsRequestObject) (GetStatsResponseObject, error) {
	stats, err := s.Reader.Stats(ctx)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.StatsKey)
	return GetStats200JSONResponse{Success: true, Data: Stats{
		TotalMaps: stats.Maps, TotalPlayers: stats.Players, TotalRecords: stats.Records,
	}}, nil
}
