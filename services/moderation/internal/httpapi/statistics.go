package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/moderation/internal/moderation"
)

// ListFlagPrecision implements GET /desk/flags/precision.
func (s *Server) ListFlagPrecision(
	ctx context.Context, _ ListFlagPrecisionRequestObject,
) (ListFlagPrecisionResponseObject, error) {
	precisions, err := s.Statistics.FlagPrecisions(ctx, httpserve.ActorOf(ctx))
	data := httpserve.List(precisions, func(p moderation.FlagPrecision) FlagPrecision {
		return FlagPrecision{Kind: FlagKind(p.Kind), Judged: p.Closed, Confirmed: p.Confirmed, Silent: p.IsSilent()}
	})
	return ListFlagPrecision200JSONResponse{Success: true, Data: data}, err
}

// GetModeration implements GET /moderation.
func (s *Server) GetModeration(ctx context.Context, _ GetModerationRequestObject) (GetModerationResponseObject, error) {
	m, err := s.Statistics.Summary(ctx)
	if err != nil {
		return nil, err
	}
	wire := ModerationSummary{
		Days: moderation.SummaryDays, OpenCases: m.OpenCases, Reports: m.Reports, ClosedCases: m.ClosedCases,
		Undone: m.Undone, AppealsOpen: m.AppealsOpen, AppealsGranted: m.AppealsGranted, AppealsKept: m.AppealsKept,
		Decisions: []DecisionCount{},
	}
	for _, kind := range moderation.DecisionKinds {
		if count := m.Decisions[kind]; count > 0 {
			wire.Decisions = append(wire.Decisions, DecisionCount{Kind: DecisionKind(kind), Count: count})
		}
	}
	if m.MedianMinutes >= 0 {
		wire.MedianMinutes = &m.MedianMinutes
	}
	return GetModeration200JSONResponse{Success: true, Data: wire}, nil
}

// GetRecordModeration implements GET /moderation/records/{id}.
func (s *Server) GetRecordModeration(
	ctx context.Context, req GetRecordModerationRequestObject,
) (GetRecordModerationResponseObject, error) {
	has, err := s.Statistics.HasFlaggedCase(ctx, req.Id)
	return GetRecordModeration200JSONResponse{Success: true, Data: RecordModeration{BeingLookedAt: has}}, err
}
