package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

// GetMap implements GET /maps/{id}.
func (s *Server) GetMap(ctx context.Context, req GetMapRequestObject) (GetMapResponseObject, error) {
	entry, err := s.Reader.Get(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, keysOfEntry(entry)...)
	return GetMap200JSONResponse{Success: true, Data: toWire(entry)}, nil
}

// keysOfEntry returns the keys of a map and of the players that are shown with it.
func keysOfEntry(e parkourmap.Entry) []httpserve.SurrogateKey {
	keys := []httpserve.SurrogateKey{httpserve.MapKey(e.ID), httpserve.PlayerKey(e.AuthorID)}
	if e.SubmittedByID != e.AuthorID {
		keys = append(keys, httpserve.PlayerKey(e.SubmittedByID))
	}
	return keys
}

// SearchMaps implements GET /maps/search.
func (s *Server) SearchMaps(ctx context.Context, req SearchMapsRequestObject) (SearchMapsResponseObject, error) {
	number, limit, err := httpserve.PageQuery(req.Params.Page, req.Params.Limit, parkourmap.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	search, err := searchOf(req.Params)
	if err != nil {
		return nil, err
	}
	search.Limit, search.Offset = limit, (number-1)*limit
	found, err := s.Reader.Search(ctx, search)
	if err != nil {
		return nil, err
	}
	keys, data := keysOfSearch(search), make([]ParkourMap, len(found.Entries))
	for i, entry := range found.Entries {
		keys = append(keys, keysOfEntry(entry)...)
		data[i] = toWire(entry)
	}
	httpserve.TagCacheable(ctx, keys...)
	return SearchMaps200JSONResponse{Success: true, Data: data, Pagination: Pagination{
		Total: found.Total, Page: number, Limit: limit, Pages: (found.Total + int64(limit) - 1) / int64(limit),
	}}, nil
}

// searchOf returns the filters and the order of a request. It returns the errors of
// parkourmap.ParseSort and ParseMode.
func searchOf(params SearchMapsParams) (parkourmap.Search, error) {
	sort, descending, err := parkourmap.ParseSort(
		string(httpserve.OrZero(params.SortBy)),
		string(httpserve.OrZero(params.SortDir)),
	)
	if err != nil {
		return parkourmap.Search{}, err
	}
	mode, err := parkourmap.ParseMode(string(httpserve.OrZero(params.GameMode)))
	if err != nil {
		return parkourmap.Search{}, err
	}
	return parkourmap.Search{
		Name: httpserve.OrZero(
			params.Name,
		),
		Author:     httpserve.OrZero(params.Author),
		AuthorID:   httpserve.OrZero(params.AuthorId),
		Mode:       mode,
		Tags:       parkourmap.ParseTags(httpserve.OrZero(params.Tags)),
		SortBy:     sort,
		Descending: descending,
	}, nil
}

// keysOfSearch returns the keys of what decides which maps are found and in which order.
func keysOfSearch(search parkourmap.Search) []httpserve.SurrogateKey {
	keys := []httpserve.SurrogateKey{httpserve.MapsKey}
	if search.SortBy == parkourmap.ByRecords {
		keys = append(keys, httpserve.MapsByRecordsKey)
	}
	if search.Author != "" {
		keys = append(keys, httpserve.MapsByAuthorKey)
	}
	return keys
}

// PopularTags implements GET /maps/popular-tags.
func (s *Server) PopularTags(ctx context.Context, _ PopularTagsRequestObject) (PopularTagsResponseObject, error) {
	tags, err := s.Reader.PopularTags(ctx)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.MapsKey)
	return PopularTags200JSONResponse{Success: true, Data: append([]string{}, tags...)}, nil
}
