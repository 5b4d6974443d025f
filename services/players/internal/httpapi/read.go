package httpapi

import (
	"bytes"
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/players/internal/player"
)

// defaultLimit is the players' page size where a request names none.
const defaultLimit = 12

// GetPlayer implements GET /players/{id}.
func (s *Server) GetPlayer(ctx context.Context, req GetPlayerRequestObject) (GetPlayerResponseObject, error) {
	profile, err := s.Reader.GetProfile(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.PlayerKey(profile.ID))
	return GetPlayer200JSONResponse{Success: true, Data: toWire(profile)}, nil
}

// SearchPlayers implements GET /players/search.
func (s *Server) SearchPlayers(
	ctx context.Context, req SearchPlayersRequestObject,
) (SearchPlayersResponseObject, error) {
	number, limit, err := httpserve.PageQuery(req.Params.Page, req.Params.Limit, defaultLimit)
	if err != nil {
		return nil, err
	}
	by, direction := httpserve.OrZero(req.Params.SortBy), httpserve.OrZero(req.Params.SortDir)
	sort, err := player.ParseSort(string(by), string(direction))
	if err != nil {
		return nil, err
	}
	found, total, err := s.Reader.Search(ctx, player.Search{
		Name: httpserve.OrZero(req.Params.Name), Sort: sort, Limit: limit, Offset: (number - 1) * limit,
	})
	if err != nil {
		return nil, err
	}
	keys := []httpserve.SurrogateKey{httpserve.PlayersKey}
	for _, p := range found {
		keys = append(keys, httpserve.PlayerKey(p.ID))
	}
	httpserve.TagCacheable(ctx, keys...)
	return SearchPlayers200JSONResponse{
		Success: true, Data: httpserve.List(found, toWire),
		Pagination: Pagination(httpserve.PaginationOf(total, number, limit)),
	}, nil
}

// ListPlayerIDs implements GET /players/ids.
func (s *Server) ListPlayerIDs(
	ctx context.Context, req ListPlayerIDsRequestObject,
) (ListPlayerIDsResponseObject, error) {
	number, limit, err := httpserve.PageQuery(req.Params.Page, nil, player.IDPageSize)
	if err != nil {
		return nil, err
	}
	ids, total, err := s.Reader.ListIDs(ctx, limit, (number-1)*limit)
	if err != nil {
		return nil, err
	}
	data := httpserve.List(ids, func(id player.ListedID) EntityId {
		return EntityId{UnderscoreId: id.ID, UpdatedAt: httpserve.TimeText(id.UpdatedAt)}
	})
	httpserve.TagCacheable(ctx, httpserve.PlayersKey)
	return ListPlayerIDs200JSONResponse{
		Success: true, Data: data, Pagination: Pagination(httpserve.PaginationOf(total, number, limit)),
	}, nil
}

func toWire(p player.Profile) Player {
	return Player{
		UnderscoreId: p.ID,
		Name:         p.Name,
		Level:        p.Level,
		SkinImageUrl: httpserve.OrNull(p.AvatarURL()),
		SkinColor:    httpserve.OrNull(p.SkinColor),
		Roles:        append([]string{}, p.Roles...),
		CreatedAt:    httpserve.TimeText(p.CreatedAt),
		UpdatedAt:    httpserve.TimeText(p.UpdatedAt),
		Registered:   p.Registered,
		MapCount:     p.Maps,
		RecordCount:  p.Records,
		Trophies:     []map[string]any{},
	}
}

// PreviewPlayer implements GET /players/{id}/preview.png.
func (s *Server) PreviewPlayer(
	ctx context.Context, req PreviewPlayerRequestObject,
) (PreviewPlayerResponseObject, error) {
	profile, preview, err := s.Reader.Preview(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	drawn, err := s.Previews.Render(ctx, preview)
	if err != nil {
		return nil, err
	}
	httpserve.TagComputed(ctx, httpserve.PlayerKey(profile.ID)) // it shows points
	return PreviewPlayer200ImagepngResponse{Body: bytes.NewReader(drawn)}, nil
}
