package httpapi

import (
	"bytes"
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
)

// ComparePlayers implements GET /players/{id}/compare/{opponent}.
func (s *Server) ComparePlayers(
	ctx context.Context, req ComparePlayersRequestObject,
) (ComparePlayersResponseObject, error) {
	p := req.Params
	offset, limit, err := httpserve.OffsetQuery(p.Offset, p.Limit, leaderboard.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	order, err := leaderboard.ParseComparisonOrder(string(httpserve.OrZero(p.SortBy)))
	if err != nil {
		return nil, err
	}
	compared, err := s.Reader.Compare(ctx, leaderboard.Comparison{
		FirstID: req.Id, SecondID: req.Opponent, Order: order, BehindBelow: p.BehindBelow,
		Page: leaderboard.Page{Offset: offset, Limit: limit},
	})
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, keysOfCompared(req.Id, req.Opponent, compared)...)
	return ComparePlayers200JSONResponse{
		Success: true, Data: toComparison(compared),
		Pagination: OffsetPagination{Total: compared.Total, Offset: offset, Limit: limit},
	}, nil
}

// PreviewComparison implements GET /players/{id}/compare/{opponent}/preview.png.
func (s *Server) PreviewComparison(
	ctx context.Context, req PreviewComparisonRequestObject,
) (PreviewComparisonResponseObject, error) {
	compared, err := s.Reader.Compare(ctx, leaderboard.Comparison{FirstID: req.Id, SecondID: req.Opponent})
	if err != nil {
		return nil, err
	}
	drawn, err := s.Previews.Render(ctx, compared.Preview())
	if err != nil {
		return nil, err
	}
	httpserve.TagPicture(ctx, keysOfCompared(req.Id, req.Opponent, compared)...)
	return PreviewComparison200ImagepngResponse{Body: bytes.NewReader(drawn)}, nil
}

// keysOfCompared returns the keys of both players, also of one who was merged into another, and of the maps shown.
func keysOfCompared(firstID, secondID string, c leaderboard.Compared) []httpserve.SurrogateKey {
	keys := []httpserve.SurrogateKey{
		httpserve.PlayerKey(firstID), httpserve.PlayerKey(secondID),
		httpserve.PlayerKey(c.First.ID), httpserve.PlayerKey(c.Second.ID),
	}
	for _, m := range c.Maps {
		keys = append(keys, httpserve.MapKey(m.Map.ID))
	}
	return keys
}

func toComparison(c leaderboard.Compared) Comparison {
	return Comparison{
		Player: playerRef(c.First), Opponent: playerRef(c.Second), Score: toScore(c.Score),
		Modes: httpserve.List(c.Modes, func(m leaderboard.ModeScore) ModeScore {
			return ModeScore{Mode: httpserve.OrNull(m.Mode), Score: toScore(m.Score)}
		}),
		Maps: httpserve.List(c.Maps, func(m leaderboard.CommonMap) ComparedMap {
			return ComparedMap{
				Map: mapRef(m.Map), Mode: httpserve.OrNull(m.Map.Mode),
				Player: toCompared(m.First), Opponent: toCompared(m.Second), Difference: int64(m.Difference()),
			}
		}),
	}
}

func toScore(s leaderboard.Score) Score { return Score{Wins: s.Wins, Losses: s.Losses, Ties: s.Ties} }

func toCompared(r leaderboard.CommonRecord) ComparedRecord {
	return ComparedRecord{UnderscoreId: r.ID, FinishTime: int64(r.FinishTime)}
}
