package httpapi

import (
	"bytes"
	"cmp"
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

// GetRecord implements GET /records/{id}.
func (s *Server) GetRecord(ctx context.Context, req GetRecordRequestObject) (GetRecordResponseObject, error) {
	details, err := s.Reader.Details(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	keys := keysOfRecords([]record.RankedRecord{details.RankedRecord})
	keys = append(keys, httpserve.PlayerKey(details.WorldRecord.Player.ID), httpserve.PlayerKey(details.Above.Player.ID))
	httpserve.TagCacheable(ctx, keys...)
	return GetRecord200JSONResponse{Success: true, Data: toDetails(details)}, nil
}

func toDetails(d leaderboard.Details) RecordDetails {
	wire := RecordDetails{
		MapRecord:           toWire(d.RankedRecord),
		RankAtSubmission:    httpserve.OrNull(d.RankAtSubmission),
		PreviousBest:        httpserve.OrNull(int64(d.PreviousBest)),
		PreviousWorldRecord: httpserve.OrNull(int64(d.PreviousWorldRecord)),
		MapVersion:          d.Map.MapVersion,
		NewestVersion:       !d.Map.Superseded,
	}
	if d.WorldRecord.ID != "" {
		wire.WorldRecord = &WorldRecord{
			UnderscoreId: d.WorldRecord.ID, FinishTime: int64(d.WorldRecord.FinishTime), Player: playerRef(d.WorldRecord.Player),
		}
	}
	if above := d.Above; above.ID != "" {
		wire.NextAbove = &RowAbove{
			UnderscoreId: above.ID, Player: playerRef(above.Player), FinishTime: int64(above.FinishTime),
			Rank: d.Rank - 1, Gap: int64(d.FinishTime - above.FinishTime),
		}
	}
	return wire
}

// PreviewRecord implements GET /records/{id}/preview.png.
func (s *Server) PreviewRecord(
	ctx context.Context, req PreviewRecordRequestObject,
) (PreviewRecordResponseObject, error) {
	details, err := s.Reader.Details(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	drawn, err := s.Previews.Render(ctx, details.Preview())
	if err != nil {
		return nil, err
	}
	httpserve.TagPicture(ctx, keysOfRecords([]record.RankedRecord{details.RankedRecord})...)
	return PreviewRecord200ImagepngResponse{Body: bytes.NewReader(drawn)}, nil
}

func toWire(r record.RankedRecord) MapRecord {
	createdAt := httpserve.TimeText(r.CreatedAt)
	return MapRecord{
		UnderscoreId:      r.ID,
		Player:            playerRef(r.Player),
		Map:               mapRef(r.Map),
		FinishTime:        int64(r.FinishTime),
		FinishTimeStamp:   httpserve.TimeText(r.FinishTimeStamp),
		CreatedAt:         createdAt,
		UpdatedAt:         createdAt, // what is shown of an accepted record never changes
		Medal:             httpserve.OrNull(Medal(r.Medal())),
		Rank:              httpserve.OrNull(r.Rank),
		Of:                r.Of,
		PersonalBest:      r.PersonalBest,
		IsWorldRecord:     r.IsWorldRecord,
		EqualsWorldRecord: r.EqualsWorldRecord,
	}
}

func gap(g *record.Gap) *RecordGap {
	if g == nil {
		return nil
	}
	return &RecordGap{ToAbove: int64(g.ToAbove), ToFirst: int64(g.ToFirst)}
}

// givenPoints returns a record's points, or nil while too few players have finished the map for it to give any.
func givenPoints(p *points.Tenths) *float64 {
	if p == nil || *p == 0 {
		return nil
	}
	return new(p.Float())
}

// unknownName is shown for a map or a player without a copy.
const unknownName = "Unknown"

func mapRef(m record.Map) MapRef {
	return MapRef{UnderscoreId: m.ID, Name: cmp.Or(m.Name, unknownName)}
}

func playerRef(p record.Player) PlayerRef {
	return PlayerRef{
		UnderscoreId: p.ID, Name: cmp.Or(p.Name, unknownName),
		SkinImageUrl: httpserve.OrNull(p.SkinImageURL), SkinColor: httpserve.OrNull(p.SkinColor),
	}
}

// keysOfRecords returns the keys of the players and maps of records. The rank of a record changes with its map.
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
