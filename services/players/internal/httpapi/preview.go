package httpapi

import (
	"bytes"
	"context"

	"capzone.dev/platform/httpserve"
)

// PreviewPlayer implements GET /players/{id}/preview.png.
func (s *Server) PreviewPlayer(ctx context.Context, req PreviewPlayerRequestObject) (PreviewPlayerResponseObject,
	error) {
	profile, err := s.Reader.Get(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	drawn, err := s.Previews.Render(ctx, profile.Preview())
	if err != nil {
		return nil, err
	}
	httpserve.TagPicture(ctx, httpserve.PlayerKey(profile.ID))
	return PreviewPlayer200ImagepngResponse{Body: bytes.NewReader(drawn)}, nil
}
