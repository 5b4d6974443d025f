package httpapi

import (
	"cmp"
	"context"
	"strings"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// ListRecords implements GET /records.
func (s *Server) ListRecords(ctx context.Context, req ListRecordsRequestObject) (ListRecordsResponseObject, error) {
	p := req.Params
	if httpserve.OrZero(p.Following) {
		return s.listFollowed(ctx, p)
	}
	if around := httpserve.OrZero(p.Around); around != "" {
		return s.listAround(ctx, around, p)
	}
	offset, limit, err := httpserve.OffsetQuery(p.Offset, p.Limit, leaderboard.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	sort, err := sortOf(p)
	if err != nil {
		return nil, err
	}
	after, err := afterOf(p, sort)
	if err != nil {
		return nil, err
	}
	var list leaderboard.RankedList
	asked, player := leaderboard.Page{Offset: offset, Limit: limit}, httpserve.OrZero(p.Player)
	if mapID := httpserve.OrZero(p.Map); mapID != "" {
		list, err = s.Reader.Leaderboard(ctx,
			leaderboard.Leaderboard{MapID: mapID, PlayerID: player, After: after, Page: asked})
	} else {
		list, err = s.Reader.List(ctx, leaderboard.List{PlayerID: player, Sort: sort, After: after, Page: asked})
	}
	if err != nil {
		return nil, err
	}
	page := toCacheablePage(ctx, p, list, offset, limit)
	if list.HasNext {
		last := list.Records[len(list.Records)-1].Record
		page.Pagination.Next = new(leaderboard.PositionOf(last, sort.By).Cursor(sort, listOf(p)))
	}
	return page, nil
}

// sortOf returns the order of a list. A leaderboard has one.
func sortOf(p ListRecordsParams) (leaderboard.Sort, error) {
	if httpserve.OrZero(p.Map) == "" {
		return leaderboard.ParseSort(orderOf(p))
	}
	return leaderboard.FastestFirst, leaderboard.CheckLeaderboardSort(orderOf(p))
}

// listOf returns the id of the map or of the player whose records are listed, and an empty text for all records.
func listOf(p ListRecordsParams) string {
	return strings.ToLower(cmp.Or(httpserve.OrZero(p.Map), httpserve.OrZero(p.Player)))
}

// afterOf returns the position after which a page begins, and nil for one that is asked for by its offset.
func afterOf(p ListRecordsParams, sort leaderboard.Sort) (*leaderboard.Position, error) {
	cursor := httpserve.OrZero(p.After)
	if cursor == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	isRow := httpserve.OrZero(p.Map) != "" && httpserve.OrZero(p.Player) != ""
	if isRow || httpserve.OrZero(p.Offset) != 0 {
		return nil, leaderboard.ErrAfterInvalid
	}
	after, err := leaderboard.ParseCursor(cursor, sort, listOf(p))
	if err != nil {
		return nil, err
	}
	return &after, nil
}

// listFollowed answers with the rows of the caller and of the players whom the caller follows.
func (s *Server) listFollowed(ctx context.Context, p ListRecordsParams) (ListRecordsResponseObject, error) {
	mapID := httpserve.OrZero(p.Map)
	if mapID == "" || httpserve.OrZero(p.Player) != "" || httpserve.OrZero(p.Around) != "" {
		return nil, leaderboard.ErrFollowingInvalid
	}
	if httpserve.OrZero(p.After) != "" {
		return nil, leaderboard.ErrAfterInvalid
	}
	offset, limit, err := httpserve.OffsetQuery(p.Offset, p.Limit, leaderboard.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	if err := leaderboard.CheckLeaderboardSort(orderOf(p)); err != nil {
		return nil, err
	}
	caller, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.Reader.FollowedLeaderboard(ctx, caller, mapID, leaderboard.Page{Offset: offset, Limit: limit})
	if err != nil {
		return nil, err
	}
	httpserve.TagPrivate(ctx)
	return toPage(list, offset, limit), nil
}

// listAround answers with the rows around a player's own on a leaderboard.
func (s *Server) listAround(
	ctx context.Context, player string, p ListRecordsParams,
) (ListRecordsResponseObject, error) {
	mapID := httpserve.OrZero(p.Map)
	if mapID == "" || httpserve.OrZero(p.Player) != "" || p.Offset != nil || p.Limit != nil ||
		httpserve.OrZero(p.After) != "" {
		return nil, leaderboard.ErrAroundInvalid
	}
	if err := leaderboard.CheckLeaderboardSort(orderOf(p)); err != nil {
		return nil, err
	}
	query := leaderboard.Leaderboard{MapID: mapID, PlayerID: player, Neighbours: leaderboard.Neighbours}
	list, err := s.Reader.Leaderboard(ctx, query)
	if err != nil {
		return nil, err
	}
	offset := 0
	if len(list.Records) > 0 {
		offset = int(list.Records[0].Rank) - 1
	}
	p.Player = &player
	return toCacheablePage(ctx, p, list, offset, 2*leaderboard.Neighbours+1), nil
}

// toCacheablePage returns a page of records, which the gateway may store. Leaderboards show points, which are computed
// after records.
func toCacheablePage(
	ctx context.Context, p ListRecordsParams, list leaderboard.RankedList, offset, limit int,
) ListRecords200JSONResponse {
	tag := httpserve.TagCacheable
	if httpserve.OrZero(p.Map) != "" {
		tag = httpserve.TagComputed
	}
	tag(ctx, append(keysOfList(p), keysOfRecords(list.Records)...)...)
	return toPage(list, offset, limit)
}

func toPage(list leaderboard.RankedList, offset, limit int) ListRecords200JSONResponse {
	data := httpserve.List(list.Records, func(r record.RankedRecord) ListedRecord {
		return ListedRecord{MapRecord: toWire(r), Gap: gap(r.Gap), Points: givenPoints(r.Points)}
	})
	return ListRecords200JSONResponse{
		Success: true, Data: data, Pagination: RecordPagination{Total: list.Total, Offset: offset, Limit: limit},
	}
}

func orderOf(p ListRecordsParams) (by, dir string) {
	return string(httpserve.OrZero(p.SortBy)), string(httpserve.OrZero(p.SortDir))
}

// keysOfList returns the keys of what a list is selected by: a map, a player, both or
// neither. A player id that is not well-formed has no records and no key.
func keysOfList(p ListRecordsParams) (keys []httpserve.SurrogateKey) {
	mapID, player := httpserve.OrZero(p.Map), httpserve.OrZero(p.Player)
	if mapID != "" {
		keys = append(keys, httpserve.MapKey(mapID))
	}
	if event.IsID(player) {
		keys = append(keys, httpserve.PlayerKey(player))
	}
	if mapID == "" && player == "" {
		keys = append(keys, httpserve.RecordsKey)
	}
	return keys
}
