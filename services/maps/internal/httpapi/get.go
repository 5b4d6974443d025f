package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

// GetMap implements GET /maps/{id}.
func (s *Server) GetMap(ctx context.Context, req GetMapRequestObject) (GetMapResponseObject, error) {
	entry, err := s.Reader.Get(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, keysOfEntry(entry)...)
	return GetMap200JSONResponse{Success: true, Data: toWire(entry)}, nil
}

// keysOfEntry returns the keys of a map and of the players that are shown with it.
func keysOfEntry(e parkourmap.Entry) []httpserve.SurrogateKey {
	keys := []httpserve.SurrogateKey{httpserve.MapKey(e.ID), httpserve.PlayerKey(e.AuthorID)}
	if e.SubmittedByID != e.AuthorID {
		keys = append(keys, httpserve.PlayerKey(e.SubmittedByID))
	}
	return keys
}
