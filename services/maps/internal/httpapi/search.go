package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/pages"
	"capzone.dev/services/maps/internal/parkourmap"
)

// SearchMaps implements GET /maps/search.
func (s *server) SearchMaps(ctx context.Context, req SearchMapsRequestObject) (SearchMapsResponseObject, error) {
	number, limit, err := httpserve.PageQuery(req.Params.Page, req.Params.Limit, parkourmap.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	sort, descending, err := parkourmap.ReadSort(string(orZero(req.Params.SortBy)), string(orZero(req.Params.SortDir)))
	if err != nil {
		return nil, err
	}
	mode, err := parkourmap.ReadMode(string(orZero(req.Params.GameMode)))
	if err != nil {
		return nil, err
	}
	search := parkourmap.Search{
		Name: orZero(req.Params.Name), Author: orZero(req.Params.Author), AuthorID: orZero(req.Params.AuthorId),
		Mode: mode, Tags: parkourmap.ReadTags(orZero(req.Params.Tags)),
		SortBy: sort, Descending: descending, Limit: limit, Offset: (number - 1) * limit,
	}
	found, err := s.use.Reader.Search(ctx, search)
	if err != nil {
		return nil, err
	}
	tags, data := ofSearch(search), make([]ParkourMap, len(found.Entries))
	for i, entry := range found.Entries {
		tags = append(tags, ofEntry(entry)...)
		data[i] = toWire(entry)
	}
	pages.Show(ctx, tags...)
	return SearchMaps200JSONResponse{Success: true, Data: data, Pagination: Pagination{
		Total: found.Total, Page: number, Limit: limit, Pages: (found.Total + int64(limit) - 1) / int64(limit),
	}}, nil
}

// ofSearch names what decides which maps are found and how they are sorted.
func ofSearch(search parkourmap.Search) []pages.Tag {
	tags := []pages.Tag{pages.Maps}
	if search.SortBy == parkourmap.ByRecords {
		tags = append(tags, pages.MapRecords)
	}
	if search.Author != "" {
		tags = append(tags, pages.AuthorNames)
	}
	return tags
}

// PopularTags implements GET /maps/popular-tags.
func (s *server) PopularTags(ctx context.Context, _ PopularTagsRequestObject) (PopularTagsResponseObject, error) {
	tags, err := s.use.Reader.PopularTags(ctx)
	if err != nil {
		return nil, err
	}
	pages.Show(ctx, pages.Maps)
	return PopularTags200JSONResponse{Success: true, Data: append([]string{}, tags...)}, nil
}

func orZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}
