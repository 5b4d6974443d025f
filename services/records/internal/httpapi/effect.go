package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
)

// GetRecordEffects implements GET /records/{id}/effects.
func (s *Server) GetRecordEffects(
	ctx context.Context, req GetRecordEffectsRequestObject,
) (GetRecordEffectsResponseObject, error) {
	effects, err := s.Effects.OfRemoval(ctx, httpserve.ActorOf(ctx), req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagPrivate(ctx)
	wire := RecordEffects{MovedUp: effects.MovedUp, NextBest: effects.NextBest, WorldRecord: effects.WorldRecord}
	wire.NextWorldRecord = toSuccessor(effects.Successor)
	if r := effects.Restoration; r != nil {
		wire.Restoration = &RestorationEffects{
			Rank: httpserve.OrNull(r.Rank), MovedDown: r.MovedDown, WorldRecord: r.WorldRecord,
			PresentWorldRecord: toSuccessor(r.Present),
		}
	}
	return GetRecordEffects200JSONResponse{Success: true, Data: wire}, nil
}

func toSuccessor(s *leaderboard.OtherRecord) *WorldRecordSuccessor {
	if s == nil {
		return nil
	}
	return &WorldRecordSuccessor{UnderscoreId: s.ID, FinishTime: int64(s.FinishTime), Player: playerRef(s.Player)}
}

// GetHidingEffects implements GET /players/{id}/records/effects.
func (s *Server) GetHidingEffects(
	ctx context.Context, req GetHidingEffectsRequestObject,
) (GetHidingEffectsResponseObject, error) {
	effects, err := s.Effects.OfHiding(ctx, httpserve.ActorOf(ctx), req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagPrivate(ctx)
	return GetHidingEffects200JSONResponse{Success: true, Data: HidingEffects{
		Hidden: effects.Hidden, Records: effects.Records, Maps: effects.Maps, WorldRecords: effects.WorldRecords,
		GivenBack: effects.GivenBack,
	}}, nil
}

// GetMapEffects implements GET /maps/{id}/effects.
func (s *Server) GetMapEffects(
	ctx context.Context, req GetMapEffectsRequestObject,
) (GetMapEffectsResponseObject, error) {
	effects, err := s.Effects.OfMap(ctx, httpserve.ActorOf(ctx), req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagPrivate(ctx)
	return GetMapEffects200JSONResponse{Success: true, Data: MapEffects{
		Removed: effects.Removed, Records: effects.Records, Players: effects.Players,
		Medals: MedalHolders{
			Author: effects.Medals.Author, Gold: effects.Medals.Gold, Silver: effects.Medals.Silver,
			Bronze: effects.Medals.Bronze,
		},
	}}, nil
}
