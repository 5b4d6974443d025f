package httpapi

import (
	"bytes"
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/leaderboard"
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
