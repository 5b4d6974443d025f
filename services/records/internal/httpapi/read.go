package httpapi

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/record"
)

// ListRecords implements GET /records.
func (s *Server) ListRecords(ctx context.Context, req ListRecordsRequestObject) (ListRecordsResponseObject, error) {
	p := req.Params
	offset, limit, err := httpserve.OffsetQuery(p.Offset, p.Limit, record.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	list, err := s.list(ctx, p, record.Page{Offset: offset, Limit: limit})
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, append(keysOfList(p), keysOfRecords(list.Records)...)...)
	data := make([]MapRecord, len(list.Records))
	for i, r := range list.Records {
		data[i] = toWire(r)
	}
	return ListRecords200JSONResponse{
		Success: true, Data: data, Pagination: OffsetPagination{Total: list.Total, Offset: offset, Limit: limit},
	}, nil
}

// list reads a leaderboard if a map is given, else the list of all records.
func (s *Server) list(ctx context.Context, p ListRecordsParams, page record.Page) (record.RankedList, error) {
	by, dir, player := string(httpserve.OrZero(p.SortBy)), string(httpserve.OrZero(p.SortDir)), httpserve.OrZero(p.Player)
	if mapID := httpserve.OrZero(p.Map); mapID != "" {
		if err := record.CheckLeaderboardSort(by, dir); err != nil {
			return record.RankedList{}, err
		}
		return s.Reader.Leaderboard(ctx, record.Leaderboard{MapID: mapID, PlayerID: player, Page: page})
	}
	sort, err := record.ParseSort(by, dir)
	if err != nil {
		return record.RankedList{}, err
	}
	return s.Reader.List(ctx, record.List{PlayerID: player, Sort: sort, Page: page})
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

// keysOfRecords returns the keys of the players and maps of records. The rank of a record
// changes with its map.
func keysOfRecords(records []record.RankedRecord) []httpserve.SurrogateKey {
	keys := make([]httpserve.SurrogateKey, 0, 2*len(records))
	for i, r := range records {
		if i == 0 || r.MapID != records[i-1].MapID {
			keys = append(keys, httpserve.MapKey(r.MapID))
		}
		keys = append(keys, httpserve.PlayerKey(r.PlayerID))
	}
	return keys
}

// GetStats implements GET /stats.
func (s *Server) GetStats(ctx context.Context, _ GetStatsRequestObject) (GetStatsResponseObject, error) {
	stats, err := s.Stats.Stats(ctx)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.StatsKey)
	return GetStats200JSONResponse{Success: true, Data: Stats{
		TotalMaps: stats.Maps, TotalPlayers: stats.Players, TotalRecords: stats.Records,
	}}, nil
}

func toWire(r record.RankedRecord) MapRecord {
	createdAt := httpserve.TimeText(r.CreatedAt)
	return MapRecord{
		UnderscoreId:      r.ID,
		Player:            playerRef(r.Player),
		Map:               MapRef{UnderscoreId: r.MapID, Name: r.Map.Name},
		FinishTime:        int64(r.FinishTime),
		FinishTimeStamp:   httpserve.TimeText(r.FinishTimeStamp),
		CreatedAt:         createdAt,
		UpdatedAt:         createdAt, // what is shown of an accepted record never changes
		Medal:             medal(r),
		Rank:              httpserve.OrNull(r.Rank),
		PersonalBest:      r.PersonalBest,
		IsWorldRecord:     r.IsWorldRecord,
		EqualsWorldRecord: r.EqualsWorldRecord,
	}
}

func playerRef(p record.Player) PlayerRef {
	return PlayerRef{
		UnderscoreId: p.ID, Name: p.Name,
		SkinImageUrl: httpserve.OrNull(p.SkinImageURL), SkinColor: httpserve.OrNull(p.SkinColor),
	}
}
