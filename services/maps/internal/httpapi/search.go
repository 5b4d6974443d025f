package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

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
