package httpapi

import (
	"context"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/points"
)

// ListRankings implements GET /rankings.
func (s *Server) ListRankings(ctx context.Context, req ListRankingsRequestObject) (ListRankingsResponseObject, error) {
	p := req.Params
	number, limit, err := httpserve.PageQuery(p.Page, p.Limit, leaderboard.DefaultRankingPage)
	if err != nil {
		return nil, err
	}
	list, err := s.Rankings.List(ctx, leaderboard.RankingQuery{
		By: string(httpserve.OrZero(p.By)), Mode: httpserve.OrZero(p.Mode), Period: string(httpserve.OrZero(p.Period)),
		Around: httpserve.OrZero(p.Around), IsPaged: p.Page != nil || p.Limit != nil,
		Page: leaderboard.Page{Offset: (number - 1) * limit, Limit: limit},
	})
	if err != nil {
		return nil, err
	}
	keys := httpserve.List(list.Rows, func(row leaderboard.RankingRow) httpserve.SurrogateKey {
		return httpserve.PlayerKey(row.Player.ID)
	})
	httpserve.TagComputed(ctx, keys...)
	pagination := RankingPagination{
		Total: list.Total, Page: number, Limit: limit, Pages: (list.Total + int64(limit) - 1) / int64(limit),
		Offset: list.Offset,
	}
	if httpserve.OrZero(p.Around) != "" {
		pagination.Limit, pagination.Pages = 2*leaderboard.Neighbours+1, 1
	}
	return s.toRanking(list, pagination), nil
}

func (s *Server) toRanking(list leaderboard.ListedRanking, pagination RankingPagination) ListRankings200JSONResponse {
	wire := ListRankings200JSONResponse{
		Success: true, Data: make([]RankingRow, len(list.Rows)), FormulaVersion: points.Version,
		AsOf: httpserve.TimeText(list.AsOf), Thresholds: s.thresholds(), Pagination: pagination,
		PeriodFrom: httpserve.TimeOrNull(list.From), PeriodUntil: httpserve.TimeOrNull(list.Until),
	}
	comparable := list.Of == points.Ranking{Period: points.AllTime, Kind: points.ByPoints}
	for i, row := range list.Rows {
		value := float64(row.Reached[list.Of.Kind])
		if list.Of.Kind == points.ByPoints {
			value = row.Points().Float()
		}
		wire.Data[i] = RankingRow{
			Rank: row.Rank, Player: playerRef(row.Player), Value: value, Points: row.Points().Float(),
			WorldRecords: row.Reached[points.ByWorldRecords], Medals: toRankingMedals(row.Reached),
			Finished: row.Reached[points.ByFinished],
		}
		if comparable && row.WeekAgo.Rank > 0 {
			wire.Data[i].Change7d = &RankChange{
				Points: (row.Points() - row.WeekAgo.Points).Float(), Places: row.WeekAgo.Rank - row.Rank,
			}
		}
	}
	return wire
}

func toRankingMedals(r leaderboard.Reached) RankingMedals {
	return RankingMedals{
		Author: r[points.ByAuthorMedals], Gold: r[points.ByGoldMedals], Silver: r[points.BySilverMedals],
		Bronze: r[points.ByBronzeMedals],
	}
}

// GetPlayerPoints implements GET /players/{id}/points. The answer is never stored, so that a page can wait for the
// points of a record.
func (s *Server) GetPlayerPoints(
	ctx context.Context, req GetPlayerPointsRequestObject,
) (GetPlayerPointsResponseObject, error) {
	offset, limit, err := httpserve.OffsetQuery(req.Params.Offset, req.Params.Limit, leaderboard.DefaultRankingPage)
	if err != nil {
		return nil, err
	}
	of, err := s.Rankings.Player(ctx, req.Id, httpserve.OrZero(req.Params.Mode))
	if err != nil {
		return nil, err
	}
	wire := PlayerPoints{
		Player: playerRef(of.Player), Total: of.Total.Float(), Rank: httpserve.OrNull(of.Rank), Ranked: of.Ranked,
		WorldRecords: of.Reached[points.ByWorldRecords], Medals: toRankingMedals(of.Reached),
		Finished: of.Reached[points.ByFinished], Maps: []PlayerMapPoints{},
		Modes: httpserve.List(of.Modes, func(m leaderboard.ModePoints) ModePoints {
			return ModePoints{Mode: m.Mode, Points: m.Points.Float()}
		}),
		FormulaVersion: points.Version, AsOf: httpserve.TimeText(of.AsOf),
		Thresholds: s.thresholds(), Change7d: toPointsChange(of.Change),
	}
	if of.Missing.Reason != "" {
		wire.Missing = &MissingForRank{
			Reason: MissingForRankReason(of.Missing.Reason), Maps: of.Missing.Maps, Authors: of.Missing.Authors,
		}
	}
	for i := offset; i < min(offset+limit, len(of.Maps)); i++ {
		wire.Maps = append(wire.Maps, s.toMapPoints(of.Maps[i], int64(i+1)))
	}
	return GetPlayerPoints200JSONResponse{
		Success: true, Data: wire, Pagination: OffsetPagination{Total: int64(len(of.Maps)), Offset: offset, Limit: limit},
	}, nil
}

