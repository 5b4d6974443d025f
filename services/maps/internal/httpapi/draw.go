package httpapi

import (
	"bytes"
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

// DrawMap implements POST /maps/drawing.
func (s *Server) DrawMap(ctx context.Context, req DrawMapRequestObject) (DrawMapResponseObject, error) {
	actor := httpserve.ActorOf(ctx)
	form, err := httpserve.ReadForm(ctx, actor.ID, req.Body,
		httpserve.FormPart{Name: "replayFile", Max: parkourmap.MaxReplaySize, TooLarge: parkourmap.ErrReplayTooLarge},
		httpserve.FormPart{Name: "gameMode", Max: maxFlag},
	)
	if err != nil {
		return nil, err
	}
	defer form.Close()
	mode, err := parkourmap.ParseMode(form.Text("gameMode"))
	if err != nil {
		return nil, err
	}
	svg, err := s.Submitter.Draw(ctx, actor, form.Bytes("replayFile"), mode)
	return DrawMap200ImagesvgXmlResponse{Body: bytes.NewReader(svg), ContentLength: int64(len(svg))}, err
}
