package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	maxFlag = 16 // bytes
	// MaxBody bounds a request, as the gateway does. It is larger than the parts together, so
	// that most images that are too large get an answer that names them.
	MaxBody = 8 << 20
)

// SubmitMap implements POST /maps/submit.
func (s *Server) SubmitMap(ctx context.Context, req SubmitMapRequestObject) (SubmitMapResponseObject, error) {
	submitted, err := s.submitMap(ctx, req)
	s.Metrics.submissions.Count(err)
	if err != nil {
		return nil, err
	}
	keys := append(keysOfEntry(submitted.Entry), httpserve.MapsKey, httpserve.StatsKey)
	if submitted.Superseded != "" {
		keys = append(keys, httpserve.MapKey(submitted.Superseded))
	}
	httpserve.TagChanged(ctx, keys...)
	if !submitted.Created {
		return SubmitMap200JSONResponse{Success: true, Data: toWire(submitted.Entry)}, nil
	}
	return SubmitMap201JSONResponse{Success: true, Data: toWire(submitted.Entry)}, nil
}

func (s *Server) submitMap(ctx context.Context, req SubmitMapRequestObject) (parkourmap.Submitted, error) {
	by := httpserve.By(ctx)
	form, err := httpserve.ReadForm(ctx, by.Actor.ID, req.Body,
		httpserve.FormPart{Name: "replayFile", Max: parkourmap.MaxReplaySize, TooLarge: parkourmap.ErrReplayTooLarge},
		httpserve.FormPart{Name: "mapImage", Max: parkourmap.MaxImageSize, Cut: true},
		httpserve.FormPart{Name: "metadata", Max: maxMetadata, Cut: true},
		httpserve.FormPart{Name: "useDrawing", Max: maxFlag},
	)
	if err != nil {
		return parkourmap.Submitted{}, err
	}
	defer form.Close()
	metadata, err := readMetadata("MapSubmissionMetadata", form.Bytes("metadata"))
	if err != nil {
		return parkourmap.Submitted{}, err
	}
	return s.Submitter.Submit(ctx, by, parkourmap.Submission{
		Replay:     form.Bytes("replayFile"),
		Image:      form.Bytes("mapImage"),
		UseDrawing: form.Text("useDrawing") == "true",
		Metadata:   metadata,
	})
}
