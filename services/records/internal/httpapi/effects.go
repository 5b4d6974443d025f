package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
)

// GetRecordEffects implements GET /records/{id}/effects.
func (s *Server) GetRecordEffects(
	ctx context.Context, req GetRecordEffectsRequestObject,
) (GetRecordEffectsResponseObject, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	effects, err := s.Effects.OfRemoval(ctx, actor, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagPrivate(ctx)
	wire := RecordEffects{MovedUp: effects.MovedUp, NextBest: effects.NextBest, WorldRecord: effects.WorldRecord}
	if next := effects.Successor; next != nil {
		wire.NextWorldRecord = &WorldRecordSuccessor{
			UnderscoreId: next.ID, FinishTime: int64(next.FinishTime), Player: playerRef(next.Player),
		}
	}
	return GetRecordEffects200JSONResponse{Success: true, Data: wire}, nil
}

// GetHidingEffects implements GET /players/{id}/records/effects.
func (s *Server) GetHidingEffects(
	ctx context.Context, req GetHidingEffectsRequestObject,
) (GetHidingEffectsResponseObject, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	effects, err := s.Effects.OfHiding(ctx, actor, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagPrivate(ctx)
	return GetHidingEffects200JSONResponse{Success: true, Data: HidingEffects{
		Records: effects.Records, Maps: effects.Maps, WorldRecords: effects.WorldRecords, GivenBack: effects.GivenBack,
	}}, nil
}

// GetMapEffects implements GET /maps/{id}/effects.
func (s *Server) GetMapEffects(ctx context.Context, req GetMapEffectsRequestObject) (GetMapEffectsResponseObject, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	effects, err := s.Effects.OfMap(ctx, actor, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagPrivate(ctx)
	return GetMapEffects200JSONResponse{Success: true, Data: MapEffects{
		Records: effects.Records, Players: effects.Players,
		Medals: MedalHolders{
			Author: effects.Medals.Author, Gold: effects.Medals.Gold, Silver: effects.Medals.Silver,
			Bronze: effects.Medals.Bronze,
		},
	}}, nil
}
