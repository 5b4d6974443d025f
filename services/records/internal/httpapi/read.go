package httpapi

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
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
	httpserve.TagCacheable(ctx, append(keysOfList(p), keysOfEntries(page.Entries)...)...)
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
	httpserve.TagCacheable(ctx, keysOfEntries([]record.Entry{entry})...)
	return GetRecord200JSONResponse{Success: true, Data: toWire(entry)}, nil
}

// keysOfList returns the keys of what a list is selected by: a map, a player, both or
// neither. A player id that is not well-formed has no records and no key.
func keysOfList(p ListRecordsParams) (keys []httpserve.SurrogateKey) {
	m, player := orZero(p.Map), orZero(p.Player)
	if m != "" {
		keys = append(keys, httpserve.MapKey(m))
	}
	if event.IsID(player) {
		keys = append(keys, httpserve.PlayerKey(player))
	}
	if m == "" && player == "" {
		keys = append(keys, httpserve.RecordsKey)
	}
	return keys
}

// keysOfEntries returns the keys of the players and maps of records. The rank of a record
// changes with its map.
func keysOfEntries(entries []record.Entry) []httpserve.SurrogateKey {
	keys := make([]httpserve.SurrogateKey, 0, 2*len(entries))
	for i, entry := range entries {
		if i == 0 || entry.MapID != entries[i-1].MapID {
			keys = append(keys, httpserve.MapKey(entry.MapID))
		}
		keys = append(keys, httpserve.PlayerKey(entry.PlayerID))
	}
	return keys
}

func orZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}
