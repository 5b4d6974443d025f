package httpapi

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/pages"
	"capzone.dev/services/records/internal/record"
)

// ListRecords implements GET /records.
func (s *server) ListRecords(ctx context.Context, req ListRecordsRequestObject) (ListRecordsResponseObject, error) {
	p := req.Params
	offset, limit, err := httpserve.OffsetQuery(p.Offset, p.Limit, record.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	page, err := s.page(ctx, p, record.Window{Offset: offset, Limit: limit})
	if err != nil {
		return nil, err
	}
	pages.Show(ctx, append(ofList(p), ofEntries(page.Entries)...)...)
	data := make([]MapRecord, len(page.Entries))
	for i, entry := range page.Entries {
		data[i] = toWire(entry)
	}
	return ListRecords200JSONResponse{
		Success: true, Data: data, Pagination: OffsetPagination{Total: page.Total, Offset: offset, Limit: limit},
	}, nil
}

// page reads a leaderboard where a map is named, else the list of all runs.
func (s *server) page(ctx context.Context, p ListRecordsParams, window record.Window) (record.Page, error) {
	by, dir, player := string(orZero(p.SortBy)), string(orZero(p.SortDir)), orZero(p.Player)
	if m := orZero(p.Map); m != "" {
		if err := record.CheckLeaderboardSort(by, dir); err != nil {
			return record.Page{}, err
		}
		return s.use.Reader.Leaderboard(ctx, record.Leaderboard{MapID: m, PlayerID: player, Window: window})
	}
	sort, err := record.ReadSort(by, dir)
	if err != nil {
		return record.Page{}, err
	}
	return s.use.Reader.List(ctx, record.List{PlayerID: player, Sort: sort, Window: window})
}

// GetRecord implements GET /records/{id}.
func (s *server) GetRecord(ctx context.Context, req GetRecordRequestObject) (GetRecordResponseObject, error) {
	entry, err := s.use.Reader.Get(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	pages.Show(ctx, ofEntries([]record.Entry{entry})...)
	return GetRecord200JSONResponse{Success: true, Data: toWire(entry)}, nil
}

// ofList names what a list is made of besides its entries: the runs of a map, of
// a player, or all. A player who is asked for by what is no id has none.
func ofList(p ListRecordsParams) (tags []pages.Tag) {
	m, player := orZero(p.Map), orZero(p.Player)
	if m != "" {
		tags = append(tags, pages.Map(m))
	}
	if event.IsID(player) {
		tags = append(tags, pages.Player(player))
	}
	if m == "" && player == "" {
		tags = append(tags, pages.Runs)
	}
	return tags
}

// ofEntries names whose runs are shown, and on which maps. The rank of a run
// belongs to its map.
func ofEntries(entries []record.Entry) []pages.Tag {
	tags := make([]pages.Tag, 0, 2*len(entries))
	for i, entry := range entries {
		if i == 0 || entry.MapID != entries[i-1].MapID {
			tags = append(tags, pages.Map(entry.MapID))
		}
		tags = append(tags, pages.Player(entry.PlayerID))
	}
	return tags
}

func orZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}
