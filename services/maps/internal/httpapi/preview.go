package httpapi

import (
	"bytes"
	"context"

	"capzone.dev/platform/httpserve"
)

// PreviewMap implements GET /maps/{id}/preview.png.
func (s *Server) PreviewMap(ctx context.Context, req PreviewMapRequestObject) (PreviewMapResponseObject, error) {
	entry, err := s.Reader.Get(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	drawn, err := s.Previews.Render(ctx, entry.Preview())
	if err != nil {
		return nil, err
	}
	httpserve.TagPicture(ctx, keysOfEntry(entry)...)
	return PreviewMap200ImagepngResponse{Body: bytes.NewReader(drawn)}, nil
}
