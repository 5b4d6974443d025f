package natsapi

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Server answers the requests of other services.
type Server struct {
	// Finder reads one map, removed or not. Both methods return parkourmap.ErrMapUnknown.
	Finder interface {
		ByID(ctx context.Context, id string) (parkourmap.Map, error)
		ByGameMapID(ctx context.Context, id int64, fingerprint string) (parkourmap.Map, error)
	}
}

// GetMap answers on event.GetMapSubject.
func (s *Server) GetMap(ctx context.Context, req event.GetMap) (event.MapState, error) {
	if req.ID != "" {
		if !event.IsID(req.ID) {
			return event.MapState{}, parkourmap.ErrMapUnknown
		}
		m, err := s.Finder.ByID(ctx, req.ID)
		return m.State(), err
	}
	m, err := s.Finder.ByGameMapID(ctx, req.GameMapID, req.Fingerprint)
	return m.State(), err
}
