package httpapi

import (
	"cmp"
	"context"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// ListRecords implements GET /records.
func (s *Server) ListRecords(ctx context.Context, req ListRecordsRequestObject) (ListRecordsResponseObject, error) {
	p := req.Params
	offset, limit, err := httpserve.OffsetQuery(p.Offset, p.Limit, leaderboard.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	q, err := leaderboard.Selection{
		MapID: httpserve.OrZero(p.Map), PlayerID: httpserve.OrZero(p.Player),
		Around: httpserve.OrZero(p.Around), Following: httpserve.OrZero(p.Following),
		SortBy: string(httpserve.OrZero(p.SortBy)), SortDir: string(httpserve.OrZero(p.SortDir)),
		After: httpserve.OrZero(p.After), IsPaged: p.Offset != nil || p.Limit != nil,
		Page: leaderboard.Page{Offset: offset, Limit: limit},
	}.Parse()
	if err != nil {
		return nil, err
	}
	var by access.Actor
	if q.Following {
		if by, err = httpserve.Actor(ctx); err != nil {
			return nil, err
		}
	}
	list, err := s.Reader.Select(ctx, by, q)
	if err != nil {
		return nil, err
	}
	switch keys := append(keysOfList(q), keysOfRecords(list.Records)...); {
	case q.Following:
		httpserve.TagPrivate(ctx)
	case q.MapID != "": // leaderboards show points, which are computed after records
		httpserve.TagComputed(ctx, keys...)
	default:
		httpserve.TagCacheable(ctx, keys...)
	}
	return toPage(list), nil
}

func toPage(list leaderboard.SelectedPage) ListRecords200JSONResponse {
	data := httpserve.List(list.Records, func(r record.RankedRecord) ListedRecord {
		return ListedRecord{MapRecord: toWire(r), Gap: gap(r.Gap), Points: givenPoints(r.Points)}
	})
	return ListRecords200JSONResponse{Success: true, Data: data, Pagination: RecordPagination{
		Total: list.Total, Offset: list.Offset, Limit: list.Limit, Next: httpserve.OrNull(list.Next),
	}}
}

// keysOfList returns the keys of what a list is selected by: a map, a player, both or
// neither. A player id that is not well-formed has no records and no key.
func keysOfList(q leaderboard.Query) (keys []httpserve.SurrogateKey) {
	player := cmp.Or(q.PlayerID, q.Around)
	if q.MapID != "" {
		keys = append(keys, httpserve.MapKey(q.MapID))
	}
	if event.IsID(player) {
		keys = append(keys, httpserve.PlayerKey(player))
	}
	if q.MapID == "" && player == "" {
		keys = append(keys, httpserve.RecordsKey)
	}
	return keys
}
