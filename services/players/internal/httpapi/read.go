package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/players/internal/player"
)

// defaultLimit is the players' page size where a request names none.
const defaultLimit = 12

// GetPlayer implements GET /players/{id}.
func (s *Server) GetPlayer(ctx context.Context, req GetPlayerRequestObject) (GetPlayerResponseObject, error) {
	profile, err := s.Profiles.GetProfile(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.PlayerKey(profile.ID))
	return GetPlayer200JSONResponse{Success: true, Data: toWire(profile)}, nil
}

// SearchPlayers implements GET /players/search.
func (s *Server) SearchPlayers(ctx context.Context, req SearchPlayersRequestObject) (SearchPlayersResponseObject,
	error) {
	number, limit, err := httpserve.PageQuery(req.Params.Page, req.Params.Limit, defaultLimit)
	if err != nil {
		return nil, err
	}
	sort, descending, err := player.ReadSort(
		string(httpserve.OrZero(req.Params.SortBy)),
		string(httpserve.OrZero(req.Params.SortDir)),
	)
	if err != nil {
		return nil, err
	}
	found, total, err := s.Directory.Search(ctx, player.Query{
		Name: httpserve.OrZero(
			req.Params.Name,
		),
		Sort:       sort,
		Descending: descending,
		Limit:      limit,
		Offset:     (number - 1) * limit,
	})
	if err != nil {
		return nil, err
	}
	keys, data := []httpserve.SurrogateKey{httpserve.PlayersKey}, make([]Player, len(found))
	for i, p := range found {
		keys = append(keys, httpserve.PlayerKey(p.ID))
		data[i] = toWire(p)
	}
	httpserve.TagCacheable(ctx, keys...)
	return SearchPlayers200JSONResponse{
		Success: true, Data: data, Pagination: paginationOf(total, number, limit),
	}, nil
}

// ListPlayerIDs implements GET /players/ids.
func (s *Server) ListPlayerIDs(ctx context.Context, req ListPlayerIDsRequestObject) (ListPlayerIDsResponseObject,
	error) {
	number, limit, err := httpserve.PageQuery(req.Params.Page, nil, player.IDsPerPage)
	if err != nil {
		return nil, err
	}
	listed, total, err := s.IDs.ListIDs(ctx, limit, (number-1)*limit)
	if err != nil {
		return nil, err
	}
	data := make([]EntityId, len(listed))
	for i, p := range listed {
		data[i] = EntityId{UnderscoreId: p.ID, UpdatedAt: httpserve.TimeText(p.UpdatedAt)}
	}
	httpserve.TagCacheable(ctx, httpserve.PlayersKey)
	return ListPlayerIDs200JSONResponse{
		Success: true, Data: data, Pagination: paginationOf(total, number, limit),
	}, nil
}

func paginationOf(total int64, page, limit int) Pagination {
	size := int64(limit)
	return Pagination{Total: total, Page: page, Limit: limit, Pages: (total + size - 1) / size}
}
