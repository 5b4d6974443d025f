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

// GetRecordVerification implements GET /records/{id}/verification.
func (s *Server) GetRecordVerification(
	ctx context.Context, req GetRecordVerificationRequestObject,
) (GetRecordVerificationResponseObject, error) {
	found, err := s.Evidence.Find(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.MapKey(found.MapID), httpserve.PlayerKey(found.PlayerID))
	return GetRecordVerification200JSONResponse{Success: true, Data: toVerification(found)}, nil
}

func toVerification(of leaderboard.Evidence) Verification {
	wire := Verification{
		CheckedAt:  httpserve.TimeText(of.CreatedAt),
		Checks:     make([]VerificationCheck, len(of.Checks)),
		NotChecked: []MissingCheck{},
	}
	for i, c := range of.Checks {
		wire.Checks[i] = VerificationCheck{
			Name: string(c.Name), Result: VerificationResult(c.Result), Sentence: leaderboard.CheckSentence(c),
		}
	}
	for _, c := range leaderboard.MissingChecks() {
		wire.NotChecked = append(wire.NotChecked, MissingCheck(c))
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
