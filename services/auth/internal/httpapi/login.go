package httpapi

import (
	"context"
	"math"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/auth/internal/login"
)

// RequestRoomLink implements GET /auth/request-room-link.
func (s *Server) RequestRoomLink(
	ctx context.Context, _ RequestRoomLinkRequestObject,
) (RequestRoomLinkResponseObject, error) {
	// The gateway gives the address by which a client is counted: of an IPv6 address that of its network.
	ticket, err := s.Logins.Request(ctx, s.cookies().loginKey(ctx), httpserve.ClientAddress(ctx))
	s.Metrics.rooms.Count(err)
	if err != nil {
		return nil, err
	}
	s.cookies().setLoginKey(ctx, ticket.Key, ticket.KeyTTL)
	return RequestRoomLink200JSONResponse{
		Success: true, SessionId: ticket.SessionID, ExpiresIn: seconds(ticket.RemainingLifetime),
		RoomLink: httpserve.OrNull(ticket.RoomLink), Place: positionOf(ticket.RoomLink, ticket.Position),
	}, nil
}

// GetLoginStatus implements GET /auth/status.
func (s *Server) GetLoginStatus(
	ctx context.Context, req GetLoginStatusRequestObject,
) (GetLoginStatusResponseObject, error) {
	status, err := s.Logins.Status(ctx, req.Params.SessionId, s.cookies().loginKey(ctx))
	if err != nil {
		return nil, err
	}
	answer := GetLoginStatus200JSONResponse{
		Success: true,
		Status: LoginStatus{
			Status: LoginState(status.State), Reason: string(status.Reason), Message: status.Message,
		},
		RoomLink:  httpserve.OrNull(status.RoomLink),
		ExpiresIn: seconds(status.RemainingLifetime),
	}
	if status.Reason == login.Queued || status.Reason == login.NetworkQueued {
		answer.Place = positionOf(status.RoomLink, status.Position)
	}
	return answer, nil
}

// positionOf returns the position of a login that waits for its room, nil where the room is open.
func positionOf(roomLink string, position int) *int {
	if roomLink != "" {
		return nil
	}
	return &position
}

// VerifyCode implements POST /auth/verify-code.
func (s *Server) VerifyCode(ctx context.Context, req VerifyCodeRequestObject) (VerifyCodeResponseObject, error) {
	browserKey, previousRefreshToken := s.cookies().loginKey(ctx), s.cookies().refreshToken(ctx)
	grant, err := s.Logins.Verify(ctx, req.Body.SessionId, req.Body.Code, browserKey, previousRefreshToken)
	s.Metrics.logins.Count(err)
	if err != nil {
		return nil, err
	}
	s.cookies().setRefreshToken(ctx, grant.RefreshToken)
	return VerifyCode200JSONResponse{Success: true, Player: toWire(grant.Player), AccessToken: grant.AccessToken}, nil
}

// seconds rounds up, so that a live session never has 0 seconds left.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

func toWire(p event.PlayerState) LoggedInPlayer {
	return LoggedInPlayer{
		UnderscoreId: p.ID,
		Name:         p.Name,
		Level:        p.Level,
		SkinImageUrl: httpserve.OrNull(p.SkinImageURL),
		SkinColor:    httpserve.OrNull(p.SkinColor),
		Roles:        append([]string{}, p.Roles...),
		Ban:          banOf(p),
	}
}

func banOf(p event.PlayerState) *PlayerBan {
	if p.Ban == nil {
		return nil
	}
	return &PlayerBan{
		Reason: httpserve.OrNull(string(p.Ban.PublicReason)), DecisionId: httpserve.OrNull(p.Ban.DecisionID),
		Until: httpserve.TimeOrNull(p.Ban.Until),
	}
}
