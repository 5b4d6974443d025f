package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/players/internal/player"
)

// GetOwnDeletion implements GET /me/deletion.
func (s *Server) GetOwnDeletion(ctx context.Context, _ GetOwnDeletionRequestObject) (GetOwnDeletionResponseObject,
	error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	deletion, err := s.Deleter.Get(ctx, actor)
	if err != nil {
		return nil, err
	}
	setNoStore(ctx)
	return GetOwnDeletion200JSONResponse(deletionAnswer(deletion)), nil
}

// ScheduleOwnDeletion implements POST /me/deletion.
func (s *Server) ScheduleOwnDeletion(
	ctx context.Context, req ScheduleOwnDeletionRequestObject,
) (ScheduleOwnDeletionResponseObject, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	deletion, created, err := s.Deleter.Schedule(ctx, actor, req.Body.Name)
	if err != nil {
		return nil, err
	}
	setNoStore(ctx)
	if created {
		return ScheduleOwnDeletion201JSONResponse(deletionAnswer(deletion)), nil
	}
	return ScheduleOwnDeletion200JSONResponse(deletionAnswer(deletion)), nil
}

// CancelOwnDeletion implements DELETE /me/deletion.
func (s *Server) CancelOwnDeletion(
	ctx context.Context, _ CancelOwnDeletionRequestObject,
) (CancelOwnDeletionResponseObject, error) {
	actor, err := httpserve.Actor(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Deleter.Cancel(ctx, actor); err != nil {
		return nil, err
	}
	return CancelOwnDeletion204Response{}, nil
}

func deletionAnswer(d player.Deletion) OwnDeletionAnswer {
	var wire OwnDeletion
	if !d.ScheduledFor.IsZero() {
		requested, scheduled := httpserve.TimeText(d.RequestedAt), httpserve.TimeText(d.ScheduledFor)
		wire.RequestedAt, wire.ScheduledFor = &requested, &scheduled
	}
	return OwnDeletionAnswer{Success: true, Data: wire}
}

// setNoStore keeps every cache from storing the response, which is for the caller alone.
func setNoStore(ctx context.Context) { httpserve.ResponseHeader(ctx).Set("Cache-Control", "no-store") }
