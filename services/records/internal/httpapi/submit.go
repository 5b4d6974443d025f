package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/record"
)

// maxMapField is the size of the form's field map, in bytes. An id is far shorter.
const maxMapField = 200

// SubmitRecord implements POST /records/submit.
func (s *Server) SubmitRecord(ctx context.Context, req SubmitRecordRequestObject) (SubmitRecordResponseObject, error) {
	submitted, err := s.submit(ctx, req)
	s.Metrics.submissions.Count(err)
	if err != nil {
		return nil, err
	}
	if submitted.Placement.PersonalBest {
		s.Metrics.personalBests.Inc()
	}
	if submitted.Placement.WorldRecord {
		s.Metrics.worldRecords.Inc()
	}
	httpserve.TagChanged(ctx, httpserve.MapKey(submitted.Record.MapID), httpserve.PlayerKey(submitted.Record.PlayerID),
		httpserve.RecordsKey, httpserve.StatsKey)
	return SubmitRecord201JSONResponse{Success: true, Data: toSubmitted(submitted)}, nil
}

func (s *Server) submit(ctx context.Context, req SubmitRecordRequestObject) (record.Submitted, error) {
	by := httpserve.By(ctx)
	form, err := httpserve.ReadForm(ctx, by.Actor.ID, req.Body,
		httpserve.FormPart{Name: "replayFile", Max: record.MaxReplaySize, TooLarge: record.ErrReplayTooLarge},
		httpserve.FormPart{Name: "map", Max: maxMapField},
	)
	if err != nil {
		return record.Submitted{}, err
	}
	defer form.Close()
	return s.Submitter.Submit(ctx, by, record.Submission{Replay: form.Bytes("replayFile"), SelectedMap: form.Text("map")})
}

func toSubmitted(s record.Submitted) Submitted {
	r := s.Record
	return Submitted{
		Record: SubmittedRecord{
			UnderscoreId:    r.ID,
			Player:          r.PlayerID,
			Map:             r.MapID,
			FinishTime:      int64(r.FinishTime),
			FinishTimeStamp: httpserve.TimeText(r.FinishTimeStamp),
			CreatedAt:       httpserve.TimeText(r.CreatedAt),
			UpdatedAt:       httpserve.TimeText(r.CreatedAt),
			Medal:           httpserve.OrNull(Medal(r.Medal())),
			Rank:            httpserve.OrNull(r.Rank),
			PersonalBest:    r.PersonalBest,
		},
		Rank:              s.Placement.Rank,
		PersonalBest:      s.Placement.PersonalBest,
		PreviousBest:      httpserve.OrNull(int64(s.Placement.PreviousBest)),
		WorldRecord:       s.Placement.WorldRecord,
		EqualsWorldRecord: s.Placement.EqualsWorldRecord,
	}
}
