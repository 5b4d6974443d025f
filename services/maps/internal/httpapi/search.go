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
	search.Page = parkourmap.Page{Offset: (number - 1) * limit, Limit: limit}
	if after := httpserve.OrZero(req.Params.After); after != "" {
		position, err := search.ParseCursor(after)
		if err != nil {
			return nil, err
		}
		search.After = &position
	}
	if search.IsPrivate() {
		caller, err := httpserve.Actor(ctx)
		if err != nil {
			return nil, err
		}
		search.CallerID = caller.ID
	}
	found, err := s.Reader.Search(ctx, search)
	if err != nil {
		return nil, err
	}
	keys, data := keysOfSearch(search), make([]ParkourMap, len(found.Entries))
	for i, entry := range found.Entries {
		keys = append(keys, keysOfEntry(entry)...)
		data[i] = toWire(entry)
	}
	if search.IsPrivate() {
		httpserve.TagPrivate(ctx)
	} else {
		httpserve.TagCacheable(ctx, keys...)
	}
	pages := httpserve.PaginationOf(found.Total, number, limit)
	pagination := MapPagination{Total: pages.Total, Page: pages.Page, Limit: pages.Limit, Pages: pages.Pages}
	if found.Next != nil {
		pagination.Next = httpserve.OrNull(search.Cursor(*found.Next))
	}
	return SearchMaps200JSONResponse{Success: true, Data: data, Pagination: pagination}, nil
}

// searchOf returns the filters and the order of a request. It returns the errors of
// parkourmap.ParseSort, ParseMode and ParseProgress.
func searchOf(params SearchMapsParams) (parkourmap.Search, error) {
	sort, err := parkourmap.ParseSort(string(httpserve.OrZero(params.SortBy)), string(httpserve.OrZero(params.SortDir)))
	if err != nil {
		return parkourmap.Search{}, err
	}
	mode, err := parkourmap.ParseMode(string(httpserve.OrZero(params.GameMode)))
	if err != nil {
		return parkourmap.Search{}, err
	}
	progress, err := parkourmap.ParseProgress(string(httpserve.OrZero(params.Progress)))
	if err != nil {
		return parkourmap.Search{}, err
	}
	return parkourmap.Search{
		Name:     httpserve.OrZero(params.Name),
		Author:   httpserve.OrZero(params.Author),
		AuthorID: httpserve.OrZero(params.AuthorId),
		Mode:     mode,
		Tags:     parkourmap.ParseTags(httpserve.OrZero(params.Tags)),
		Progress: progress,
		Sort:     sort,
	}, nil
}

// keysOfSearch returns the keys of what decides which maps are found and in which order.
func keysOfSearch(search parkourmap.Search) []httpserve.SurrogateKey {
	keys := []httpserve.SurrogateKey{httpserve.MapsKey}
	if search.Sort.By == parkourmap.ByRecords {
		keys = append(keys, httpserve.MapsByRecordsKey)
	}
	if search.Author != "" {
		keys = append(keys, httpserve.MapsByAuthorKey)
	}
	return keys
}
