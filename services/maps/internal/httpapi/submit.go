package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	maxImage = 1 << 20 // bytes
	// MaxBody bounds a request, as the gateway does. It is larger than the parts together, so
	// that most images that are too large get an answer that names them.
	MaxBody = 8 << 20
)

// SubmitMap implements POST /maps/submit.
func (s *Server) SubmitMap(ctx context.Context, req SubmitMapRequestObject) (_ SubmitMapResponseObject, err error) {
	defer func() { s.Outcomes.count(err) }()
	caller, err := httpserve.Caller(ctx)
	if err != nil {
		return nil, err
	}
	form, err := httpserve.ReadForm(ctx, caller.PlayerID, req.Body,
		httpserve.FormPart{Name: "replayFile", Max: parkourmap.MaxReplaySize, TooLarge: parkourmap.ErrReplayTooLarge},
		httpserve.FormPart{Name: "mapImage", Max: maxImage, Cut: true},
		httpserve.FormPart{Name: "metadata", Max: maxMetadata, Cut: true},
	)
	if err != nil {
		return nil, err
	}
	defer form.Close()
	metadata, err := readMetadata(form.Bytes("metadata"))
	if err != nil {
		return nil, err
	}
	entry, err := s.Submitter.Submit(ctx, parkourmap.Submission{
		By:       parkourmap.Caller{ID: caller.PlayerID, Name: caller.Name, Roles: caller.Roles},
		Replay:   form.Bytes("replayFile"),
		Image:    form.Bytes("mapImage"),
		Metadata: metadata,
	})
	if err != nil {
		return nil, err
	}
	httpserve.TagChanged(ctx, httpserve.MapKey(entry.ID), httpserve.PlayerKey(entry.AuthorID),
		httpserve.PlayerKey(entry.SubmittedByID), httpserve.MapsKey, httpserve.StatsKey)
	return SubmitMap201JSONResponse{Success: true, Data: toWire(entry)}, nil
}
