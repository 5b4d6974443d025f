package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

// What is read of a form, in bytes. The domain says in its turn that the image is
// too large, and has a narrower limit for the metadata.
const (
	maxImage    = 1 << 20
	maxMetadata = 1 << 20
	// MaxBody bounds a request, as the gateway does: the parts, and enough that most
	// images that are too large are answered as such.
	MaxBody = 8 << 20
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
		httpserve.FormPart{Name: "mapImage", Max: maxImage, Cut: true},
		httpserve.FormPart{Name: "metadata", Max: maxMetadata},
	)
	if err != nil {
		return nil, err
	}
	entry, err := s.use.Submitter.Submit(ctx, parkourmap.Submission{
		By:       parkourmap.Caller{ID: caller.PlayerID, Name: caller.Name, Roles: caller.Roles},
		Replay:   form.Bytes("replayFile"),
		Image:    form.Bytes("mapImage"),
		Metadata: form.Bytes("metadata"),
	})
	if err != nil {
		return nil, err
	}
	httpserve.TagChanged(ctx, httpserve.MapKey(entry.ID), httpserve.PlayerKey(entry.AuthorID),
		httpserve.PlayerKey(entry.SubmittedByID), httpserve.MapsKey, httpserve.StatsKey)
	return SubmitMap201JSONResponse{Success: true, Data: toWire(entry)}, nil
}
