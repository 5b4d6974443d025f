package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

// importedPageSize is the number of maps without a replay on a page where the request names none.
const importedPageSize = 25

// SearchListedMaps implements GET /maps/listed.
func (s *Server) SearchListedMaps(
	ctx context.Context, req SearchListedMapsRequestObject,
) (SearchListedMapsResponseObject, error) {
	number, limit, err := httpserve.PageQuery(req.Params.Page, req.Params.Limit, importedPageSize)
	if err != nil {
		return nil, err
	}
	page := parkourmap.Page{Offset: (number - 1) * limit, Limit: limit}
	found, total, err := s.Reader.SearchWithoutReplay(ctx, httpserve.OrZero(req.Params.Name), page)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.MapsKey)
	return SearchListedMaps200JSONResponse{
		Success: true, Data: httpserve.List(found, importedToWire),
		Pagination: Pagination(httpserve.PaginationOf(total, number, limit)),
	}, nil
}

// GetListedMap implements GET /maps/listed/{id}.
func (s *Server) GetListedMap(ctx context.Context, req GetListedMapRequestObject) (GetListedMapResponseObject, error) {
	m, err := s.Reader.GetImported(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.MapsKey)
	return GetListedMap200JSONResponse{Success: true, Data: importedToWire(m)}, nil
}

func importedToWire(m parkourmap.ImportedMap) ListedMap {
	return ListedMap{
		UnderscoreId: m.ID, BonkDbId: m.GameMapID, Name: m.Name, Authors: append([]string{}, m.Authors...),
		Page: httpserve.OrNull(m.Page), ImportedAt: httpserve.TimeText(m.ImportedAt),
		UpdatedAt: httpserve.TimeText(m.UpdatedAt), MapId: httpserve.OrNull(m.MapID),
	}
}
