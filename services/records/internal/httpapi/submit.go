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
	s.Metrics.countSubmission(submitted, err)
	if err != nil {
		return nil, err
	}
	httpserve.TagChanged(ctx, httpserve.MapKey(submitted.MapID), httpserve.PlayerKey(submitted.PlayerID),
		httpserve.RecordsKey, httpserve.StatsKey)
	return SubmitRecord201JSONResponse{Success: true, Data: toSubmitted(submitted)}, nil
}

func (s *Server) submit(ctx context.Context, req SubmitRecordRequestObject) (record.Submitted, error) {
	caller, err := httpserve.Caller(ctx)
	if err != nil {
		return record.Submitted{}, err
	}
	form, err := httpserve.ReadForm(ctx, caller.PlayerID, req.Body,
		httpserve.FormPart{Name: "replayFile", Max: record.MaxReplaySize, TooLarge: record.ErrReplayTooLarge},
		httpserve.FormPart{Name: "map", Max: maxMapField},
	)
	if err != nil {
		return record.Submitted{}, err
	}
	defer form.Close()
	return s.Submitter.Submit(ctx, record.Submission{
		By:          record.Caller{ID: caller.PlayerID, Name: caller.Name},
		Replay:      form.Bytes("replayFile"),
		SelectedMap: form.Text("map"),
	})
}
