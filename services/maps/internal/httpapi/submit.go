package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

// What is read of a form, in bytes. The domain has narrower limits for the image
// and the metadata, and says in their turn when they are passed.
const (
	maxImage    = 4 << 20
	maxMetadata = 1 << 20
	// MaxBody bounds a request: the parts, and what a form puts around them.
	MaxBody = parkourmap.MaxReplaySize + maxImage + maxMetadata + 64<<10
)

// SubmitMap implements POST /maps/submit.
func (s *server) SubmitMap(ctx context.Context, req SubmitMapRequestObject) (_ SubmitMapResponseObject, err error) {
	defer func() { s.use.Outcomes.count(err) }()
	caller, err := httpserve.Caller(ctx)
	if err != nil {
		return nil, err
	}
	form, err := httpserve.ReadForm(req.Body,
		httpserve.FormPart{Name: "replayFile", Max: parkourmap.MaxReplaySize, TooLarge: parkourmap.ErrReplayTooLarge},
		httpserve.FormPart{Name: "mapImage", Max: maxImage},
		httpserve.FormPart{Name: "metadata", Max: maxMetadata},
	)
	if err != nil {
		return nil, err
	}
	entry, err := s.use.Submitter.Submit(ctx, parkourmap.Submission{
		By:         parkourmap.Caller{ID: caller.PlayerID, Name: caller.Name, Roles: caller.Roles},
		ReplayName: form.FileName("replayFile"),
		Replay:     form.Bytes("replayFile"),
		Image:      form.Bytes("mapImage"),
		Metadata:   form.Bytes("metadata"),
	})
	if err != nil {
		return nil, err
	}
	return SubmitMap201JSONResponse{Success: true, Data: toWire(entry)}, nil
}