func (s *Server) toMapPoints(m leaderboard.MapStanding, position int64) PlayerMapPoints {
	terms := s.Rankings.Thresholds.On(m.Result)
	return PlayerMapPoints{
		Map: mapRef(m.Map), Mode: httpserve.OrNull(m.Map.Mode), Record: m.RecordID, FinishTime: int64(m.FinishTime),
		Opponents: m.Opponents, Beaten: m.Beaten(), Tied: m.Tied, Place: m.Place(),
		Finish: terms.Finish.Float(), BeatenPoints: terms.Beaten.Float(), PlaceBonus: terms.Place.Float(),
		Points: m.Points.Float(), Position: position, Weight: points.Weight(position),
		Share:            points.Share(m.Points, position).Float(),
		FinishersMissing: max(s.Rankings.Thresholds.Finishers-int(m.Opponents)-1, 0),
	}
}

func toPointsChange(c *leaderboard.PointsChange) *PointsChange {
	if c == nil {
		return nil
	}
	wire := &PointsChange{
		RankChange: RankChange{Points: c.Points.Float(), Places: c.Places},
		Causes:     make([]PointsCause, len(c.Causes)), Rest: c.Rest.Float(), Since: openapi_types.Date{Time: c.Since},
	}
	for i, cause := range c.Causes {
		kind := PointsOfOthers
		switch {
		case cause.Gone:
			kind = PointsGone
		case cause.SetSince:
			kind = PointsImproved
		}
		wire.Causes[i] = PointsCause{
			Map: mapRef(cause.Map), Kind: kind, PointsBefore: cause.Before.Float(), Points: cause.Now.Float(),
			Change: cause.Change.Float(),
		}
	}
	return wire
}

// GetPlayerPointsHistory implements GET /players/{id}/points/history.
func (s *Server) GetPlayerPointsHistory(
	ctx context.Context, req GetPlayerPointsHistoryRequestObject,
) (GetPlayerPointsHistoryResponseObject, error) {
	of, err := s.Rankings.Days(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.PlayerKey(req.Id), httpserve.PlayerKey(of.Player.ID))
	data := httpserve.List(of.Days, func(d leaderboard.DayRank) PointsDay {
		return PointsDay{Day: openapi_types.Date{Time: d.Day}, Points: d.Points.Float(), Rank: httpserve.OrNull(d.Rank)}
	})
	return GetPlayerPointsHistory200JSONResponse{
		Success: true, Data: data, FormulaVersion: points.Version, AsOf: httpserve.TimeText(of.AsOf),
	}, nil
}

// GetMapPoints implements GET /maps/{id}/points.
func (s *Server) GetMapPoints(ctx context.Context, req GetMapPointsRequestObject) (GetMapPointsResponseObject, error) {
	of, err := s.Rankings.Map(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagComputed(ctx, httpserve.MapKey(req.Id))
	wire := MapPoints{
		Ranked: len(of.Places) > 0, Finishers: of.Finishers, FormulaVersion: points.Version,
		AsOf: httpserve.TimeText(of.AsOf), Thresholds: s.thresholds(),
		Places: httpserve.List(of.Places, func(p points.Place) PlacePoints {
			return PlacePoints{
				Place: p.Place, Finish: p.Finish.Float(), BeatenPoints: p.Beaten.Float(), PlaceBonus: p.Terms.Place.Float(),
				Points: p.Points().Float(),
			}
		}),
	}
	switch {
	case of.Map.Unranked:
		wire.Reason, wire.PublicReason = new(UnrankedByModerator), httpserve.OrNull(PublicReason(of.Map.UnrankedReason))
	case of.Map.Superseded:
		wire.Reason = new(UnrankedSuperseded)
	case !wire.Ranked:
		wire.Reason = new(UnrankedFinishers)
	}
	return GetMapPoints200JSONResponse{Success: true, Data: wire}, nil
}

func (s *Server) thresholds() PointsThresholds {
	t := s.Rankings.Thresholds
	return PointsThresholds{Finishers: t.Finishers, Maps: t.Maps, Authors: t.Authors}
}
