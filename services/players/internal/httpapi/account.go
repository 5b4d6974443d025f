package httpapi

import (
	"context"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/language"
)

// GetOwnAccount implements GET /me/account.
func (s *Server) GetOwnAccount(ctx context.Context, _ GetOwnAccountRequestObject) (GetOwnAccountResponseObject, error) {
	chosen, err := s.Accounts.Language(ctx, httpserve.ActorOf(ctx))
	return GetOwnAccount200JSONResponse(accountAnswer(chosen)), err
}

// UpdateOwnAccount implements PATCH /me/account.
func (s *Server) UpdateOwnAccount(
	ctx context.Context, req UpdateOwnAccountRequestObject,
) (UpdateOwnAccountResponseObject, error) {
	chosen, err := s.Accounts.SetLanguage(ctx, httpserve.By(ctx), string(req.Body.Language))
	return UpdateOwnAccount200JSONResponse(accountAnswer(chosen)), err
}

func accountAnswer(chosen language.Language) OwnAccountAnswer {
	answer := OwnAccountAnswer{Success: true}
	if chosen != "" {
		answer.Data.Language = new(Language(chosen))
	}
	return answer
}
