package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/record"
)

// maxMapField bounds the form's field map, in bytes: an id is far shorter.
const maxMapField = 200

// SubmitRecord implements POST /records/submit.
func (s *server) SubmitRecord(ctx context.Context, req SubmitRecordRequestObject) (_ SubmitRecordResponseObject, err error) {
	var outcome record.Outcome
	defer func() { s.use.Outcomes.count(outcome, err) }()
	caller, err := httpserve.Caller(ctx)
	if err != nil {
		return nil, err
	}
	form, err := httpserve.ReadForm(req.Body,
		httpserve.FormPart{Name: "replayFile", Max: record.MaxReplaySize, TooLarge: record.ErrReplayTooLarge},
		httpserve.FormPart{Name: "map", Max: maxMapField},
	)
	if err != nil {
		return nil, err
	}
	outcome, err = s.use.Submitter.Submit(ctx, record.Submission{
		By:          record.Caller{ID: caller.PlayerID, Name: caller.Name},
		Replay:      form.Bytes("replayFile"),
		SelectedMap: form.Text("map"),
	})
	if err != nil {
		return nil, err
	}
	httpserve.TagChanged(ctx, httpserve.MapKey(outcome.MapID), httpserve.PlayerKey(outcome.PlayerID),
		httpserve.RecordsKey, httpserve.StatsKey)
	return SubmitRecord201JSONResponse{Success: true, Data: toSubmitted(outcome)}, nil
}
