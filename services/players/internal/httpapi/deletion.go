package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/players/internal/player"
)

// GetOwnDeletion implements GET /me/deletion.
func (s *Server) GetOwnDeletion(
	ctx context.Context, _ GetOwnDeletionRequestObject,
) (GetOwnDeletionResponseObject, error) {
	deletion, err := s.Deleter.Get(ctx, httpserve.ActorOf(ctx))
	return GetOwnDeletion200JSONResponse(deletionAnswer(deletion)), err
}

// ScheduleOwnDeletion implements POST /me/deletion.
func (s *Server) ScheduleOwnDeletion(
	ctx context.Context, req ScheduleOwnDeletionRequestObject,
) (ScheduleOwnDeletionResponseObject, error) {
	deletion, created, err := s.Deleter.Schedule(ctx, httpserve.By(ctx), req.Body.Name)
	if err != nil {
		return nil, err
	}
	if created {
		return ScheduleOwnDeletion201JSONResponse(deletionAnswer(deletion)), nil
	}
	return ScheduleOwnDeletion200JSONResponse(deletionAnswer(deletion)), nil
}

// CancelOwnDeletion implements DELETE /me/deletion.
func (s *Server) CancelOwnDeletion(
	ctx context.Context, _ CancelOwnDeletionRequestObject,
) (CancelOwnDeletionResponseObject, error) {
	return CancelOwnDeletion204Response{}, s.Deleter.Cancel(ctx, httpserve.By(ctx))
}

func deletionAnswer(d player.Deletion) OwnDeletionAnswer {
	return OwnDeletionAnswer{Success: true, Data: OwnDeletion{
		RequestedAt: httpserve.TimeOrNull(d.RequestedAt), ScheduledFor: httpserve.TimeOrNull(d.ScheduledFor),
	}}
}
